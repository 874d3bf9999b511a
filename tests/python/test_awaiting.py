# Part of limen. SPDX-License-Identifier: MIT
"""What needs operators for half types, second derivatives and transforms: each group is skipped, with the reason, while the
library of operators refuses the first call."""

import limen
import pytest
import torch
from cases import LEARNABLE, NAMES, POINTS

HALF = [torch.bfloat16, torch.float16]


def need(what, call):
    """Skips where the operators say that they cannot do it yet; any other error is one."""
    try:
        call()
    except RuntimeError as error:
        if any(word in str(error) for word in ("float32 or float64", "not available yet", "Batching rule", "forward mode", "jvp")):
            pytest.skip(f"awaits {what}: {error}".splitlines()[0])
        raise


@pytest.fixture
def half_types():
    need("bfloat16 and float16", lambda: limen.functional.gelu(torch.zeros(1, dtype=torch.bfloat16)))


@pytest.fixture
def second_derivatives():
    def twice():
        z = torch.zeros(1, requires_grad=True)
        (first,) = torch.autograd.grad(limen.functional.gelu(z).sum(), z, create_graph=True)
        torch.autograd.grad(first.sum(), z)

    need("second derivatives", twice)


@pytest.fixture
def transforms():
    z = torch.zeros(1)
    need("vmap", lambda: torch.func.vmap(limen.functional.gelu)(z))
    need("forward mode", lambda: torch.func.jvp(limen.functional.gelu, (z,), (z,)))


@pytest.mark.parametrize("name", LEARNABLE)
@pytest.mark.parametrize("dtype", HALF)
def test_row53_half_inputs_with_float32_parameters(half_types, name, dtype):
    for autocast in (False, True):
        module = limen.activation(name, learnable=True, per="channel", channels=3)
        x = torch.randn(2, 3, dtype=dtype, requires_grad=True)
        with torch.autocast("cpu", dtype, enabled=autocast):
            out = module(x)
        assert out.dtype == dtype
        out.float().sum().backward()
        assert x.grad.dtype == dtype
        for raw in module.parameters():
            assert raw.grad.dtype == torch.float32 and raw.grad.shape == (3,)
        exact = module(x.detach().double())
        torch.testing.assert_close(out.double(), exact, rtol=2 * torch.finfo(dtype).eps, atol=torch.finfo(dtype).tiny)


@pytest.mark.parametrize("dtype", HALF)
def test_row53_a_whole_model_in_half(half_types, dtype):
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), limen.TUELU(), torch.nn.Linear(4, 4), limen.UELU(0.3)).to(dtype)
    out = model(torch.randn(2, 4, dtype=dtype))
    out.float().sum().backward()
    assert out.dtype == dtype and model[1].raw_beta.grad.dtype == dtype and model[3].beta.item() == 0.3


@pytest.mark.parametrize("dtype", HALF)
def test_row53_a_convolution_under_autocast(half_types, dtype):
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), limen.UELU(learnable=True, per="channel", channels=4))
    with torch.autocast("cpu", dtype):
        out = model(torch.randn(2, 3, 8, 8))
    assert out.dtype == dtype
    out.float().sum().backward()
    assert model[1].raw_beta.grad.dtype == torch.float32


@pytest.mark.parametrize("name", NAMES)
def test_second_derivatives_are_those_of_finite_differences(second_derivatives, name):
    module = limen.activation(name, learnable=name in LEARNABLE, **({"dtype": torch.float64} if name in LEARNABLE else {}))
    raws = [p.detach().clone().requires_grad_() for p in module.parameters()]
    keys = [key for key, _ in module.named_parameters()]

    def function(z, *tensors):
        return torch.func.functional_call(module, dict(zip(keys, tensors)), (z,))

    assert torch.autograd.gradgradcheck(function, (POINTS.clone().requires_grad_(), *raws))


@pytest.mark.parametrize("name", NAMES)
def test_transforms(transforms, name):
    function = getattr(limen.functional, name)
    z = torch.stack([POINTS, POINTS + 0.05])
    assert torch.equal(torch.func.vmap(function)(z), function(z))
    value, slope = torch.func.jvp(function, (z,), (torch.ones_like(z),))
    leaf = z.clone().requires_grad_()
    function(leaf).sum().backward()
    assert torch.equal(value, function(z))
    torch.testing.assert_close(slope, leaf.grad, rtol=1e-13, atol=1e-15)

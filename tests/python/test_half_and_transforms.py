# Part of limen. SPDX-License-Identifier: MIT
"""Half types, second derivatives and transforms, through the functions and modules."""

import limen
import pytest
import torch
from cases import LEARNABLE, NAMES, POINTS

HALF = [torch.bfloat16, torch.float16]


@pytest.mark.parametrize("name", LEARNABLE)
@pytest.mark.parametrize("dtype", HALF)
def test_row53_half_inputs_with_float32_parameters(name, dtype):
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
def test_row53_a_whole_model_in_half(dtype):
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), limen.TUELU(), torch.nn.Linear(4, 4), limen.UELU(0.3)).to(dtype)
    out = model(torch.randn(2, 4, dtype=dtype))
    out.float().sum().backward()
    assert out.dtype == dtype and model[1].raw_beta.grad.dtype == dtype and model[3].beta.item() == 0.3


@pytest.mark.parametrize("dtype", HALF)
def test_row53_a_convolution_under_autocast(dtype):
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), limen.UELU(learnable=True, per="channel", channels=4))
    with torch.autocast("cpu", dtype):
        out = model(torch.randn(2, 3, 8, 8))
    assert out.dtype == dtype
    out.float().sum().backward()
    assert model[1].raw_beta.grad.dtype == torch.float32


@pytest.mark.parametrize("name", NAMES)
def test_second_derivatives_are_those_of_finite_differences(name):
    module = limen.activation(name, learnable=name in LEARNABLE, **({"dtype": torch.float64} if name in LEARNABLE else {}))
    raws = [p.detach().clone().requires_grad_() for p in module.parameters()]
    keys = [key for key, _ in module.named_parameters()]

    def function(z, *tensors):
        return torch.func.functional_call(module, dict(zip(keys, tensors)), (z,))

    assert torch.autograd.gradgradcheck(function, (POINTS.clone().requires_grad_(), *raws))


@pytest.mark.parametrize("name", NAMES)
def test_transforms(name):
    function = getattr(limen.functional, name)
    z = torch.stack([POINTS, POINTS + 0.05])
    assert torch.equal(torch.func.vmap(function)(z), function(z))
    value, slope = torch.func.jvp(function, (z,), (torch.ones_like(z),))
    leaf = z.clone().requires_grad_()
    function(leaf).sum().backward()
    assert torch.equal(value, function(z))
    torch.testing.assert_close(slope, leaf.grad, rtol=1e-13, atol=1e-15)

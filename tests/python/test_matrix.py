# Part of limen. SPDX-License-Identifier: MIT
"""Every activation, fixed and learnable, over a matrix of layouts: PyTorch's own checks of gradients and of operators."""

import limen
import pytest
import torch
from cases import LEARNABLE, NAMES, other_values

operators = torch.ops.limen


def layouts(dtype=torch.float64):
    """Inputs with 3 channels along axis 1, between -2 and 2 and away from kinks at 0."""

    def some(*shape):
        z = torch.rand(shape, dtype=dtype) * 4 - 2
        return z + 0.05 * z.sign()

    yield "contiguous", some(2, 3, 4)
    yield "offset by one", some(25)[1:].view(2, 3, 4)
    yield "transposed", some(4, 3, 2).transpose(0, 2)
    yield "channels last", some(2, 3, 2, 3).to(memory_format=torch.channels_last)
    yield "sliced", some(4, 6, 8)[::2, ::2, 1:6:2]
    yield "expanded", some(1, 3, 1).expand(2, 3, 2)
    yield "size one", some(3, 1, 3).permute(2, 0, 1)
    yield "odd width", some(1, 3, 17)
    yield "empty", some(0, 3)


def parameters(name, channels, dtype=torch.float64):
    """One tensor a parameter, which requires a gradient where there is one."""
    info = limen.registry.activations[name]
    return [
        torch.full((channels,) if channels else (), value, dtype=dtype, requires_grad=not p.integer)
        for p, value in zip(info.parameters, other_values(info).values())
    ]


def function(name):
    return lambda z, *tensors: operators.activation(z, name, [], list(tensors), 1)


CASES = [(name, channels) for name in NAMES for channels in ((0, 3) if limen.registry.activations[name].parameters else (0,))]


@pytest.mark.parametrize("name,channels", CASES)
def test_row67_gradients_of_every_order_and_mode(name, channels):
    torch.manual_seed(3)
    for layout, z in layouts():
        if layout == "expanded":  # gradcheck moves elements one by one, which here share their places
            continue
        arguments = (z.requires_grad_(), *parameters(name, channels))
        assert torch.autograd.gradcheck(function(name), arguments, check_forward_ad=True, check_undefined_grad=False), layout
        assert torch.autograd.gradgradcheck(function(name), arguments, check_fwd_over_rev=True, check_undefined_grad=False), layout


@pytest.mark.parametrize("name,channels", CASES)
def test_row63_opcheck(name, channels):
    torch.manual_seed(4)
    for layout, z in layouts(torch.float32):
        if layout in ("odd width", "offset by one", "size one"):
            continue  # opcheck is slow, and they differ from others in values alone
        tensors = parameters(name, channels, torch.float32)
        torch.library.opcheck(operators.activation.default, (z.requires_grad_(), name, [], tensors, 1))


@pytest.mark.parametrize("name", ["uelu", "gelu_mu_sigma", "gelu"])
def test_row63_opcheck_of_the_other_operators(name):
    for layout, z in layouts(torch.float32):
        tensors = [t.detach() for t in parameters(name, 3, torch.float32)]
        grad = torch.randn(z.shape)
        needs = [True] * (1 + len(tensors))
        torch.library.opcheck(operators.activation_backward.default, (grad, z, name, [], tensors, 1, needs))
        torch.library.opcheck(
            operators.activation_second_backward.default, (grad, z, name, [], tensors, 1, grad, tensors, [True, *needs])
        )
        bias, factor = torch.randn(z.shape[-1]), torch.randn(z.shape)
        fused = (z.clone().requires_grad_(), bias.requires_grad_(), factor, name, [], tensors, 1, 0.25, 1, 2, 3)
        torch.library.opcheck(operators.fused_activation.default, fused)
        if layout not in ("expanded",):
            torch.library.opcheck(operators.activation_.default, (z.clone(), name, [], tensors, 1))


@pytest.mark.parametrize("name", NAMES)
def test_row63_meta_and_real_kernels_agree(name):
    """Sizes, strides, type and device, for every layout and type, forward and backward."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        for layout, z in layouts(dtype):
            real = operators.activation(z, name, [], [], 1)
            fake = operators.activation(z.to("meta"), name, [], [], 1)
            assert (real.shape, real.stride(), real.dtype) == (fake.shape, fake.stride(), fake.dtype), layout
            real = operators.activation_backward(z, z, name, [], [], 1, [True])[0]
            fake = operators.activation_backward(z.to("meta"), z.to("meta"), name, [], [], 1, [True])[0]
            assert (real.shape, real.stride(), real.dtype) == (fake.shape, fake.stride(), fake.dtype), layout


@pytest.mark.parametrize("name", NAMES)
def test_row39_row41_layouts_and_offsets_change_nothing(name):
    """Halves of a split and views that begin at an odd element, with gradients that lie otherwise than the input."""
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        both = torch.randn(5, 2 * 33).to(dtype)
        for z in (*both.chunk(2, -1), both.t(), torch.randn(1026).to(dtype)[1:1025], both[:, 1::3]):
            for grad in (torch.randn(z.shape).to(dtype), torch.randn(z.shape[::-1]).to(dtype).permute(*range(z.dim())[::-1])):
                leaf, plain = z.detach().requires_grad_(), z.detach().contiguous().clone().requires_grad_()
                for one, incoming in ((leaf, grad), (plain, grad.contiguous())):
                    operators.activation(one, name, [], [], 1).backward(incoming)
                assert torch.equal(leaf.grad.contiguous(), plain.grad)
                out = operators.activation(leaf, name, [], [], 1)
                assert torch.equal(out.contiguous(), operators.activation(plain, name, [], [], 1))


@pytest.mark.parametrize("name", NAMES)
def test_row39_gated_halves(name):
    """The two halves of a projection, read where they lie: as from copies."""
    x = torch.randn(7, 2 * 33, requires_grad=True)
    results = []
    for halves in (x.chunk(2, -1), [half.contiguous() for half in x.chunk(2, -1)]):
        out = operators.fused_activation(halves[0], None, halves[1], name, [], [], 1, 0.0, 0, 0, 0)
        results.append((out, *torch.autograd.grad(out, x, torch.ones(33, 7).t())))
    for one, other in zip(*results):
        assert torch.equal(one, other)


@pytest.mark.parametrize("name", NAMES)
def test_row35_row37_in_place(name):
    with pytest.raises(RuntimeError, match="without gradients"):
        operators.activation_(torch.randn(4, requires_grad=True), name, [], [], 0)  # a leaf
    with pytest.raises(RuntimeError, match="without gradients"):
        operators.activation_(torch.randn(4, requires_grad=True) * 1, name, [], [], 0)
    with pytest.raises(RuntimeError, match="places of their own"):
        operators.activation_(torch.randn(1, 4).expand(3, 4), name, [], [], 0)
    # What another operator saved is changed: autograd notices by the version.
    weight, hidden = torch.randn(4, requires_grad=True), torch.randn(4)
    product = weight * hidden
    operators.activation_(hidden, name, [], [], 0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.sum().backward()
    base = torch.randn(4, 6)
    expected = base.clone()
    expected[:, 1::2] = operators.activation(base[:, 1::2], name, [], [], 0)
    operators.activation_(base[:, 1::2], name, [], [], 0)
    assert torch.equal(base, expected)


@pytest.mark.parametrize("name", NAMES)
def test_row55_backward_outside_autocast_keeps_the_type(name):
    seen = []
    z = torch.randn(8, 8, requires_grad=True)
    with torch.autocast("cpu", torch.bfloat16):
        hidden = z @ torch.randn(8, 8)
        hidden.register_hook(lambda grad: seen.append(grad.dtype))
        out = operators.activation(hidden, name, [], [], 1)
    assert hidden.dtype == out.dtype == torch.bfloat16
    out.float().sum().backward()
    assert seen == [torch.bfloat16]


@pytest.mark.parametrize("name", NAMES)
def test_row65_compiled_twice_in_one_graph_is_the_same(name):
    def same(x):
        with torch.autocast("cpu", torch.bfloat16):
            return operators.activation(x, name, [], [], 1) == operators.activation(x, name, [], [], 1)

    torch._dynamo.reset()  # the name is part of the graph: there is a limit to how many graphs a function may have
    assert torch.compile(same, backend="aot_eager", fullgraph=True)(torch.randn(64, 64).bfloat16()).all()


@pytest.mark.parametrize("name", LEARNABLE)
def test_vmap_is_a_loop(name):
    """Over the input, over parameters, over both; and gradients for each sample."""
    torch.manual_seed(5)
    batch = torch.randn(3, 2, 4, 5, dtype=torch.float64)
    for channels in (0, 4):
        shared = [t.detach() for t in parameters(name, channels)]
        own = [torch.stack([t * (1 + i / 8) if not t.equal(t.round()) else t for i in range(3)]) for t in shared]
        learned = [k for k, p in enumerate(limen.registry.activations[name].parameters) if not p.integer]

        def loss(z, *tensors):
            return operators.activation(z, name, [], list(tensors), 1).square().sum()

        gradient = torch.func.grad(loss, argnums=(0, *(1 + k for k in learned)))
        for place, tensors in ((None, shared), (0, own)):
            found = torch.func.vmap(gradient, in_dims=(0, *(place for _ in tensors)))(batch, *tensors)
            for i in range(3):
                expected = gradient(batch[i], *(t if place is None else t[i] for t in tensors))
                for one, other in zip(found, expected):
                    torch.testing.assert_close(one[i], other, rtol=1e-12, atol=1e-12)


def test_functional_transforms_of_second_order():
    z = torch.randn(5, dtype=torch.float64)
    for name in ("silu", "gelu"):
        for outer in (torch.func.hessian, lambda f: torch.func.jacrev(torch.func.jacrev(f)), lambda f: torch.func.jacrev(torch.func.jacfwd(f))):
            found = outer(lambda x: operators.activation(x, name, [], [], 0).sum())(z)
            expected = outer(lambda x: getattr(torch.nn.functional, name)(x).sum())(z)
            torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12)


def available_memory():
    with open("/proc/meminfo") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


def test_row45_row47_more_than_2_31_elements():
    count = 2**31 + 5
    if available_memory() < 12 * 2**30:
        pytest.skip("expected 12 GiB of free memory for 2^31 + 5 elements")
    z = torch.full((count,), -1.0, dtype=torch.bfloat16)
    expected = operators.activation(z[:1], "gelu", [], [], 0)
    z[-1] = 2
    operators.activation_(z, "gelu", [], [], 0)
    assert z[-1] == operators.activation(torch.tensor([2.0]).bfloat16(), "gelu", [], [], 0)
    assert all((part == expected).all() for part in z[:-1].split(2**28))

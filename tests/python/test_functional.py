# Part of limen. SPDX-License-Identifier: MIT
"""limen.functional: values are the operator's to the bit, gradients those of finite differences."""

import limen
import pytest
import torch
from cases import NAMES, POINTS, other_values, raises

F = limen.functional
operator = torch.ops.limen.activation


def info_of(name):
    return limen.registry.activations[name]


def test_values_known_without_limen():
    z = torch.tensor([0.5, -2.0, 2.0], dtype=torch.float64)
    assert F.uelu(z, beta=1.0).tolist() == [0.375, 0.0, 2.0]
    assert F.relu(z).tolist() == [0.5, 0.0, 2.0]
    assert F.leaky_relu(z, 0.5).tolist() == [0.5, -1.0, 2.0]
    assert F.hard_swish(z).tolist() == torch.nn.functional.hardswish(z).tolist() == F.uelu3(z).tolist()


@pytest.mark.parametrize("ours, theirs", [
    ("gelu", torch.nn.functional.gelu),
    ("gelu_tanh", lambda z: torch.nn.functional.gelu(z, approximate="tanh")),
    ("silu", torch.nn.functional.silu),
    ("mish", torch.nn.functional.mish),
    ("elu", torch.nn.functional.elu),
    ("softplus", torch.nn.functional.softplus),
])  # fmt: skip
def test_values_are_those_of_pytorch(ours, theirs):
    torch.testing.assert_close(getattr(F, ours)(POINTS), theirs(POINTS), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_function_is_the_operator(name, dtype):
    z, info, values = POINTS.to(dtype), info_of(name), other_values(info_of(name))
    function = getattr(F, name)
    assert torch.equal(function(z), operator(z, name, [], [], 1))
    assert torch.equal(function(z, **values), operator(z, name, list(values.values()), [], 1))
    assert torch.equal(function(z, *values.values()), function(z, **values))
    tensors = {key: torch.tensor(value) for key, value in values.items()}
    assert torch.equal(function(z, **tensors), operator(z, name, [], list(tensors.values()), 1))
    if info.parameters:
        assert not torch.equal(function(z, **values), function(z)), "the other values are no other ones"


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_those_of_finite_differences(name):
    info, values = info_of(name), other_values(info_of(name))
    fixed = {p.argument: values[p.argument] for p in info.parameters if p.integer}
    free = [p.argument for p in info.parameters if not p.integer]

    def function(z, *tensors):
        return getattr(F, name)(z, **fixed, **dict(zip(free, tensors)), axis=-1)

    z = POINTS.clone().requires_grad_()
    one = [torch.tensor(values[key], dtype=torch.float64, requires_grad=True) for key in free]
    assert torch.autograd.gradcheck(function, (z, *one))
    each = [
        (torch.linspace(0.9, 1.1, len(POINTS), dtype=torch.float64) * values[key]).requires_grad_() for key in free
    ]
    assert torch.autograd.gradcheck(function, (z, *each))


def test_numbers_and_tensors_mix():
    z, sigma = POINTS.float(), torch.tensor(2.0, requires_grad=True)
    out = F.gelu_mu_sigma(z, mu=0.5, sigma=sigma)
    assert torch.equal(out, F.gelu_mu_sigma(z, 0.5, 2.0))
    out.sum().backward()
    assert sigma.grad.abs() > 0


def test_numbers_of_other_libraries_are_numbers():
    numpy = pytest.importorskip("numpy")
    assert torch.equal(F.uelu(POINTS, beta=numpy.float32(1.5)), F.uelu(POINTS, beta=1.5))


def test_channels_along_any_axis():
    z, beta = torch.randn(2, 3, 4), torch.tensor([0.5, 1.0, 2.0])
    expected = torch.stack([F.uelu(z[:, c], beta[c]) for c in range(3)], 1)
    assert torch.equal(F.uelu(z, beta), expected)
    assert torch.equal(F.uelu(z.transpose(1, 2), beta, axis=-1), expected.transpose(1, 2))


def test_mistakes():
    z = torch.randn(3)
    raises(TypeError, ["functional.uelu", "(beta)", '"bta"', 'try "beta"'], lambda: F.uelu(z, bta=1))
    raises(TypeError, ["functional.gelu", "no parameter", '"approximate"'], lambda: F.gelu(z, approximate="tanh"))
    raises(TypeError, ["functional.uelu", "at most 1", "got 2"], lambda: F.uelu(z, 1, 2))
    raises(TypeError, ["functional.uelu", "one beta"], lambda: F.uelu(z, 1, beta=2))
    raises(TypeError, ["functional.uelu", "a number or a tensor", "'wide'"], lambda: F.uelu(z, "wide"))
    raises(RuntimeError, ["axis", "[2]"], lambda: F.uelu(z, torch.ones(2), axis=0))
    raises(RuntimeError, ["limen::activation", "float", "int64"], lambda: F.uelu(torch.arange(3)))


@pytest.mark.parametrize("name", NAMES)
def test_row13_parameters_that_are_not_finite_or_forbidden_are_errors_in_functions_and_modules(name):
    for p in limen.registry.activations[name].parameters:
        for value in (float("nan"), float("inf"), -float("inf"), 1e38, -1e38):
            call = {p.argument: value}
            raises(RuntimeError, [name, f"expected", p.name, "got"], lambda: getattr(F, name)(POINTS, **call))
            raises(RuntimeError, [name, f"expected", p.name, "got"], lambda: limen.activation(name, **call))
        if ">" in p.domain:
            for value in (0.0, -1.0):
                call = {p.argument: value}
                raises(RuntimeError, [name, p.domain, "got"], lambda: getattr(F, name)(POINTS, **call))
                raises(RuntimeError, [name, p.domain, "got"], lambda: limen.activation(name, **call))


def test_row13_zero_stays_zero_for_the_largest_parameter():
    zero = torch.zeros(3, requires_grad=True)
    for slope in (1e-23, 1e23):
        out = F.silu(zero, slope=slope)
        assert out.tolist() == [0, 0, 0]
        assert limen.SiLU(slope)(zero).tolist() == [0, 0, 0]


def test_row27_gelu_is_the_exact_form_everywhere():
    x = torch.tensor([2.7], dtype=torch.float64)
    exact = 2.7 * 0.5 * torch.special.erfc(-x / 2**0.5)
    for value in (limen.functional.gelu(x), limen.GELU()(x), limen.activation("gelu")(x), limen.from_torch(torch.nn.GELU())(x)):
        torch.testing.assert_close(value, exact, rtol=1e-14, atol=0)
    tanh = limen.functional.gelu_tanh(x)
    torch.testing.assert_close(tanh, torch.nn.functional.gelu(x, approximate="tanh"), rtol=1e-12, atol=0)
    torch.testing.assert_close(limen.from_torch(torch.nn.GELU(approximate="tanh"))(x), tanh)
    assert 4e-4 < (tanh - exact).abs().item() < 5e-4


def test_row33_hard_forms_have_one_slope():
    x = torch.tensor([2.0], dtype=torch.float64)
    expected = torch.tensor([2 * 5 / 6], dtype=torch.float64)
    for value in (limen.functional.hard_swish(x), limen.HardSwish()(x), limen.from_torch(torch.nn.Hardswish())(x), limen.functional.uelu(x, beta=3)):
        torch.testing.assert_close(value, expected, rtol=1e-15, atol=0)

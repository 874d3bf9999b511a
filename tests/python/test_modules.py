# Part of limen. SPDX-License-Identifier: MIT
"""Modules: what they hold, how they show, copy, move, and learn."""

import copy
import math
import pickle

import limen
import pytest
import torch
from cases import LEARNABLE, NAMES, POINTS, other_values, raises

ALL = list(limen.modules.classes)


@pytest.mark.parametrize("name", ALL)
def test_a_module_is_its_function(name):
    function, info = getattr(limen.functional, name), limen.modules.classes[name].info
    assert torch.equal(limen.modules.classes[name](learnable=False)(POINTS), function(POINTS))
    values = other_values(info)
    assert torch.equal(limen.activation(name, learnable=False, **values)(POINTS), function(POINTS, **values))
    assert torch.equal(limen.activation(name, *values.values(), learnable=False)(POINTS), function(POINTS, **values))


@pytest.mark.parametrize("name", LEARNABLE)
def test_a_learned_parameter_starts_where_the_registry_says(name):
    module = limen.activation(name, learnable=True)
    for p in module.info.parameters:
        if not p.learnable:
            continue
        raw = getattr(module, f"raw_{p.name}")
        assert raw.shape == () and raw.requires_grad and raw.dtype == torch.get_default_dtype()
        assert math.isclose(getattr(module, p.argument).item(), p.learned_from, rel_tol=1e-6, abs_tol=1e-12)
    given = {p.argument: 0.5 for p in module.info.parameters if p.learnable and p.name != "lambda"}
    other = limen.activation(name, **given, learnable=True, dtype=torch.float64)
    for argument in given:
        assert math.isclose(getattr(other, argument).item(), 0.5, rel_tol=1e-12)


@pytest.mark.parametrize("name", LEARNABLE)
def test_gradients_of_the_learned_numbers_are_those_of_finite_differences(name):
    module = limen.activation(name, learnable=True, per="channel", channels=len(POINTS), axis=-1, dtype=torch.float64)
    raws = [p.detach().clone().requires_grad_() for p in module.parameters()]
    keys = [key for key, _ in module.named_parameters()]

    def function(z, *tensors):
        return torch.func.functional_call(module, dict(zip(keys, tensors)), (z,))

    assert torch.autograd.gradcheck(function, (POINTS.clone().requires_grad_(), *raws))


def test_the_numbers_that_cpp_stores():
    assert math.isclose(limen.TUELU(dtype=torch.float64).raw_beta.item(), 0.9110186022276543, rel_tol=1e-15)
    assert abs(limen.LambdaGELU(learnable=True, dtype=torch.float64).raw_lambda.item()) < 1e-12
    fixed = limen.GELUMuSigma(sigma=0.1).state_dict()
    assert list(fixed) == ["mu", "sigma"] and fixed["sigma"].dtype == torch.float64 and fixed["sigma"].item() == 0.1


@pytest.mark.parametrize("module, text", [
    (limen.GELU(), "GELU()"),
    (limen.UELU(), "UELU(beta=1.25)"),
    (limen.UELU(beta=1.25, learnable=True), "UELU(beta=1.25, learnable)"),
    (limen.UELU(1.25, learnable=True, per="channel", channels=64),
     "UELU(beta=1.25, learnable, per channel [64] along axis 1)"),
    (limen.UELU(1.25, learnable=True, per="channel", axis=-1),
     "UELU(beta=1.25, learnable, per channel [not known yet] along axis -1)"),
    (limen.GELUMuSigma(sigma=2, learnable="mu"), "GELUMuSigma(mu=0, sigma=2, learnable: mu)"),
    (limen.LambdaGELU(learnable="lam"), "LambdaGELU(lam=1.69315, learnable)"),
    (limen.TUELU(), "TUELU(beta=1.25, learnable)"),
    (limen.UELU(device="meta"), "UELU(beta=?)"),
])  # fmt: skip
def test_repr(module, text):
    assert repr(module) == text


def test_repr_shows_the_range_of_channels():
    module = limen.UELU(learnable=True, per="channel", channels=2)
    with torch.no_grad():
        module.raw_beta[1] += 1
    assert repr(module).startswith("UELU(beta=1.25..2.0499")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda module: pickle.loads(pickle.dumps(module))])
def test_copies_are_the_same_and_their_own(name, copied):
    kind = limen.modules.classes[name]
    module = kind(learnable=True) if kind.info.name in LEARNABLE else kind()
    other = copied(module)
    assert type(other) is kind and repr(other) == repr(module)
    assert torch.equal(other(POINTS), module(POINTS))
    with torch.no_grad():
        for parameter in other.parameters():
            parameter += 1
    for mine, others in zip(module.parameters(), other.parameters()):
        assert not torch.equal(mine, others)


def test_a_copy_without_known_channels_learns_them():
    module = copy.deepcopy(limen.UELU(learnable=True, per="channel"))
    module(torch.randn(2, 5))
    assert module.raw_beta.shape == (5,)


@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
@pytest.mark.parametrize("channels", [32, None])
def test_row49_one_parameter_a_channel_whatever_the_memory_layout(memory_format, channels):
    convolution = torch.nn.Conv2d(3, 32, 3)
    module = limen.UELU(learnable=True, per="channel", channels=channels, axis=1)
    x = convolution(torch.randn(2, 3, 26, 26)).to(memory_format=memory_format)
    assert x.shape == (2, 32, 24, 24)
    out = module(x)
    assert sum(p.numel() for p in module.parameters()) == 32
    assert "[32] along axis 1" in repr(module)
    assert out.is_contiguous(memory_format=memory_format)
    with torch.no_grad():
        module.raw_beta.copy_(torch.linspace(-1, 2, 32))
    out = module(x)
    for c in (0, 13, 31):
        assert torch.equal(out[:, c], limen.functional.uelu(x[:, c], module.beta[c].detach()))
    out.sum().backward()
    assert module.raw_beta.grad.shape == (32,) and (module.raw_beta.grad != 0).all()


def test_row49_channels_last_in_the_shape_have_axis_minus_1():
    x = torch.randn(2, 24, 24, 32)
    module = limen.UELU(learnable=True, per="channel", axis=-1)
    module(x)
    assert module.raw_beta.shape == (32,)
    with torch.no_grad():
        module.raw_beta.copy_(torch.linspace(-1, 2, 32))
    assert torch.equal(module(x)[..., 7], limen.functional.uelu(x[..., 7], module.beta[7].detach()))


def test_row49_a_wrong_number_of_channels_is_an_error():
    module = limen.UELU(learnable=True, per="channel", channels=32)
    raises(RuntimeError, ["beta", "[32]", "24"], lambda: module(torch.randn(2, 24, 3)))


def test_channels_that_are_not_known_yet():
    module = limen.UELU(learnable=True, per="channel")
    for use in (lambda: module.beta, module.state_dict):
        raises(RuntimeError, ["limen.UELU", "number of channels", "try channels="], use)
    module(torch.randn(2, 6, 3))
    assert module.beta.shape == (6,) and module.is_initialized


@pytest.mark.parametrize("move", [lambda m: m.half(), lambda m: m.to(torch.bfloat16), lambda m: m.float()])
def test_row53_a_fixed_parameter_keeps_the_number_that_was_asked_for(move):
    model = move(torch.nn.Sequential(torch.nn.Linear(2, 2), limen.GELUMuSigma(mu=0.1, sigma=0.3)))
    assert model[1].sigma.dtype == torch.float64 and model[1].sigma.item() == 0.3 and model[1].mu.item() == 0.1
    assert torch.equal(model[1](POINTS), limen.functional.gelu_mu_sigma(POINTS, 0.1, 0.3))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_row53_learned_numbers_in_half_are_read_in_float32(dtype):
    module = limen.UELU(learnable=True, per="channel", channels=4).to(dtype)
    assert module.raw_beta.dtype == dtype and module.beta.dtype == torch.float32
    module(torch.randn(2, 4)).sum().backward()
    assert module.raw_beta.grad.dtype == dtype and module.raw_beta.grad.shape == (4,)


@pytest.mark.parametrize("input", [torch.float32, torch.float64])
@pytest.mark.parametrize("learned", [torch.float32, torch.float64])
def test_row53_the_result_has_the_inputs_type_and_gradients_the_parameters(input, learned):
    module = limen.UELU(learnable=True, dtype=learned)
    x = torch.linspace(-1, 1, 7, dtype=input, requires_grad=True)
    out = module(x)
    out.sum().backward()
    assert out.dtype == x.grad.dtype == input and module.raw_beta.grad.dtype == learned


def test_row53_autocast_leaves_the_type_alone():
    module = limen.TUELU()
    with torch.autocast("cpu", torch.bfloat16):
        assert module(torch.randn(3)).dtype == torch.float32


def test_meta_and_back():
    with torch.device("meta"):
        module = limen.GELUMuSigma(0.1, 0.3, learnable="mu")
    assert module.sigma.is_meta
    module.to_empty(device="cpu").reset_parameters()
    assert module.sigma.item() == 0.3 and math.isclose(module.mu.item(), 0.1, rel_tol=1e-6)


def test_reset_parameters():
    module = limen.GELUMuSigma(0.1, 0.3, learnable="mu")
    with torch.no_grad():
        module.raw_mu.fill_(4)
    module.set(sigma=2)
    assert module.sigma.item() == 2 and module.mu.item() == 4
    module.reset_parameters()
    assert module.sigma.item() == 0.3 and math.isclose(module.mu.item(), 0.1, rel_tol=1e-6)


def test_one_module_at_several_places_shares_its_number():
    act = limen.TUELU()
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), act, torch.nn.Linear(3, 3), act)
    assert sum(isinstance(p, torch.Tensor) and p is act.raw_beta for p in model.parameters()) == 1
    both = torch.nn.Sequential(act, act)
    x = torch.linspace(-1, 1, 5)
    both(x).sum().backward()
    with torch.no_grad():
        h = 1e-3
        act.raw_beta += h
        up = both(x).sum()
        act.raw_beta -= 2 * h
        difference = (up - both(x).sum()) / (2 * h)
    assert math.isclose(act.raw_beta.grad.item(), difference.item(), rel_tol=1e-2)


def test_a_learned_parameter_stays_in_its_domain():
    module = limen.UELU(learnable=True)
    with torch.no_grad():
        module.raw_beta.fill_(-200.0)
    assert math.isclose(module.beta.item(), 1e-3, rel_tol=1e-6)


def test_mistakes():
    raises(ValueError, ["limen.UELU", "a learned parameter", "learnable=True"], lambda: limen.UELU(per="channel", channels=3))
    raises(ValueError, ["limen.UELU", '"layer"', "'row'"], lambda: limen.UELU(learnable=True, per="row"))
    raises(ValueError, ["limen.UELU", "no channels", 'per="channel"'], lambda: limen.UELU(learnable=True, channels=3))
    raises(ValueError, ["limen.UELU", "channels >= 1"], lambda: limen.UELU(learnable=True, per="channel", channels=0))
    raises(ValueError, ["limen.GELU", "that can be learned"], lambda: limen.GELU(learnable=True))
    raises(RuntimeError, ["gamma", "cannot be learned"], lambda: limen.DGELU(learnable="gamma"))
    raises(TypeError, ["(sigma)", '"simga"', '"sigma"'], lambda: limen.IGLU(learnable="simga"))
    raises(TypeError, ["limen.UELU", "a number", "'wide'"], lambda: limen.UELU("wide"))
    raises(TypeError, ["limen.GELU", "no parameter", '"approximate"'], lambda: limen.GELU(approximate="tanh"))
    raises(RuntimeError, ["beta > 0.001", "1e-04"], lambda: limen.UELU(1e-4, learnable=True))
    module = limen.UELU()
    raises(RuntimeError, ["beta > 0", "got -1"], lambda: module.set(beta=-1))
    assert module.beta.item() == 1.25
    raises(ValueError, ["a fixed parameter", "beta"], lambda: limen.TUELU().set(beta=1))


def test_which_gelu_is_a_name():
    x = POINTS
    three = [limen.GELU()(x), limen.GELUTanh()(x), limen.SiLU(slope=1.702)(x)]
    theirs = [torch.nn.GELU()(x), torch.nn.GELU(approximate="tanh")(x), x * torch.sigmoid(1.702 * x)]
    for ours, other in zip(three, theirs):
        torch.testing.assert_close(ours, other, rtol=1e-12, atol=1e-14)

# Part of limen. SPDX-License-Identifier: MIT
"""State dicts across fixed and learned parameters (row 61)."""

import io
import warnings

import limen
import pytest
import torch
from cases import LEARNABLE, NAMES, POINTS, other_values, raises


def load(module, state, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return module.load_state_dict(state, **options)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_brings_every_number_back(name):
    values = other_values(limen.registry.activations[name])
    module = limen.activation(name, **values, learnable=name in LEARNABLE)
    file = io.BytesIO()
    torch.save(module.state_dict(), file)
    file.seek(0)
    other = limen.activation(name, learnable=name in LEARNABLE)
    other.load_state_dict(torch.load(file, weights_only=True))
    assert torch.equal(other(POINTS), module(POINTS)) and repr(other) == repr(module)


@pytest.mark.parametrize("name", LEARNABLE)
def test_row61_a_fixed_checkpoint_loads_into_a_learned_module_and_back(name):
    # Off the start of lambda_gelu, whose learned values lie above 1.
    values = {key: value + 0.5 if key == "lam" else value for key, value in other_values(limen.registry.activations[name]).items()}
    fixed = limen.activation(name, **values)
    learned = limen.activation(name, learnable=True, dtype=torch.float64)
    with pytest.warns(UserWarning, match="a fixed parameter, is loaded as .*raw_.*, a learned one"):
        learned.load_state_dict(fixed.state_dict())
    torch.testing.assert_close(learned(POINTS), fixed(POINTS), rtol=1e-13, atol=1e-15)
    again = limen.activation(name)
    with pytest.warns(UserWarning, match="a learned parameter, is loaded as .*, a fixed one"):
        again.load_state_dict(learned.state_dict())
    torch.testing.assert_close(again(POINTS), fixed(POINTS), rtol=1e-13, atol=1e-15)


def test_row61_inside_a_model_and_named_by_its_path():
    fixed = torch.nn.Sequential(torch.nn.Linear(2, 2), limen.UELU(2.0))
    learned = torch.nn.Sequential(torch.nn.Linear(2, 2), limen.TUELU())
    with pytest.warns(UserWarning, match="1.beta of the checkpoint"):
        assert str(learned.load_state_dict(fixed.state_dict())) == "<All keys matched successfully>"
    assert abs(learned[1].beta.item() - 2) < 1e-6
    assert fixed.state_dict()["1.beta"].item() == 2  # the caller's dict is as it was


def test_row61_one_value_serves_every_channel():
    learned = limen.UELU(learnable=True, per="channel", channels=3)
    for state in (limen.UELU(2.0).state_dict(), limen.UELU(2.0, learnable=True).state_dict()):
        load(learned, state)
        torch.testing.assert_close(learned.beta.detach(), torch.full((3,), 2.0))


def test_row61_equal_channels_become_one_fixed_value_and_others_are_refused():
    learned = limen.UELU(2.0, learnable=True, per="channel", channels=3)
    fixed = limen.UELU()
    load(fixed, learned.state_dict())
    assert abs(fixed.beta.item() - 2) < 1e-6
    with torch.no_grad():
        learned.raw_beta[0] += 1
    with pytest.raises(RuntimeError, match=r"one value of beta.*got 3 in raw_beta.*channels=3"):
        load(fixed, learned.state_dict())


def test_row61_a_fixed_value_that_cannot_be_learned_is_refused():
    with pytest.raises(RuntimeError, match=r"raw_beta: uelu: expected beta > 0.001 .* got 5e-04"):
        load(limen.TUELU(), limen.UELU(5e-4).state_dict())


def test_row61_missing_and_extra_parameters_are_named():
    gelu = torch.nn.Sequential(torch.nn.Linear(2, 2), limen.GELU())
    tuelu = torch.nn.Sequential(torch.nn.Linear(2, 2), limen.TUELU())
    with pytest.raises(RuntimeError, match=r"Missing key.*1\.raw_beta"):
        tuelu.load_state_dict(gelu.state_dict())
    with pytest.raises(RuntimeError, match=r"Unexpected key.*1\.raw_beta"):
        gelu.load_state_dict(tuelu.state_dict())


def test_a_checkpoint_tells_how_many_channels_there_are():
    learned = limen.UELU(2.0, learnable=True, per="channel", channels=5)
    other = limen.UELU(learnable=True, per="channel")
    other.load_state_dict(learned.state_dict())
    assert other.channels == 5 and torch.equal(other.raw_beta, learned.raw_beta)
    with pytest.raises(RuntimeError, match="one value of beta a channel"):
        load(limen.UELU(learnable=True, per="channel"), limen.TUELU().state_dict())


def optimizer_of(model):
    return torch.optim.AdamW(limen.param_groups(model, weight_decay=0.1), lr=1e-2)


def trained(activation):
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), activation, torch.nn.Linear(3, 1))
    optimizer = optimizer_of(model)
    model(torch.randn(4, 3)).sum().backward()
    optimizer.step()
    return model, optimizer


def test_row61_an_optimizers_state_of_other_parameters_is_refused_by_name():
    fixed, learned = trained(limen.UELU()), trained(limen.TUELU())
    raises(ValueError, ["without 1.raw_beta", "by_name=True"],
           lambda: limen.load_optimizer_state(learned[1], fixed[1].state_dict()))
    raises(ValueError, ["with 1.raw_beta besides", "by_name=True"],
           lambda: limen.load_optimizer_state(fixed[1], learned[1].state_dict()))


def test_row61_an_optimizers_state_is_mapped_by_name_when_asked():
    (_, saved), (model, optimizer) = trained(limen.UELU()), trained(limen.TUELU())
    moments = optimizer.state[model[1].raw_beta]["exp_avg"].clone()
    optimizer = optimizer_of(model)
    limen.load_optimizer_state(optimizer, saved.state_dict(), by_name=True)
    old = {n: saved.state[p]["exp_avg"] for g in saved.param_groups for n, p in zip(g["param_names"], g["params"])}
    for name, parameter in model.named_parameters():
        if name == "1.raw_beta":
            assert parameter not in optimizer.state and moments != 0
        else:
            assert torch.equal(optimizer.state[parameter]["exp_avg"], old[name]), name
    model(torch.randn(4, 3)).sum().backward()
    optimizer.step()


def test_row61_a_matching_optimizers_state_is_loaded():
    (model, saved), (other, _) = trained(limen.TUELU()), trained(limen.TUELU())
    optimizer = optimizer_of(other)
    limen.load_optimizer_state(optimizer, saved.state_dict())
    assert torch.equal(optimizer.state[other[1].raw_beta]["exp_avg"], saved.state[model[1].raw_beta]["exp_avg"])


def test_row61_an_optimizers_state_without_names_says_so():
    model = torch.nn.Linear(2, 2)
    nameless = torch.optim.SGD(model.parameters(), lr=1)
    raises(ValueError, ["the state without names", "named_parameters()"],
           lambda: limen.load_optimizer_state(optimizer_of(model), nameless.state_dict()))

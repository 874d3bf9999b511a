# Part of limen. SPDX-License-Identifier: MIT
"""limen.swap and limen.from_torch (rows 57 and 149)."""

import copy
import functools
import warnings

import limen
import pytest
import torch
import torch.nn.functional as F
from cases import POINTS, raises

nn = torch.nn


class Block(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.up, self.act, self.down = nn.Linear(4, 8), act, nn.Linear(8, 4)

    def forward(self, x):
        return x + self.down(self.act(self.up(x)))


class Functional(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(4, 4)

    def forward(self, x):
        return F.gelu(self.up(x))


class Own(nn.GELU):
    def forward(self, x):
        return 2 * super().forward(x)


def model_of(make=nn.GELU, blocks=3):
    torch.manual_seed(1)
    return nn.Sequential(*(Block(make()) for _ in range(blocks)))


def widths(model):
    return [name for name, _ in model.named_parameters() if "raw_" in name]


def test_row149_all_sites_are_replaced_and_the_result_differs():
    model, x = model_of(), torch.randn(5, 4)
    before = model(x)
    report = limen.swap(model, nn.GELU, limen.UELU, beta=0.5)
    assert [site.path for site in report.replaced] == ["0.act", "1.act", "2.act"] and report.missed == []
    assert all(type(block.act) is limen.UELU for block in model)
    assert not any(isinstance(module, nn.GELU) for module in model.modules())
    after = model(x)
    assert not torch.equal(before, after)
    assert str(report).startswith("3 sites replaced, 0 missed\n  0.act: GELU(approximate='none') -> UELU(beta=0.5)")
    report.undo()
    assert torch.equal(model(x), before) and all(type(block.act) is nn.GELU for block in model)


def test_row149_a_dry_run_changes_nothing():
    model = model_of()
    report = limen.swap(model, nn.GELU, limen.TUELU, dry_run=True)
    assert len(report.replaced) == 3 and "3 sites would be replaced" in str(report)
    assert all(type(block.act) is nn.GELU for block in model)


def test_row149_nested_in_every_container():
    model = nn.ModuleDict({
        "list": nn.ModuleList([nn.GELU(), nn.Sequential(nn.Linear(1, 1), nn.GELU())]),
        "block": Block(nn.GELU()),
    })  # fmt: skip
    assert [s.path for s in limen.swap(model, nn.GELU).replaced] == ["list.0", "list.1.1", "block.act"]


def test_row149_what_cannot_be_replaced_is_reported():
    model = nn.Sequential(Functional(), Functional(), Own(), nn.GELU())
    model[0].spare = [nn.GELU(), {"a": 1}]
    model[0].table = {"gelu": F.gelu}
    report = limen.swap(model, nn.GELU, limen.UELU)
    assert [site.path for site in report.replaced] == ["3"]
    missed = {site.path: site.note for site in report.missed}
    assert set(missed) == {"0", "1", "0.spare[0]", "0.table['gelu']", "2"}
    assert "Functional.forward" in missed["0"] and "Functional.forward" in missed["1"]
    assert "plain list" in missed["0.spare[0]"] and "plain dict" in missed["0.table['gelu']"]
    assert "subclasses=True" in missed["2"]
    assert type(model[2]) is Own
    assert [s.path for s in limen.swap(model, nn.GELU, limen.UELU, subclasses=True).replaced] == ["2"]


def test_row149_the_model_itself_is_reported():
    report = limen.swap(nn.GELU(), nn.GELU, limen.UELU)
    assert report.replaced == [] and "the model itself" in report.missed[0].note


@pytest.mark.parametrize("activation", ["gelu", F.gelu, nn.GELU(), functools.partial(F.gelu, approximate="tanh")])
def test_row149_functions_held_as_attributes(activation):
    torch.manual_seed(1)
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0, activation=activation, batch_first=True).eval()
    x = torch.randn(3, 5, 4)
    with torch.no_grad():
        before = layer(x)
        kept = limen.swap(layer, nn.GELU)  # the same function
        assert [site.path for site in kept.replaced] == ["activation"]
        torch.testing.assert_close(layer(x), before, rtol=1e-5, atol=1e-6)
        kept.undo()
        report = limen.swap(layer, F.gelu, limen.UELU, beta=0.2)
        assert not torch.allclose(layer(x), before, atol=1e-3), "PyTorch's fast path still computes GELU"
        report.undo()
        assert torch.equal(layer(x), before)


def test_row149_the_fast_path_of_an_encoder_with_padding():
    torch.manual_seed(1)
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0, activation="gelu", batch_first=True)
    encoder = nn.TransformerEncoder(layer, 2).eval()
    x, padding = torch.randn(3, 5, 4), torch.arange(5).expand(3, 5) >= 4
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = encoder(x, src_key_padding_mask=padding)[:, :4]
        report = limen.swap(encoder, nn.GELU)
        assert len(report.replaced) == 2
        torch.testing.assert_close(encoder(x, src_key_padding_mask=padding)[:, :4], before, rtol=1e-4, atol=1e-5)
        report.undo()
        assert encoder.use_nested_tensor and torch.equal(encoder(x, src_key_padding_mask=padding)[:, :4], before)


def test_row57_as_many_parameters_as_sites_unless_sharing_is_asked_for():
    shared = nn.GELU()
    for make in (nn.GELU, lambda: shared):
        model = model_of(make, blocks=6)
        report = limen.swap(model, nn.GELU, limen.UELU, learnable=True)
        assert len(widths(model)) == len({id(block.act) for block in model}) == len(report.replaced) == 6


def test_row57_sharing_is_one_argument_and_is_shown():
    model = model_of(blocks=6)
    report = limen.swap(model, nn.GELU, limen.UELU, learnable=True, shared=True)
    assert widths(model) == ["0.act.raw_beta"] and len(report.replaced) == 6
    assert str(report).count("shared with 0.act") == 5


def test_row57_tuelu_is_shared_unless_told_otherwise():
    model = model_of(blocks=6)
    report = limen.swap(model, nn.GELU, limen.TUELU)
    assert len(widths(model)) == 1
    report.undo()
    limen.swap(model, nn.GELU, limen.TUELU, shared=False)
    assert len(widths(model)) == 6


def test_row57_old_modules_with_parameters_share_as_before():
    one, other = nn.PReLU(), nn.PReLU()
    model = nn.Sequential(Block(one), Block(one), Block(other))
    limen.swap(model, nn.PReLU)
    assert model[0].act is model[1].act is not model[2].act
    assert len(widths(model)) == 2


def test_a_block_at_two_places_is_one_site():
    block = Block(nn.GELU())
    model = nn.Sequential(block, block)
    report = limen.swap(model, nn.GELU, limen.UELU)
    assert len(report.replaced) == 1 and type(model[1].act) is limen.UELU


def test_mode_hooks_and_arguments():
    model = model_of(blocks=1).eval()
    model[0].act.register_forward_hook(lambda *_: None)
    report = limen.swap(model, nn.GELU, limen.UELU)
    assert not model[0].act.training and "its hooks stay" in report.replaced[0].note
    raises(RuntimeError, ["beta > 0", "got -1"], lambda: limen.swap(model, limen.UELU, limen.UELU, beta=-1))
    assert repr(model[0].act) == "UELU(beta=1.25)"
    raises(TypeError, ["limen.swap", "a class", "try UELU"], lambda: limen.swap(model, nn.GELU, limen.UELU()))
    raises(TypeError, ["limen.swap", "a class", "try GELU"], lambda: limen.swap(model, nn.GELU(), limen.UELU))


def test_channels_come_from_the_first_input():
    model = model_of(blocks=2)
    limen.swap(model, nn.GELU, limen.UELU, learnable=True, per="channel", axis=-1)
    model(torch.randn(3, 4))
    assert all(block.act.raw_beta.shape == (8,) for block in model)


def test_back_to_pytorch_and_by_a_function_of_the_old_module():
    model = model_of(blocks=2)
    limen.swap(model, nn.GELU, lambda old, factor: limen.UELU(factor * 2), factor=0.5)
    assert model[0].act.beta.item() == 1
    assert len(limen.swap(model, limen.UELU, nn.ReLU).replaced) == 2 and type(model[1].act) is nn.ReLU


@pytest.mark.parametrize("old, kind", [
    (nn.GELU(), limen.GELU), (nn.GELU(approximate="tanh"), limen.GELUTanh), (nn.SiLU(), limen.SiLU), (nn.Mish(), limen.Mish),
    (nn.Hardswish(), limen.HardSwish), (nn.ReLU(), limen.ReLU), (nn.ReLU(inplace=True), limen.ReLU),
    (nn.LeakyReLU(0.2), limen.LeakyReLU), (nn.ELU(0.7), limen.ELU), (nn.Softplus(2), limen.Softplus),
    (nn.Identity(), limen.Identity), (nn.PReLU(1, 0.3), limen.PReLU), (nn.PReLU(9, 0.3), limen.PReLU),
])  # fmt: skip
def test_from_torch_keeps_the_function(old, kind):
    old = copy.deepcopy(old).double()
    ours = limen.from_torch(old)
    assert type(ours) is kind
    x = torch.stack([POINTS] * 2)
    torch.testing.assert_close(ours(x), old(x.clone()), rtol=1e-12, atol=1e-14)


def test_from_torch_refuses_what_it_does_not_know():
    raises(ValueError, ["limen.from_torch", "nn.GELU", "got Tanh"], lambda: limen.from_torch(nn.Tanh()))
    raises(ValueError, ["limen.from_torch", "got Own"], lambda: limen.from_torch(Own()))


def test_swap_keeps_the_form_of_gelu_by_default():
    model = nn.Sequential(nn.GELU(), nn.GELU(approximate="tanh"))
    limen.swap(model, nn.GELU)
    assert [type(m) for m in model] == [limen.GELU, limen.GELUTanh]

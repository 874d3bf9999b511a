# Part of limen. SPDX-License-Identifier: MIT
"""Parameter groups by kind (row 59)."""

import limen
import pytest
import torch
from cases import raises

nn = torch.nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(5, 4)
        self.convolution = nn.Conv1d(4, 4, 1)
        self.batch_norm = nn.BatchNorm1d(4)
        self.attention = nn.MultiheadAttention(4, 2, add_bias_kv=True)
        self.layer_norm = nn.LayerNorm(4)
        self.rms_norm = nn.RMSNorm(4)
        self.decay = nn.Linear(4, 4)  # a name that says nothing
        self.layer_norm_weight = nn.Linear(4, 1, bias=False)  # and one that lies
        self.scalar = limen.TUELU()
        self.channels = limen.GELUMuSigma(learnable=True, per="channel", channels=4)
        self.prelu = nn.PReLU(4)
        self.gain = nn.Parameter(torch.ones(4))
        self.head = nn.Linear(4, 5, bias=False)
        self.head.weight = self.embedding.weight


def names(groups):
    return {group["kind"]: [name for name, _ in group["params"]] for group in groups}


def test_row59_kinds_are_those_of_the_modules():
    found = names(limen.param_groups(Model(), weight_decay=0.1))
    assert found["activations"] == ["scalar.raw_beta", "channels.raw_mu", "channels.raw_sigma", "prelu.weight"]
    assert found["embeddings"] == ["embedding.weight"]
    assert set(found["norms"]) == {f"{n}.{w}" for n in ("batch_norm", "layer_norm") for w in ("weight", "bias")} | {"rms_norm.weight"}
    assert found["matrices"] == [
        "convolution.weight", "attention.in_proj_weight", "attention.out_proj.weight", "decay.weight", "layer_norm_weight.weight",
    ]  # fmt: skip
    assert set(found["vectors"]) == {
        "gain", "convolution.bias", "attention.in_proj_bias", "attention.bias_k", "attention.bias_v", "attention.out_proj.bias",
        "decay.bias",
    }  # fmt: skip


def test_row59_each_tensor_once_and_all_of_them():
    model = Model()
    tensors = [tensor for group in limen.param_groups(model, weight_decay=0.1) for _, tensor in group["params"]]
    assert len(tensors) == len({id(t) for t in tensors}) == len(list(model.parameters()))


def test_row59_ten_steps_without_a_gradient_shrink_matrices_alone():
    model = Model()
    groups = limen.param_groups(model, weight_decay=0.1)
    kinds = {name: group["kind"] for group in groups for name, _ in group["params"]}
    optimizer = torch.optim.AdamW(groups, lr=1e-2)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    for _ in range(10):
        for p in model.parameters():
            p.grad = torch.zeros_like(p)
        optimizer.step()
    for name, p in model.named_parameters():
        if kinds[name] == "matrices":
            torch.testing.assert_close(p.detach(), before[name] * (1 - 1e-3) ** 10)
            assert not torch.equal(p, before[name])
        else:
            assert torch.equal(p, before[name]), name


def test_row59_the_learning_rate_of_activations():
    model = Model()
    optimizer = torch.optim.AdamW(limen.param_groups(model, weight_decay=0.1, lr=1e-3, lr_scale=10), lr=1e-3)
    rates = {group["kind"]: group["lr"] for group in optimizer.param_groups}
    assert rates.pop("activations") == 1e-2 and set(rates.values()) == {1e-3}
    raises(ValueError, ["lr_scale=10", "try lr="], lambda: limen.param_groups(model, weight_decay=0, lr_scale=10))


def test_row59_frozen_tensors_are_left_out():
    model = Model()
    model.scalar.requires_grad_(False)
    assert "scalar.raw_beta" not in names(limen.param_groups(model, weight_decay=0.1))["activations"]


def test_row59_the_groups_print_as_a_table():
    groups = limen.param_groups(Model(), weight_decay=0.1, lr=1e-3, lr_scale=10)
    text = str(groups)
    assert "activations: 4 tensors, 13 numbers, weight_decay 0, lr 0.01\n    scalar.raw_beta []" in text
    assert "matrices: 5 tensors, " in text and "weight_decay 0.1" in text
    torch.optim.AdamW(groups, lr=1e-3)
    assert str(groups).replace(", lr 0.001", "") == text


def test_row59_every_optimizer_of_pytorch_takes_them():
    model = Model()
    for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop):
        assert len(kind(limen.param_groups(model, weight_decay=0.1), lr=1e-3).param_groups) == 5


def test_channels_that_are_not_known_yet():
    model = nn.Sequential(nn.Linear(2, 2), limen.UELU(learnable=True, per="channel"))
    raises(ValueError, ["1.raw_beta", "not known yet", "first input"], lambda: limen.param_groups(model, weight_decay=0.1))
    model(torch.randn(3, 2))
    assert names(limen.param_groups(model, weight_decay=0.1))["activations"] == ["1.raw_beta"]

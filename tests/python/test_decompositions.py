# Part of limen. SPDX-License-Identifier: MIT
"""Activations in PyTorch's own operators, for exporters (row 69)."""

import limen
import pytest
import torch
from cases import LEARNABLE, NAMES, POINTS, other_values

operator = torch.ops.limen.activation.default


@pytest.mark.parametrize("name", NAMES)
def test_row69_the_decomposition_computes_the_operators_function(name):
    values = list(other_values(limen.registry.activations[name]).values())
    tensors = [torch.tensor(value) for value in values]
    each = [torch.linspace(0.9, 1.1, len(POINTS)) * value for value in values]
    whole = any(p.integer for p in limen.registry.activations[name].parameters)
    for call in ([], []), (values, []), ([], tensors), *([] if whole else [([], each)]):
        torch.testing.assert_close(
            limen.decompositions.plain(POINTS, name, *call, -1), operator(POINTS, name, *call, -1), rtol=2e-7, atol=1e-7
        )
    torch.testing.assert_close(
        limen.decompositions.plain(POINTS, name, values, [], 0), operator(POINTS, name, values, [], 0), rtol=1e-12, atol=1e-14
    )


def exported(name):
    model = torch.nn.Sequential(torch.nn.Linear(1, 3), limen.activation(name, learnable=name in LEARNABLE))
    program = torch.export.export(model.eval(), (torch.randn(1000, 1),))
    return model, program.run_decompositions(limen.decompositions.table())


@pytest.mark.parametrize("name", NAMES)
def test_row69_an_exported_program_without_limens_operator(name):
    model, program = exported(name)
    assert [node for node in program.graph.nodes if "limen" in str(node.target)] == []
    x = torch.linspace(-8, 8, 1000)[:, None]
    torch.testing.assert_close(program.module()(x), model(x), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name, node", [
    *((name, None) for name in NAMES), ("gelu", "Gelu"), ("gelu_tanh", "Gelu"), ("relu", "Relu"), ("mish", "Mish"),
    ("hard_swish", "HardSwish"), ("softplus", "Softplus"),
])  # fmt: skip
def test_row69_onnx(name, node, tmp_path):
    for package in ("onnx", "onnxscript", "onnxruntime"):
        pytest.importorskip(package)
    import onnxruntime

    torch.manual_seed(1)
    model, program = exported(name)
    made = torch.onnx.export(program, opset_version=20)
    if node:
        assert node in [n.op_type for n in made.model.graph], [n.op_type for n in made.model.graph]
    made.save(tmp_path / "model.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    x = torch.linspace(-8, 8, 1000)[:, None]
    (out,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    torch.testing.assert_close(torch.from_numpy(out), model(x).detach(), rtol=1e-5, atol=2e-6)

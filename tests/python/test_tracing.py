# Part of limen. SPDX-License-Identifier: MIT
"""torch.compile, torch.export and fake tensors see what eager code does."""

import io

import limen
import pytest
import torch
from cases import NAMES

operator = torch.ops.limen.activation.default


class Model(torch.nn.Module):
    def __init__(self, act):
        super().__init__()
        self.up, self.act = torch.nn.Linear(3, 3), act

    def forward(self, x):
        return self.act(self.up(x))


FORMS = {
    "fixed": lambda: limen.UELU(0.5),
    "learned": limen.TUELU,
    "channels": lambda: limen.UELU(learnable=True, per="channel", channels=3, axis=-1),
    "both": lambda: limen.GELUMuSigma(learnable="sigma"),
    "none": limen.GELU,
}


@pytest.mark.parametrize("form", FORMS)
def test_compiled_is_eager(form):
    torch._dynamo.reset()
    model = Model(FORMS[form]())
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    for rows in (4, 5):
        results = []
        for run in (model, compiled):
            model.zero_grad()
            torch.manual_seed(rows)
            out = run(torch.randn(rows, 3))
            out.square().sum().backward()
            results.append([out, *(p.grad.clone() for p in model.parameters())])
        for eager, traced in zip(*results):
            assert torch.equal(eager, traced)


def test_a_function_compiles():
    compiled = torch.compile(lambda x, b: limen.functional.uelu(x, beta=b), fullgraph=True, backend="aot_eager")
    x, beta = torch.randn(5), torch.tensor(2.0)
    assert torch.equal(compiled(x, beta), limen.functional.uelu(x, 2.0))
    assert torch.equal(compiled(x, 0.5), limen.functional.uelu(x, 0.5))


def test_a_schedule_needs_no_new_graph():
    torch._dynamo.reset()
    act = limen.UELU(0.5)
    graphs = torch._dynamo.testing.CompileCounter()
    compiled, x = torch.compile(act, fullgraph=True, backend=graphs), torch.randn(5)
    for beta in (0.5, 1.0, 2.0):
        act.set(beta=beta)
        assert torch.equal(compiled(x), limen.functional.uelu(x, beta))
    assert graphs.frame_count == 1


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_an_exported_program_holds_one_node_and_survives_a_file(form, strict):
    model = Model(FORMS[form]())
    rows = {"x": {0: torch.export.Dim("rows", min=2)}}
    program = torch.export.export(model, (torch.randn(5, 3),), dynamic_shapes=rows, strict=strict)
    assert [node.target for node in program.graph.nodes].count(operator) == 1
    assert set(program.state_dict) == set(model.state_dict())
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    x = torch.randn(9, 3)
    assert torch.equal(torch.export.load(file).module()(x), model(x))


def layouts():
    return {
        "contiguous": torch.randn(2, 3, 4, 5),
        "transposed": torch.randn(5, 3, 4, 2).transpose(0, 3),
        "channels last": torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last),
        "sliced": torch.randn(4, 6, 8, 5)[::2, ::2, 1:8:2],
        "expanded": torch.randn(1, 3, 1, 1).expand(2, 3, 4, 5),
        "empty": torch.randn(0, 3, 4, 5),
    }


@pytest.mark.parametrize("layout", list(layouts()))
@pytest.mark.parametrize("per", ["layer", "channel"])
def test_row63_fake_and_real_results_have_the_same_metadata(layout, per):
    x = layouts()[layout]
    module = limen.UELU(learnable=True, per=per, channels=3 if per == "channel" else None)
    real = module(x)
    with torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True) as mode:
        fake = module(mode.from_tensor(x))
    on_meta = torch.func.functional_call(
        module, {k: v.to("meta") for k, v in module.state_dict().items()}, (x.to("meta"),)
    )
    for other in (fake, on_meta):
        assert (other.shape, other.stride(), other.dtype) == (real.shape, real.stride(), real.dtype)
    assert fake.device == real.device


@pytest.mark.parametrize("name", NAMES)
def test_row63_opcheck(name):
    z = torch.randn(2, 3, requires_grad=True)
    tensors = [torch.tensor(p.default) for p in limen.registry.activations[name].parameters]
    torch.library.opcheck(operator, (z, name, [], tensors, 1))

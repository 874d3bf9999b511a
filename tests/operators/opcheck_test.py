# Part of limen. SPDX-License-Identifier: MIT
"""The operator from Python: torch's own checks of its registration, torch.compile and torch.export.

Usage: opcheck_test.py PATH_OF_THE_OPERATOR_LIBRARY
Exits with 77 (skipped) where this Python has no PyTorch.
"""

import sys

try:
    import torch
except ImportError as error:
    print(f"skipped: {sys.executable} has no PyTorch ({error})")
    sys.exit(77)

torch.ops.load_library(sys.argv[1])
operator = torch.ops.limen.activation.default
backward = torch.ops.limen.activation_backward.default


def layouts():
    """Inputs of every kind of layout; those with channels have 3 along axis 1."""
    yield "contiguous", torch.randn(2, 3, 4)
    yield "transposed", torch.randn(4, 3, 2).transpose(0, 2)
    yield "channels last", torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    yield "sliced", torch.randn(4, 6, 8)[::2, ::2, 1:6:2]
    yield "expanded", torch.randn(1, 3, 1).expand(2, 3, 4)
    yield "size one", torch.randn(3, 1, 3).permute(2, 0, 1)
    yield "empty", torch.randn(0, 3)
    yield "one number", torch.randn(())


def check_registration():
    """Schema, autograd registration, fake tensors, and tracing with dynamic shapes, forward and backward."""
    for layout, plain in layouts():
        channels = 3 if plain.dim() > 1 else 1
        beta = torch.linspace(1, 2, channels).requires_grad_()
        for numbers, tensors in (([1.25], []), ([], [beta]), ([], [torch.tensor(1.5)])):
            z = plain.detach().requires_grad_()
            torch.library.opcheck(operator, (z, "uelu", numbers, tensors, 1))
        arguments = (torch.randn(plain.shape), plain, "uelu", [], [beta.detach()], 1)
        for needs in ([True, True], [False, True], [True, False]):
            torch.library.opcheck(backward, (*arguments, needs))
        print("opcheck:", layout)
    torch.library.opcheck(operator, (torch.randn(5).requires_grad_(), "aqulu", [0.4], [None, torch.tensor(0.3)], 0))


def check_other_operators():
    """The same for laws given as data and for drawn thresholds."""
    levels, quantiles = torch.tensor([0.0, 0.5, 1.0]).double(), torch.tensor([-1.0, 0.0, 2.0]).double()
    for layout, plain in layouts():
        z = plain.detach().requires_grad_()
        torch.library.opcheck(torch.ops.limen.empirical.default, (z, levels, quantiles))
        grad = torch.randn(plain.shape)
        torch.library.opcheck(torch.ops.limen.empirical_backward.default, (grad, plain, levels, quantiles))
        mean = torch.relu(plain).detach().requires_grad_()
        torch.library.opcheck(torch.ops.limen.sampled.default, (plain, mean, 1, 2, 3))
        print("opcheck of the others:", layout)


def check_numbers():
    """One value that needs no other code: uelu with beta = 1 at 0.5 is 0.375, its slope 1."""
    z = torch.tensor([0.5, -2.0, 2.0], dtype=torch.float64, requires_grad=True)
    out = operator(z, "uelu", [1.0], [], 0)
    assert out.tolist() == [0.375, 0.0, 2.0], out
    out.sum().backward()
    assert z.grad.tolist() == [1.0, 0.0, 1.0], z.grad


class Learned(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(3, 3)
        self.beta = torch.nn.Parameter(torch.tensor([0.5, 1.0, 2.0]))

    def forward(self, x):
        return operator(self.up(x), "uelu", [], [self.beta], -1)


def check_compile():
    """The whole graph is traced, and the traced graph gives the eager result and gradients bit for bit."""
    model = Learned()
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    for rows in (5, 6, 7):
        x = torch.randn(rows, 3)
        results = []
        for run in (model, compiled):
            model.zero_grad()
            out = run(x)
            out.square().sum().backward()
            results.append([out, *(p.grad.clone() for p in model.parameters())])
        for eager, traced in zip(*results):
            assert torch.equal(eager, traced), (eager, traced)
    assert torch._dynamo.utils.counters["graph_break"] == {}


def check_export():
    """An exported program holds one node for the activation and runs it, also with another batch size."""
    model = Learned()
    program = torch.export.export(
        model, (torch.randn(5, 3),), dynamic_shapes={"x": {0: torch.export.Dim("rows", min=2)}}
    )
    targets = [node.target for node in program.graph.nodes]
    assert targets.count(operator) == 1, targets
    x = torch.randn(9, 3)
    assert torch.equal(program.module()(x), model(x))


def check_errors():
    """Mistakes come as RuntimeError with the library's sentence alone."""
    for arguments, parts in (
        ((torch.ones(2), "gellu", [], [], 0), ("limen::activation", '"gellu"', '"gelu"')),
        ((torch.ones(2).long(), "gelu", [], [], 0), ("float32, float64", "int64")),
        ((torch.ones(2, device="meta").int(), "gelu", [], [], 0), ("float32, float64", "int32")),
    ):
        try:
            operator(*arguments)
        except RuntimeError as error:
            assert all(part in str(error) for part in parts), error
            assert "\n" not in str(error), error
        else:
            raise AssertionError(f"no error: {parts}")


def check_refusals():
    """What is not available is an error, not a wrong gradient."""
    z = torch.randn(4, requires_grad=True)

    def thrice():
        first = operator(z, "gelu", [], [], 0).sum()
        for _ in range(3):
            (first,) = torch.autograd.grad(first.sum(), z, create_graph=True)

    def in_place_in_vmap():
        torch.func.vmap(lambda x: torch.ops.limen.activation_(x, "gelu", [], [], 0))(torch.randn(2, 3))

    for refused in (thrice, in_place_in_vmap):
        try:
            refused()
        except RuntimeError as error:
            assert "limen::activation" in str(error), error
            print(f"refused, {refused.__name__}: {error}")
        else:
            raise AssertionError(f"no error: {refused.__name__}")


torch.manual_seed(1)
for check in (check_numbers, check_errors, check_refusals, check_registration, check_other_operators, check_compile, check_export):
    check()
    print("passed:", check.__name__)

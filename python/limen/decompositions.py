# Part of limen. SPDX-License-Identifier: MIT
"""Activations in PyTorch's own operators, for exporters that do not know limen's: program.run_decompositions(limen.decompositions.table()).

Most are computed from the registry's formula as it is printed: as exact as the formula is in the input's type, without the
operator's tails, and for finite inputs. A few have an operator of PyTorch that is one node in ONNX.
"""

import math
import re
from typing import Any, Callable, Sequence

from limen import registry
from limen._library import torch

F = torch.nn.functional
Values = dict[str, Any]

_NATIVE: dict[str, Callable[..., torch.Tensor]] = {
    "relu": torch.relu,
    "gelu": F.gelu,
    "gelu_tanh": lambda z: F.gelu(z, approximate="tanh"),
    "silu": lambda z, slope: z * torch.sigmoid(slope * z),
    "softplus": lambda z, slope: F.softplus(slope * z) / slope,
    "mish": F.mish,
    "hard_swish": F.hardswish,
}


def _function(plain: Callable[[Any], Any], of_number: Callable[[float], float]) -> Callable[[Any], Any]:
    """Formulas also apply functions to numbers: sqrt(2 / pi)."""
    return lambda x: plain(x) if isinstance(x, torch.Tensor) else of_number(x)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": torch.exp,
    "log": torch.log,
    "tanh": torch.tanh,
    "arctan": torch.arctan,
    "sqrt": _function(torch.sqrt, math.sqrt),
    "clip": torch.clip,
    "max": lambda a, b: torch.clamp(b, min=a) if isinstance(b, torch.Tensor) else torch.clamp(a, min=b),
    "Phi": lambda u: (1 + torch.erf(u * math.sqrt(0.5))) / 2,
    "phi": _function(lambda u: torch.exp(u * u / -2) / math.sqrt(2 * math.pi), lambda u: math.exp(u * u / -2) / math.sqrt(2 * math.pi)),
}


class _Formula:
    """Computes a formula by recursive descent; factors side by side are multiplied."""

    def __init__(self, text: str, values: Values) -> None:
        self.tokens, self.values = re.findall(r"[0-9]+(?:\.[0-9]+)?|\w+|\S", text), values

    def next_is(self, *tokens: str) -> bool:
        return bool(self.tokens) and self.tokens[0] in tokens

    def take(self) -> str:
        return self.tokens.pop(0)

    def sum(self, inside_bars: bool = False) -> Any:
        total = self.product(inside_bars)
        while self.next_is("+", "-"):
            total = total + self.product(inside_bars) if self.take() == "+" else total - self.product(inside_bars)
        return total

    def product(self, inside_bars: bool) -> Any:
        result = self.power()
        ends = {"+", "-", ")", ",", *("|" if inside_bars else "")}
        while self.tokens and not self.next_is(*ends):
            if self.next_is("/"):
                self.take()
                result = result / self.power()
            else:
                result = result * self.power()
        return result

    def power(self) -> Any:
        if self.next_is("-"):
            self.take()
            return -self.power()
        base = self.atom()
        if self.next_is("^"):
            self.take()
            return base ** self.atom()
        return base

    def atom(self) -> Any:
        token = self.take()
        if token == "(":
            return self.closed(self.sum())
        if token == "|":
            return self.closed(torch.abs(self.sum(inside_bars=True)))
        if token in _FUNCTIONS and self.next_is("("):
            self.take()
            arguments = [self.sum()]
            while self.next_is(","):
                self.take()
                arguments.append(self.sum())
            return self.closed(_FUNCTIONS[token](*arguments))
        if token in self.values:
            value = self.values[token]
            return value() if callable(value) else value
        return float(token)

    def closed(self, value: Any) -> Any:
        self.take()
        return value


def _compute(formula: str, values: Values) -> torch.Tensor:
    """ "A for z > 0, else B; name = C, ..." """
    formula, _, where = formula.partition("; ")
    values = {"pi": math.pi} | values
    for definition in re.split(r", (?=\w+ = )", where) if where else []:
        name, _, text = definition.partition(" = ")
        values[name] = lambda text=text: _Formula(text, values).sum()
    above, _, below = formula.partition(" for z > 0, else ")
    result = _Formula(above, values).sum()
    if not below:
        return result
    other = _Formula(below, values).sum()
    return torch.where(values["z"] > 0, result, other)


def plain(input: torch.Tensor, name: str, numbers: Sequence[float], tensors: Sequence[torch.Tensor | None], axis: int) -> torch.Tensor:
    """torch.ops.limen.activation, in PyTorch's own operators."""
    info = registry.activations[name]
    values: Values = {}
    for k, parameter in enumerate(info.parameters):
        value: Any = tensors[k] if k < len(tensors) else None
        if value is None:
            value = numbers[k] if k < len(numbers) else parameter.default
        elif value.dim() == 1 and value.numel() > 1:
            shape = [1] * input.dim()
            shape[axis] = -1
            value = value.to(input.dtype).reshape(shape)
        else:
            value = value.to(input.dtype).reshape(())
        values[parameter.name] = value
    if name in _NATIVE:
        return _NATIVE[name](input, *values.values())
    return _compute(info.formula, {"z": input, **values})


def table() -> dict[Any, Callable[..., torch.Tensor]]:
    """What ExportedProgram.run_decompositions takes."""
    return {torch.ops.limen.activation.default: plain}

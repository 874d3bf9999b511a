# Part of limen. SPDX-License-Identifier: MIT
"""What limen knows of each activation. It comes from the operators' own registry; nothing here is written down twice."""

import dataclasses
import difflib
import json
import keyword
import re
from typing import Any, Mapping, Sequence

from limen._library import torch


@dataclasses.dataclass(frozen=True)
class Parameter:
    name: str  # as the registry, checkpoints and `limen list` write it
    default: float
    domain: str  # in words: "beta > 0", or "" for any finite number
    integer: bool
    meaning: str
    learned: str  # how a raw number becomes the parameter: see from_raw; or "" where it cannot be learned
    lower_learned: float
    temperature: float
    learned_domain: str
    learned_from: float  # where a learned one starts unless told otherwise

    @property
    def argument(self) -> str:
        """The name as an argument: lambda is lam."""
        return "lam" if self.name == "lambda" else self.name + "_" * keyword.iskeyword(self.name)

    @property
    def learnable(self) -> bool:
        return self.learned != ""

    def from_raw(self, raw: torch.Tensor) -> torch.Tensor:
        """The learned parameter that `raw` stands for. In PyTorch's operators, as limen::Activation has it, so that exported
        programs hold no further operator of ours."""
        if self.learned == "softplus":
            scaled = raw if self.temperature == 1 else raw / self.temperature
            return torch.nn.functional.softplus(scaled, threshold=40) + self.lower_learned
        return torch.sigmoid(raw) if self.learned == "sigmoid" else raw


@dataclasses.dataclass(frozen=True)
class Info:
    name: str
    title: str
    formula: str
    slope: str
    law: str
    gate: str
    limit: str
    reference: str
    parameters: tuple[Parameter, ...]

    @property
    def class_name(self) -> str:
        """The title's words together, each with a capital: "GELU (tanh)" is GELUTanh, "t2 transmission" T2Transmission."""
        return "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", self.title))

    def parameter(self, name: str) -> Parameter:
        for parameter in self.parameters:
            if name in (parameter.name, parameter.argument):
                return parameter
        raise _unknown(self, self.name, name)


@dataclasses.dataclass(frozen=True)
class Alias:
    name: str
    activation: str
    learned: str  # the parameter that it learns, or ""
    shared: bool  # whether a model has one for all sites unless told otherwise

    @property
    def class_name(self) -> str:
        return self.name.upper()


def _read() -> dict[str, Any]:
    found = json.loads(torch.ops.limen.registry())
    for about in found["activations"]:
        for parameter in about["parameters"]:
            for number in ("default", "learned_from", "lower_learned", "temperature"):
                parameter[number] = float(parameter[number])
        about["parameters"] = tuple(Parameter(**parameter) for parameter in about["parameters"])
    return found


_found = _read()
version: str = _found["version"]
activations: dict[str, Info] = {about["name"]: Info(**about) for about in _found["activations"]}
aliases: dict[str, Alias] = {about["name"]: Alias(**about) for about in _found["aliases"]}


def bind(where: str, info: Info, values: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
    """The values of a call in the registry's order, None where there is none."""
    count = len(info.parameters)
    if len(values) > count:
        most = f"at most {count} parameter{'s' * (count != 1)}" if count else "no parameter"
        raise TypeError(f"{where}: expected {most}, got {len(values)}")
    bound = [*values, *[None] * (count - len(values))]
    places = {parameter.argument: k for k, parameter in enumerate(info.parameters)}
    for name, value in named.items():
        if name not in places:
            raise _unknown(info, where, name)
        if places[name] < len(values):
            raise TypeError(f"{where}: expected one {name}, got two")
        bound[places[name]] = value
    return bound


def number(where: str, name: str, value: Any, kinds: str = "a number") -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{where}: expected {kinds} for {name}, got {value!r}") from None


def _unknown(info: Info, where: str, name: str) -> TypeError:
    known = [parameter.argument for parameter in info.parameters]
    if not known:
        return TypeError(f'{where}: expected no parameter, got "{name}"')
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
    return TypeError(f'{where}: expected a parameter ({", ".join(known)}), got "{name}"; try "{nearest}"')


def describe(info: Info) -> str:
    """The paragraph about formula, threshold and reference that documentation strings share."""
    lines = [f"    {info.formula}", "", f"Slope: {info.slope}. At -inf: {info.limit}."]
    if info.law:
        lines.append(f"Threshold: {info.law}; gate F(z) = {info.gate}.")
    for parameter in info.parameters:
        domain = parameter.domain or f"any {parameter.argument}"
        lines.append(f"{parameter.argument}: {parameter.meaning}; {domain}, default {parameter.default:g}.")
    return "\n".join([*lines, f"Reference: {info.reference}."])

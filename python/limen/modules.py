# Part of limen. SPDX-License-Identifier: MIT
"""Every activation as a module, with fixed or learned parameters: limen.UELU(beta=1.25, learnable=True).

A learned parameter p is stored without bounds as the torch parameter raw_p, a fixed one as the float64 buffer p: the names and
numbers of limen::Activation in C++, whose checkpoints load here and the other way round.
"""

import inspect
from typing import Any, ClassVar, Iterable

from limen import _checkpoint, registry
from limen._library import torch


_OPTIONS = """Parameters are given in this order or by name. Where one can be learned:

learnable: True for all that can be learned, or the name or names of those that are
per: "layer" for one learned value, "channel" for one for each channel along `axis`
channels: how many; without it, the first input tells
axis: of the channels, negative from the end
device, dtype: of the learned numbers"""


class Activation(torch.nn.Module):
    """What all modules of limen have in common."""

    info: ClassVar[registry.Info]
    learned_unless_told: ClassVar[bool] = False
    shared_unless_told: ClassVar[bool] = False  # by limen.swap, across a model

    def __init__(self, *values: Any, learnable: bool | str | Iterable[str] | None = None, per: str = "layer",
                 channels: int | None = None, axis: int = 1, device: Any = None, dtype: torch.dtype | None = None,
                 **named: Any) -> None:
        super().__init__()
        where = f"limen.{type(self).__name__}"
        self.learned = self._learned(where, self.learned_unless_told if learnable is None else learnable)
        self.per, self.channels, self.axis = per, channels, axis
        self._check_channels(where)
        given = {
            parameter.name: registry.number(where, parameter.argument, value)
            for parameter, value in zip(self.info.parameters, registry.bind(where, self.info, values, named))
            if value is not None
        }
        stored = torch.ops.limen.stored_numbers(self.info.name, list(given), list(given.values()), list(self.learned))
        self._start = dict(zip((parameter.name for parameter in self.info.parameters), stored))
        for name in self._start:
            self._store(name, device, dtype)
        self.reset_parameters()

    def _learned(self, where: str, learnable: bool | str | Iterable[str]) -> tuple[str, ...]:
        if isinstance(learnable, str):
            learnable = [learnable]
        if not isinstance(learnable, bool):
            return tuple(self.info.parameter(name).name for name in learnable)
        names = tuple(parameter.name for parameter in self.info.parameters if parameter.learnable)
        if learnable and not names:
            raise ValueError(f"{where}: expected a parameter that can be learned, got none; try learnable=False")
        return names if learnable else ()

    def _check_channels(self, where: str) -> None:
        if self.per not in ("layer", "channel"):
            raise ValueError(f'{where}: expected per="layer" or per="channel", got {self.per!r}')
        if self.per == "channel" and not self.learned:
            raise ValueError(f'{where}: expected a learned parameter for per="channel", got none; try learnable=True')
        if self.per == "layer" and self.channels is not None:
            raise ValueError(f'{where}: expected no channels for per="layer", got {self.channels}; try per="channel"')
        if self.channels is not None and self.channels < 1:
            raise ValueError(f"{where}: expected channels >= 1, got {self.channels}")

    def _store(self, name: str, device: Any, dtype: torch.dtype | None) -> None:
        if name not in self.learned:
            # Not by register_buffer, which refuses the name of a property. In float64, so that a float64 input meets the very
            # number that was asked for.
            self._buffers[name] = torch.empty((), dtype=torch.float64, device=device)
        elif self.per == "channel" and self.channels is None:
            raw = torch.nn.parameter.UninitializedParameter(device=device, dtype=dtype or torch.get_default_dtype())
            self.register_parameter(f"raw_{name}", raw)
        else:
            shape = () if self.per == "layer" else (self.channels,)
            self.register_parameter(f"raw_{name}", torch.nn.Parameter(torch.empty(shape, dtype=dtype, device=device)))

    @property
    def is_initialized(self) -> bool:
        """Whether the number of channels is known."""
        return self.per == "layer" or self.channels is not None

    def initialize(self, channels: int) -> None:
        """Makes the learned numbers of a module that was made without `channels`."""
        self.channels = channels
        for name in self.learned:
            self._parameters[f"raw_{name}"].materialize((channels,))
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Back to the numbers that the module was made with."""
        for name, start in self._start.items():
            if name not in self.learned:
                self._buffers[name].fill_(start)
            elif self.is_initialized:
                self._parameters[f"raw_{name}"].fill_(start)

    def value(self, parameter: str) -> torch.Tensor:
        """The parameter's present value, [] or [channels]; differentiable when learned."""
        about = self.info.parameter(parameter)
        name = about.name
        if name not in self.learned:
            return self._buffers[name]
        if not self.is_initialized:
            raise RuntimeError(
                f"limen.{type(self).__name__}: expected a known number of channels, got none yet; try channels=... or pass "
                "a first input through the module"
            )
        raw = self._parameters[f"raw_{name}"]
        if raw.dtype in (torch.float16, torch.bfloat16):
            raw = raw.float()
        return about.from_raw(raw)

    @torch.no_grad()
    def set(self, **values: float) -> None:
        """Sets fixed parameters, as schedules do: module.set(gamma=0.3)."""
        for argument, value in values.items():
            name = self.info.parameter(argument).name
            if name in self.learned:
                raise ValueError(f"limen.{type(self).__name__}: expected a fixed parameter, got {argument}, which is learned")
            torch.ops.limen.stored_numbers(self.info.name, [name], [float(value)], [])  # checks the domain
            self._buffers[name].fill_(value)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        if not self.is_initialized:
            self.initialize(input.size(self.axis))
        # Fixed parameters too as tensors: a schedule then needs no new graph.
        tensors = [self.value(parameter.name) for parameter in self.info.parameters]
        return torch.ops.limen.activation(input, self.info.name, [], tensors, self.axis)

    def _apply(self, fn: Any, recurse: bool = True) -> "Activation":
        # Fixed parameters move with the module and stay float64: half() would round what was asked for.
        before = dict(self._buffers)
        super()._apply(fn, recurse)
        for name, buffer in before.items():
            moved = self._buffers[name]
            if moved.dtype != buffer.dtype:
                self._buffers[name] = moved.double() if buffer.is_meta else buffer.to(moved.device)
        return self

    def _load_from_state_dict(self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, missing_keys: list,
                              unexpected_keys: list, error_msgs: list) -> None:
        fitted = _checkpoint.fitted(self, state_dict, prefix, error_msgs)
        super()._load_from_state_dict(fitted, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name in self.learned:
            self.value(name)  # says so where the number of channels is not known yet
        super()._save_to_state_dict(destination, prefix, keep_vars)

    def _shown(self, name: str) -> str:
        if not self.is_initialized:
            stored = torch.tensor(self._start[name], dtype=torch.float64)
            value = self.info.parameter(name).from_raw(stored) if name in self.learned else stored
        else:
            value = self.value(name).detach()
        if value.is_meta:
            return "?"
        low, high = value.min().item(), value.max().item()
        return f"{low:.6g}" if low == high else f"{low:.6g}..{high:.6g}"

    def extra_repr(self) -> str:
        parts = [f"{parameter.argument}={self._shown(parameter.name)}" for parameter in self.info.parameters]
        if self.learned:
            arguments = [self.info.parameter(name).argument for name in self.learned]
            parts.append("learnable" if len(parts) == 1 else f"learnable: {', '.join(arguments)}")
        if self.per == "channel":
            parts.append(f"per channel [{self.channels or 'not known yet'}] along axis {self.axis}")
        return ", ".join(parts)


def _signature(info: registry.Info, learned: bool) -> inspect.Signature:
    """What a class of this activation is for; the options are those of a learned parameter."""
    kind = inspect.Parameter
    values = [
        # None: the default, or where learned the start, which differs.
        kind(p.argument, kind.POSITIONAL_OR_KEYWORD, default=p.default if p.default == p.learned_from else None)
        for p in info.parameters
    ]
    options = {"learnable": learned, "per": "layer", "channels": None, "axis": 1, "device": None, "dtype": None}
    if not any(parameter.learnable for parameter in info.parameters):
        options = {}
    return inspect.Signature([*values, *(kind(name, kind.KEYWORD_ONLY, default=d) for name, d in options.items())])


def _value(name: str) -> property:
    return property(lambda self: self.value(name), doc=f"The present value of {name}.")


def _make(class_name: str, info: registry.Info) -> type[Activation]:
    members: dict[str, Any] = {parameter.argument: _value(parameter.name) for parameter in info.parameters}
    members |= {"info": info, "__module__": __name__, "__signature__": _signature(info, False)}
    options = f"\n\n{_OPTIONS}" if any(parameter.learnable for parameter in info.parameters) else ""
    members["__doc__"] = f"{info.title}:\n\n{registry.describe(info)}{options}"
    return type(class_name, (Activation,), members)


def _make_alias(alias: registry.Alias, base: type[Activation]) -> type[Activation]:
    learned = bool(alias.learned)
    return type(alias.class_name, (base,), {
        "__module__": __name__,
        "__doc__": f"{alias.activation}{f' with a learned {alias.learned}' if learned else ''}. {base.__doc__}",
        "__signature__": _signature(base.info, learned),
        "learned_unless_told": learned,
        "shared_unless_told": alias.shared,
    })  # fmt: skip


classes: dict[str, type[Activation]] = {name: _make(about.class_name, about) for name, about in registry.activations.items()}
classes |= {alias.name: _make_alias(alias, classes[alias.activation]) for alias in registry.aliases.values()}
for _class in classes.values():
    globals()[_class.__name__] = _class


def activation(name: str, *values: Any, **options: Any) -> Activation:
    """The module of that name in the registry: activation("uelu", beta=1.25) is UELU(beta=1.25)."""
    if name not in classes:
        torch.ops.limen.stored_numbers(name, [], [], [])  # raises with the nearest known name
        raise ValueError(f"limen.activation: expected an activation of one input without data, got {name}")
    return classes[name](*values, **options)


__all__ = ["Activation", "activation", *(_class.__name__ for _class in classes.values())]

# Part of limen. SPDX-License-Identifier: MIT
"""State dicts across the forms of a module: fixed or learned, one value or one a channel."""

import warnings
from typing import Any, Mapping

from limen._library import torch


def fitted(module: Any, state: Mapping[str, Any], prefix: str, errors: list[str]) -> dict[str, Any]:
    """The state with the module's own keys and shapes, where the same parameter came in another form."""
    state = dict(state)
    for parameter in module.info.parameters:
        learned = parameter.name in module.learned
        keys = [prefix + parameter.name, prefix + "raw_" + parameter.name]
        own, other = keys[::-1] if learned else keys
        try:
            if own not in state and other in state:
                found = state.pop(other)
                state[own] = _raw(module, parameter.name, found) if learned else _value(module, parameter.name, found, other)
                _tell(module, other, own, learned)
            if learned and own in state:
                state[own] = _spread(module, parameter.name, state[own])
        except (RuntimeError, ValueError) as error:
            errors.append(f"{own}: {error}")
    return state


def _tell(module: Any, other: str, own: str, learned: bool) -> None:
    forms = ("a fixed", "a learned") if learned else ("a learned", "a fixed")
    warnings.warn(
        f"limen.{type(module).__name__}: {other} of the checkpoint, {forms[0]} parameter, is loaded as {own}, {forms[1]} one",
        stacklevel=2,
    )


def _raw(module: Any, name: str, value: torch.Tensor) -> torch.Tensor:
    """The learned numbers whose parameters are the fixed ones given."""
    place = [parameter.name for parameter in module.info.parameters].index(name)
    raw = [
        torch.ops.limen.stored_numbers(module.info.name, [name], [one], [name])[place]
        for one in value.double().flatten().tolist()
    ]
    return torch.tensor(raw, dtype=torch.float64).reshape(value.shape)


def _value(module: Any, name: str, raw: torch.Tensor, key: str) -> torch.Tensor:
    """The one fixed number of a learned parameter."""
    value = module.info.parameter(name).from_raw(raw.detach().double()).flatten()
    if value.numel() == 0 or (value != value[0]).any():
        raise ValueError(
            f"expected one value of {name}, since it is fixed, got {value.numel()} in {key}; "
            f'try learnable=True, per="channel", channels={value.numel()}'
        )
    return value[0].clone()


def _spread(module: Any, name: str, raw: torch.Tensor) -> torch.Tensor:
    """One value serves every channel; and a checkpoint tells a module how many channels there are."""
    if not module.is_initialized and raw.dim() == 1:
        module.initialize(raw.numel())
    if not module.is_initialized:
        raise ValueError(f"expected one value of {name} a channel, got one in all; try channels=...")
    own = module._parameters["raw_" + name]
    return raw.expand(own.shape).clone() if raw.numel() == 1 and own.dim() == 1 else raw

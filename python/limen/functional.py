# Part of limen. SPDX-License-Identifier: MIT
"""Every activation as a function: limen.functional.uelu(x, beta=1.25).

A parameter is a number or a tensor: of one value, or of one value a channel along `axis`. A tensor may require a gradient.
Numbers are checked against the domain; a tensor's values are not looked at, and give NaN where they are outside.
"""

import inspect
from typing import Any, Callable

from limen import registry
from limen._library import torch


def _make(name: str, info: registry.Info) -> Callable[..., torch.Tensor]:
    where = f"limen.functional.{name}"
    defaults = [parameter.default for parameter in info.parameters]
    kinds = "a number or a tensor"

    def function(input: torch.Tensor, *values: Any, axis: int = 1, **named: Any) -> torch.Tensor:
        numbers, tensors = list(defaults), []
        for k, value in enumerate(registry.bind(where, info, values, named)):
            tensors.append(value if isinstance(value, torch.Tensor) else None)
            if value is None or tensors[k] is not None:
                continue
            if not isinstance(value, (int, float)):
                value = registry.number(where, info.parameters[k].argument, value, kinds)
            numbers[k] = value
        return torch.ops.limen.activation(input, info.name, numbers, tensors, axis)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{info.title}:\n\n{registry.describe(info)}"
    kind = inspect.Parameter
    function.__signature__ = inspect.Signature(
        [kind("input", kind.POSITIONAL_OR_KEYWORD)]
        + [kind(p.argument, kind.POSITIONAL_OR_KEYWORD, default=p.default) for p in info.parameters]
        + [kind("axis", kind.KEYWORD_ONLY, default=1)]
    )
    return function


for _info in registry.activations.values():
    globals()[_info.name] = _make(_info.name, _info)
for _alias in registry.aliases.values():
    globals()[_alias.name] = _make(_alias.name, registry.activations[_alias.activation])

__all__ = [*registry.activations, *registry.aliases]

# Part of limen. SPDX-License-Identifier: MIT
"""Writes limen/functional.pyi and limen/modules.pyi, which tell editors and type checkers what the registry holds.

python write_stubs.py FOLDER; a test compares. Needs limen, as installed or by PYTHONPATH and LIMEN_OPS.
"""

import pathlib
import sys

from limen import registry

HEAD = '''# Part of limen. SPDX-License-Identifier: MIT
# Written by python/write_stubs.py from the registry; a test compares the two. Do not edit.
'''

ACTIVATION = '''
from typing import Any, ClassVar, Iterable, Literal

import torch
from torch import Tensor

from limen import registry

class Activation(torch.nn.Module):
    info: ClassVar[registry.Info]
    learned: tuple[str, ...]
    per: Literal["layer", "channel"]
    channels: int | None
    axis: int
    @property
    def is_initialized(self) -> bool: ...
    def initialize(self, channels: int) -> None: ...
    def reset_parameters(self) -> None: ...
    def value(self, parameter: str) -> Tensor: ...
    def set(self, **values: float) -> None: ...
    def forward(self, input: Tensor) -> Tensor: ...
    def __call__(self, input: Tensor) -> Tensor: ...

classes: dict[str, type[Activation]]

def activation(name: str, *values: float, **options: Any) -> Activation: ...
'''

OPTIONS = '''        *,
        learnable: bool | str | Iterable[str] = {learned},
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
'''


def all_names():
    """Each name with its class, its activation and its alias or None."""
    for name, info in registry.activations.items():
        yield name, info.class_name, info, None
    for name, alias in registry.aliases.items():
        yield name, alias.class_name, registry.activations[alias.activation], alias


def function(name, info):
    values = "".join(f", {p.argument}: float | Tensor = {p.default!r}" for p in info.parameters)
    return f"def {name}(input: Tensor{values}, *, axis: int = 1) -> Tensor: ...\n"


def functional():
    names = list(all_names())
    text = HEAD + "from torch import Tensor\n\n" + "".join(function(name, info) for name, _, info, _ in names)
    return text + "\n__all__ = [\n" + "".join(f'    "{name}",\n' for name, *_ in names) + "]\n"


def class_of(class_name, info, alias):
    base = registry.activations[alias.activation].class_name if alias else "Activation"
    text = f"\nclass {class_name}({base}):\n"
    if not info.parameters:
        return text + "    def __init__(self) -> None: ...\n"
    text += "    def __init__(\n        self,\n"
    for p in info.parameters:
        text += f"        {p.argument}: float | None = {p.default if p.default == p.learned_from else None!r},\n"
    if any(p.learnable for p in info.parameters):
        text += OPTIONS.format(learned=bool(alias and alias.learned))
    text += "    ) -> None: ...\n"
    for p in [] if alias else info.parameters:
        text += f"    @property\n    def {p.argument}(self) -> Tensor: ...\n"
    return text


def modules():
    names = list(all_names())
    text = HEAD.rstrip("\n") + ACTIVATION + "".join(class_of(*rest) for _, *rest in names)
    listed = ["Activation", "activation", *(class_name for _, class_name, *_ in names)]
    return text + "\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in listed) + "]\n"


def write(folder):
    (folder / "functional.pyi").write_text(functional())
    (folder / "modules.pyi").write_text(modules())


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))

# Part of limen. SPDX-License-Identifier: MIT
"""limen: activation functions that are thresholds in disguise, with fixed or learned widths."""

from limen import decompositions, functional, modules, registry
from limen.modules import *  # noqa: F403
from limen.optim import ParamGroups, load_optimizer_state, param_groups
from limen.replace import Report, Site, from_torch, swap

__version__: str = registry.version

__all__ = [
    "decompositions", "functional", "registry", "from_torch", "swap", "Report", "Site", "param_groups", "ParamGroups",
    "load_optimizer_state", *modules.__all__,
]  # fmt: skip

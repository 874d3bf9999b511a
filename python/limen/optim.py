# Part of limen. SPDX-License-Identifier: MIT
"""Parameter groups by kind, and optimizer states that are compared by name."""

from typing import Any, Mapping

from limen._library import torch
from limen.modules import Activation

nn = torch.nn

# The first kind that fits a tensor decides; tied tensors (an embedding that is the output matrix too) have one place.
_KINDS = {
    "activations": (Activation, nn.PReLU),
    "norms": (nn.LayerNorm, nn.GroupNorm, nn.RMSNorm, nn.modules.batchnorm._NormBase),
    "embeddings": (nn.Embedding, nn.EmbeddingBag),
}
_ORDER = ["activations", "norms", "embeddings", "vectors", "matrices"]


class ParamGroups(list):
    """A list of groups as optimizers take it; printed, it is a table."""

    def __repr__(self) -> str:
        lines = []
        for group in self:
            # An optimizer takes names and tensors apart, in place.
            pairs = zip(group["param_names"], group["params"]) if "param_names" in group else group["params"]
            names, tensors = zip(*pairs)
            count = sum(tensor.numel() for tensor in tensors)
            rate = f", lr {group['lr']:g}" if "lr" in group else ""
            lines.append(f"{group['kind']}: {len(names)} tensors, {count} numbers, weight_decay {group['weight_decay']:g}{rate}")
            lines += [f"    {name} {list(tensor.shape)}" for name, tensor in zip(names, tensors)]
        return "\n".join(lines)


def param_groups(model: nn.Module, *, weight_decay: float, lr: float | None = None, lr_scale: float = 1.0) -> ParamGroups:
    """Groups of the model's parameters for an optimizer: torch.optim.AdamW(limen.param_groups(model, weight_decay=0.1)).

    Kinds are those of the modules that hold a tensor, not of its name: the learned numbers of activations (limen's and
    nn.PReLU), norms, embeddings, other vectors (biases, gains, any tensor of less than two dimensions), and matrices (all the
    rest). Matrices alone are decayed. A tensor that several modules hold has the first of these kinds. Tensors that require no
    gradient are left out. `lr_scale` times `lr` is the learning rate of the activations; the others keep the optimizer's.
    """
    if lr_scale != 1 and lr is None:
        raise ValueError(f"limen.param_groups: expected the learning rate lr for lr_scale={lr_scale:g}, got none; try lr=1e-3")
    kinds: dict[torch.Tensor, tuple[str, str]] = {}  # tensor: its first name and its kind
    for prefix, module in model.named_modules(remove_duplicate=False):
        for name, tensor in module.named_parameters(prefix, recurse=False):
            if isinstance(tensor, nn.parameter.UninitializedParameter):
                raise ValueError(
                    f"limen.param_groups: expected known shapes, got {name}, whose channels are not known yet; try "
                    "channels=... or pass a first input through the model"
                )
            kind = _kind(module, name, tensor)
            first, before = kinds.get(tensor, (name, kind))
            kinds[tensor] = (first, min(before, kind, key=_ORDER.index))
    groups = ParamGroups()
    for kind in _ORDER:
        params = [(name, tensor) for tensor, (name, its) in kinds.items() if its == kind and tensor.requires_grad]
        if not params:
            continue
        group: dict[str, Any] = {"params": params, "kind": kind, "weight_decay": weight_decay if kind == "matrices" else 0.0}
        if kind == "activations" and lr is not None:
            group["lr"] = lr * lr_scale
        groups.append(group)
    return groups


def _kind(module: nn.Module, name: str, tensor: torch.Tensor) -> str:
    for kind, types in _KINDS.items():
        if isinstance(module, types):
            return kind
    # The biases of keys and values in nn.MultiheadAttention are vectors with two axes of length 1.
    is_bias = isinstance(module, nn.MultiheadAttention) and name.endswith(("bias_k", "bias_v"))
    return "vectors" if tensor.dim() < 2 or is_bias else "matrices"


def load_optimizer_state(optimizer: torch.optim.Optimizer, state: Mapping[str, Any], *, by_name: bool = False) -> None:
    """optimizer.load_state_dict(state), refused with the names of missing or extra parameters where they differ.

    With by_name=True, parameters are matched by name whatever their groups: those that the state lacks start afresh, and
    those that the optimizer lacks are left out; groups keep the optimizer's own settings. Both optimizers must have been made
    from named parameters, as those of param_groups are.
    """
    own = _names(optimizer.state_dict(), "the optimizer")
    saved = _names(state, "the state")
    missing, extra = [n for n in own if n not in saved], [n for n in saved if n not in own]
    if not by_name:
        if missing or extra or list(own) != list(saved):
            raise ValueError(
                "limen.load_optimizer_state: expected a state of the same parameters, got one "
                + (f"without {', '.join(missing)}" if missing else "")
                + (" and " if missing and extra else "")
                + (f"with {', '.join(extra)} besides" if extra else "")
                + ("of another order" if not missing and not extra else "")
                + "; try by_name=True"
            )
        optimizer.load_state_dict(dict(state))
        return
    fitted = optimizer.state_dict()
    fitted["state"] = {own[n]: state["state"][saved[n]] for n in own if n in saved and saved[n] in state["state"]}
    optimizer.load_state_dict(fitted)


def _names(state: Mapping[str, Any], whose: str) -> dict[str, int]:
    """Each parameter's place in the state."""
    names = {}
    for group in state["param_groups"]:
        if "param_names" not in group:
            raise ValueError(
                f"limen.load_optimizer_state: expected named parameters, got {whose} without names; try an optimizer made from "
                "limen.param_groups(model, ...) or model.named_parameters()"
            )
        names |= dict(zip(group["param_names"], group["params"]))
    return names

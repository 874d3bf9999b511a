# Part of limen. SPDX-License-Identifier: MIT
"""Replaces the activations of a model, says where it did and where it could not, and takes it back."""

import dataclasses
import functools
from typing import Any, Callable

from limen import _calls, modules
from limen._library import torch

nn = torch.nn

# A module of PyTorch: the name and parameters of the same function here. In-place forms compute the same out of place.
_SAME: dict[type[nn.Module], Callable[[Any], tuple[str, dict[str, Any]]]] = {
    nn.Identity: lambda old: ("identity", {}),
    nn.ReLU: lambda old: ("relu", {}),
    nn.LeakyReLU: lambda old: ("leaky_relu", {"alpha": old.negative_slope}),
    nn.ELU: lambda old: ("elu", {"alpha": old.alpha}),
    nn.GELU: lambda old: ({"none": "gelu", "tanh": "gelu_tanh"}[old.approximate], {}),
    nn.SiLU: lambda old: ("silu", {}),
    nn.Mish: lambda old: ("mish", {}),
    nn.Hardswish: lambda old: ("hard_swish", {}),
    nn.Softplus: lambda old: ("softplus", {"slope": old.beta}),
}


def from_torch(old: nn.Module) -> modules.Activation:
    """The module of limen that computes the same function: GELU() for nn.GELU(), GELUTanh() for nn.GELU(approximate="tanh").

    The weights of an nn.PReLU are copied, and learned on. nn.Softplus is linear above its threshold (20), limen's is not: they
    differ by 2e-9 there.
    """
    if isinstance(old, modules.Activation):
        return old
    if type(old) is nn.PReLU:
        return _from_prelu(old)
    if type(old) not in _SAME:
        known = ", ".join(f"nn.{kind.__name__}" for kind in [*_SAME, nn.PReLU])
        raise ValueError(f"limen.from_torch: expected one of {known}, got {type(old).__name__}")
    name, parameters = _SAME[type(old)](old)
    return modules.activation(name, **parameters)


def _from_prelu(old: nn.PReLU) -> modules.Activation:
    form = {"per": "channel", "channels": old.num_parameters} if old.num_parameters > 1 else {}
    new = modules.activation("prelu", learnable=True, device=old.weight.device, dtype=old.weight.dtype, **form)
    with torch.no_grad():
        new.raw_alpha.copy_(old.weight.reshape(new.raw_alpha.shape))  # the parameter is the learned number
    return new


@dataclasses.dataclass
class Site:
    """A place of the model that holds an activation, or computes one."""

    path: str
    old: str
    new: str = ""  # or "" where it was missed
    note: str = ""  # why it was missed, or which path it shares its parameters with

    def __str__(self) -> str:
        return f"{self.path}: {self.old}" + (f" -> {self.new}" if self.new else "") + (f" ({self.note})" if self.note else "")


class Report:
    """What swap did. Printed, it lists every site."""

    def __init__(self, dry_run: bool) -> None:
        self.dry_run = dry_run
        self.replaced: list[Site] = []
        self.missed: list[Site] = []
        self._undo: list[Callable[[], None]] = []

    def undo(self) -> None:
        """Puts the old activations back. What the new ones have learned stays with them."""
        while self._undo:
            self._undo.pop()()

    def __repr__(self) -> str:
        verb = "would be replaced" if self.dry_run else "replaced"
        lines = [f"{len(self.replaced)} sites {verb}, {len(self.missed)} missed"]
        lines += [f"  {site}" for site in self.replaced] + [f"  missed {site}" for site in self.missed]
        return "\n".join(lines)


def swap(model: nn.Module, old: type[nn.Module] | Callable[..., Any], new: Callable[..., nn.Module] = from_torch, *,
         shared: bool | None = None, subclasses: bool = False, dry_run: bool = False, **options: Any) -> Report:
    """Replaces every `old` of the model by `new(**options)`: limen.swap(model, nn.GELU, limen.UELU, beta=1.5).

    old: a class such as nn.GELU, or a function such as torch.nn.functional.gelu. Both find modules as well as attributes that
        hold the function. Calls of the function inside a forward are reported as missed. Only the class itself is replaced,
        and objects of subclasses, which may compute something else, are reported as missed, unless subclasses=True.
    new: a class, or a function of the old module (options follow), as from_torch, the default, which keeps the function.
    shared: True: one new module for all sites; False: one for each. Without it, TUELU is shared and all others are not, but sites
        that shared an old module with parameters of its own (nn.PReLU) share the new one.
    dry_run: only report.
    """
    if isinstance(new, nn.Module) or not callable(new):
        raise TypeError(f"limen.swap: expected a class or a function of the old module, got {new!r}; try {type(new).__name__}")
    swapping = _Swap(model, old, new, shared, subclasses, options, Report(dry_run))
    for path, parent in list(model.named_modules()):
        swapping.visit(path, parent)
    if swapping.is_old(model) or swapping.is_subclass(model):
        swapping.miss("(the model)", model, "it is the model itself; use the new module in its place")
    if not dry_run and swapping.report.replaced:
        swapping.leave_fast_paths()
    return swapping.report


class _Swap:
    def __init__(self, model: nn.Module, old: Any, new: Any, shared: bool | None, subclasses: bool, options: dict[str, Any],
                 report: Report) -> None:
        self.model, self.new, self.shared, self.subclasses = model, new, shared, subclasses
        self.options, self.report = options, report
        self.old_class, self.functions = _calls.twins(old)
        self.calls: dict[type, list[tuple[str, Any]]] = {}
        self.made: dict[Any, tuple[str, nn.Module]] = {}  # by what sites must have in common to share: path and module
        if shared is None and isinstance(new, type) and issubclass(new, modules.Activation) and new.shared_unless_told:
            self.shared = True

    def is_old(self, value: Any) -> bool:
        if self.old_class is None or not isinstance(value, nn.Module):
            return False
        return isinstance(value, self.old_class) if self.subclasses else type(value) is self.old_class

    def is_subclass(self, value: Any) -> bool:
        return self.old_class is not None and isinstance(value, self.old_class) and not self.is_old(value)

    def is_function(self, value: Any) -> bool:
        return (value.func if isinstance(value, functools.partial) else value) in self.functions

    def visit(self, prefix: str, parent: nn.Module) -> None:
        if self.is_old(parent):
            return
        for name, child in list(parent._modules.items()):
            if self.is_old(child):
                self.replace(prefix, parent, name, child)
            elif self.is_subclass(child):
                self.miss(_join(prefix, name), child, f"a subclass of {self.old_class.__name__}; try subclasses=True")
        for name, value in list(vars(parent).items()):
            if name in ("_modules", "_parameters", "_buffers"):
                continue
            if callable(value) and self.is_function(value):
                self.replace(prefix, parent, name, value)
            elif isinstance(value, (list, tuple, dict)):
                self.look_inside(_join(prefix, name), value)
        self.look_for_calls(prefix, type(parent))

    def look_inside(self, path: str, held: Any) -> None:
        for key, value in held.items() if isinstance(held, dict) else enumerate(held):
            if self.is_old(value) or (callable(value) and self.is_function(value)):
                self.miss(f"{path}[{key!r}]", value, f"held in a plain {type(held).__name__}; try nn.ModuleList or nn.ModuleDict")

    def look_for_calls(self, prefix: str, kind: type) -> None:
        # The networks of torch.nn choose theirs by attributes, which visit sees.
        if kind.__module__.startswith(("torch.", "limen.")):
            return
        if kind not in self.calls:
            self.calls[kind] = list(_calls.calls(kind, self.functions))
        for method, function in self.calls[kind]:
            self.miss(prefix or "(the model)", function, f"called by {kind.__name__}.{method}; try a module in its place")

    def miss(self, path: str, old: Any, note: str) -> None:
        self.report.missed.append(Site(path, _text(old), note=note))

    def replace(self, prefix: str, parent: nn.Module, name: str, old: Any) -> None:
        path = _join(prefix, name)
        first, new = self.made_for(path, old)
        note = "" if first == path else f"shared with {first}"
        if isinstance(old, nn.Module) and (old._forward_hooks or old._forward_pre_hooks or old._backward_hooks):
            note += "; " * bool(note) + "its hooks stay with the old module"
        self.report.replaced.append(Site(path, _text(old), _text(new), note))
        if not self.report.dry_run:
            self.put(parent, name, old, new)

    def made_for(self, path: str, old: Any) -> tuple[str, nn.Module]:
        owns = isinstance(old, nn.Module) and next(old.parameters(), None) is not None
        key = "all" if self.shared else id(old) if self.shared is None and owns else path
        if key not in self.made:
            self.made[key] = (path, self.make(old))
        return self.made[key]

    def make(self, old: Any) -> nn.Module:
        if isinstance(self.new, type):
            new = self.new(**self.options)
        else:
            as_module = old if isinstance(old, nn.Module) else _calls.as_module(old, self.old_class)
            new = self.new(as_module, **self.options)
        tensor = next((t for t in self.model.parameters()), None)
        if tensor is not None:
            new = new.to(tensor.device)
        return new.train(old.training if isinstance(old, nn.Module) else self.model.training)

    def put(self, parent: nn.Module, name: str, old: Any, new: nn.Module) -> None:
        def back() -> None:
            if isinstance(old, nn.Module):
                parent._modules[name] = old
            else:
                delattr(parent, name)
                setattr(parent, name, old)

        if isinstance(old, nn.Module):
            parent._modules[name] = new
        else:
            setattr(parent, name, new)
        self.report._undo.append(back)
        if hasattr(parent, "activation_relu_or_gelu"):
            self.set(parent, "activation_relu_or_gelu", 0)

    def leave_fast_paths(self) -> None:
        """nn.TransformerEncoder computes ReLU or GELU itself in evaluation, without a look at the module, unless told."""
        for module in self.model.modules():
            if isinstance(module, nn.TransformerEncoder) and module.use_nested_tensor:
                if any(getattr(layer, "activation_relu_or_gelu", 1) == 0 for layer in module.layers):
                    self.set(module, "use_nested_tensor", False)

    def set(self, module: nn.Module, name: str, value: Any) -> None:
        self.report._undo.append(functools.partial(setattr, module, name, getattr(module, name)))
        setattr(module, name, value)


def _join(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


def _text(value: Any) -> str:
    if isinstance(value, nn.Module):
        return repr(value)
    if isinstance(value, functools.partial):
        return f"{value.func.__name__}({', '.join(f'{k}={v!r}' for k, v in value.keywords.items())})"
    return f"{value.__name__}()"

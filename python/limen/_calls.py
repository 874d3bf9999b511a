# Part of limen. SPDX-License-Identifier: MIT
"""Functions of PyTorch that are activations: which module each stands for, and which methods call it."""

import dis
import functools
import inspect
import types
from typing import Any, Iterator

from limen._library import torch

nn, F = torch.nn, torch.nn.functional

_TWINS: dict[type[nn.Module], tuple[Any, ...]] = {
    nn.ReLU: (F.relu, F.relu_, torch.relu, torch.relu_),
    nn.LeakyReLU: (F.leaky_relu, F.leaky_relu_),
    nn.ELU: (F.elu, F.elu_),
    nn.GELU: (F.gelu,),
    nn.SiLU: (F.silu,),
    nn.Mish: (F.mish,),
    nn.Hardswish: (F.hardswish,),
    nn.Softplus: (F.softplus,),
    nn.PReLU: (F.prelu, torch.prelu),
}


def twins(old: Any) -> tuple[type[nn.Module] | None, tuple[Any, ...]]:
    """The class and the functions that `old`, one of them, stands for."""
    if isinstance(old, type) and issubclass(old, nn.Module):
        return old, _TWINS.get(old, ())
    for kind, functions in _TWINS.items():
        if old in functions:
            return kind, functions
    if isinstance(old, nn.Module) or not callable(old):
        raise TypeError(f"limen.swap: expected a class or a function to replace, got {old!r}; try {type(old).__name__}")
    return None, (old,)


def as_module(function: Any, kind: type[nn.Module] | None) -> nn.Module:
    """The module that computes the function, or a partial of it."""
    if kind is None:
        raise TypeError(f"limen.swap: expected a class for new where old is the function {function!r}, got a function of a module")
    return kind(**function.keywords) if isinstance(function, functools.partial) else kind()


def calls(kind: type, functions: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Each method of the class and the function that it names, its base classes' included."""
    for base in kind.__mro__:
        if base.__module__.startswith("torch.") or base is object:
            continue
        for name, method in vars(base).items():
            if isinstance(method, types.FunctionType) and name != "__init__":
                yield from ((name, function) for function in _named(method) if function in functions)


def _named(method: types.FunctionType) -> Iterator[Any]:
    """The objects that a method reaches from its globals and closure: F.gelu, torch.nn.functional.gelu, gelu."""
    known = {**method.__globals__, **inspect.getclosurevars(method).nonlocals}
    codes = [method.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        value: Any = None
        for instruction in dis.get_instructions(code):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_DEREF"):
                value = known.get(instruction.argval)
            elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(value, types.ModuleType):
                value = getattr(value, instruction.argval, None)
            elif instruction.opname in ("CACHE", "PUSH_NULL", "NOP"):
                continue
            else:
                value = None
            if callable(value):
                yield value

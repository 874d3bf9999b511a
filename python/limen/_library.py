# Part of limen. SPDX-License-Identifier: MIT
"""Loads the operators into PyTorch. Every other module imports torch from here, so that a missing one is said in one sentence."""

import os
import pathlib

TORCH = "2.13"  # as pyproject.toml asks for, which a test compares

try:
    import torch
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise ImportError(f"limen: expected PyTorch {TORCH}, got none; try pip install 'torch=={TORCH}.*'") from None


def _load() -> None:
    if not torch.__version__.startswith(TORCH + "."):
        raise ImportError(
            f"limen: expected PyTorch {TORCH}, which its operators are compiled for, got {torch.__version__}; "
            f"try pip install 'torch=={TORCH}.*'"
        )
    if hasattr(torch.ops.limen, "activation"):  # a program loaded a library of operators itself, and there can be only one
        return
    path = pathlib.Path(os.environ.get("LIMEN_OPS") or pathlib.Path(__file__).parent / "liblimen_torch_ops.so")
    if not path.exists():
        raise ImportError(
            f"limen: expected the library of operators, got no file {path}; try pip install . in limen's source tree, "
            "or name the library with LIMEN_OPS"
        )
    torch.ops.load_library(path)


_load()

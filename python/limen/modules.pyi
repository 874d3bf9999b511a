# Part of limen. SPDX-License-Identifier: MIT
# Written by python/write_stubs.py from the registry; a test compares the two. Do not edit.
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

class Identity(Activation):
    def __init__(self) -> None: ...

class ReLU(Activation):
    def __init__(self) -> None: ...

class LeakyReLU(Activation):
    def __init__(
        self,
        alpha: float | None = 0.01,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def alpha(self) -> Tensor: ...

class PReLU(Activation):
    def __init__(
        self,
        alpha: float | None = 0.25,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def alpha(self) -> Tensor: ...

class ELU(Activation):
    def __init__(
        self,
        alpha: float | None = 1.0,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def alpha(self) -> Tensor: ...

class GELU(Activation):
    def __init__(self) -> None: ...

class GELUMuSigma(Activation):
    def __init__(
        self,
        mu: float | None = 0.0,
        sigma: float | None = 1.0,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def mu(self) -> Tensor: ...
    @property
    def sigma(self) -> Tensor: ...

class LambdaGELU(Activation):
    def __init__(
        self,
        lam: float | None = None,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def lam(self) -> Tensor: ...

class GELUTanh(Activation):
    def __init__(self) -> None: ...

class DGELU(Activation):
    def __init__(
        self,
        gamma: float | None = 1.0,
    ) -> None: ...
    @property
    def gamma(self) -> Tensor: ...

class SiLU(Activation):
    def __init__(
        self,
        slope: float | None = 1.0,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def slope(self) -> Tensor: ...

class Softplus(Activation):
    def __init__(
        self,
        slope: float | None = 1.0,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def slope(self) -> Tensor: ...

class Mish(Activation):
    def __init__(self) -> None: ...

class UELU(Activation):
    def __init__(
        self,
        beta: float | None = 1.25,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def beta(self) -> Tensor: ...

class HardSwish(Activation):
    def __init__(self) -> None: ...

class AQuLU(Activation):
    def __init__(
        self,
        a: float | None = 0.4,
        b: float | None = 0.5,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def a(self) -> Tensor: ...
    @property
    def b(self) -> Tensor: ...

class IGLU(Activation):
    def __init__(
        self,
        sigma: float | None = None,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def sigma(self) -> Tensor: ...

class IGLUApprox(Activation):
    def __init__(
        self,
        sigma: float | None = None,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def sigma(self) -> Tensor: ...

class T2Transmission(Activation):
    def __init__(
        self,
        b: float | None = 4.0,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def b(self) -> Tensor: ...

class Squareplus(Activation):
    def __init__(
        self,
        b: float | None = 4.0,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def b(self) -> Tensor: ...

class ExpELU(Activation):
    def __init__(
        self,
        lam: float | None = 1.0,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def lam(self) -> Tensor: ...

class GEM(Activation):
    def __init__(
        self,
        N: float | None = 1.0,
    ) -> None: ...
    @property
    def N(self) -> Tensor: ...

class EGEM(Activation):
    def __init__(
        self,
        N: float | None = 1.0,
        eps: float | None = 1.0,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def N(self) -> Tensor: ...
    @property
    def eps(self) -> Tensor: ...

class SEGEMLike(Activation):
    def __init__(
        self,
        N: float | None = 1.0,
        eps: float | None = 1.0,
        eta: float | None = 0.01,
        *,
        learnable: bool | str | Iterable[str] = False,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...
    @property
    def N(self) -> Tensor: ...
    @property
    def eps(self) -> Tensor: ...
    @property
    def eta(self) -> Tensor: ...

class TUELU(UELU):
    def __init__(
        self,
        beta: float | None = 1.25,
        *,
        learnable: bool | str | Iterable[str] = True,
        per: Literal["layer", "channel"] = "layer",
        channels: int | None = None,
        axis: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None: ...

class UELU3(HardSwish):
    def __init__(self) -> None: ...

__all__ = [
    "Activation",
    "activation",
    "Identity",
    "ReLU",
    "LeakyReLU",
    "PReLU",
    "ELU",
    "GELU",
    "GELUMuSigma",
    "LambdaGELU",
    "GELUTanh",
    "DGELU",
    "SiLU",
    "Softplus",
    "Mish",
    "UELU",
    "HardSwish",
    "AQuLU",
    "IGLU",
    "IGLUApprox",
    "T2Transmission",
    "Squareplus",
    "ExpELU",
    "GEM",
    "EGEM",
    "SEGEMLike",
    "TUELU",
    "UELU3",
]

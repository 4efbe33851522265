"""Mixed precision in training: which numbers a device computes with, and the scaling that small ones need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class Precision:
    """The type in which a network computes; None: that of its weights.

    A loss and its sum over findings are always computed in 32 bits.
    """

    dtype: torch.dtype | None = None

    @property
    def words(self) -> str:
        """The type's name for the log."""
        return "32 bits" if self.dtype is None else str(self.dtype).removeprefix("torch.")


def precision_of(device: str) -> Precision:
    """Return the precision for a device: bfloat16 on a GPU that has it, float16 on an older one, else 32 bits.

    A processor without such instructions would compute in bfloat16 many times slower.
    """
    if device != "cuda":
        return Precision()
    return Precision(torch.bfloat16 if torch.cuda.is_bf16_supported(including_emulation=False) else torch.float16)


def computing(device: torch.device, precision: Precision) -> torch.autocast:
    """Return the context in which a network computes with this precision."""
    return torch.autocast(device.type, dtype=precision.dtype, enabled=precision.dtype is not None)


class GradientSteps:
    """Adds up the gradients of batches and takes optimizer steps, scaled where float16 would lose small gradients."""

    def __init__(self, optimizer: torch.optim.Optimizer, device: torch.device, precision: Precision) -> None:
        self.optimizer = optimizer
        self.scaler = torch.amp.GradScaler(device.type, enabled=precision.dtype is torch.float16)

    def add(self, loss: Tensor) -> None:
        """Add the gradients of a loss to those since the last step."""
        torch.autograd.backward(self.scaler.scale(loss))

    def step(self, parameters: Iterable[nn.Parameter], max_norm: float) -> None:
        """Take a step with the added gradients, clipped to `max_norm`, and forget them."""
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(parameters, max_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)

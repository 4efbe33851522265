"""The lab's own augmentation: rotation, zoom, shift, tone, blur, a hidden patch; no mirroring."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from models.training.augment import augment


@dataclass(frozen=True, slots=True)
class StandardAugmentation:
    """`models.training.augment.augment`, the same for every film."""

    def __call__(
        self, films: Tensor, sharp: Tensor, labels: Tensor, size: int, generator: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        return augment(films, sharp, size, generator)

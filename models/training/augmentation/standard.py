"""The lab's own augmentation: rotation, zoom, shift, tone, blur, a hidden patch; mirroring only if asked for."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from models.training.augment import augment


@dataclass(frozen=True, slots=True)
class StandardAugmentation:
    """`models.training.augment.augment`, the same for every film.

    `mirror` exchanges the sides of half of the films, as CXR-LT 2026 Task 1 B does (section 3.2: rotation, horizontal
    flipping, scaling and shifting); it is off by default, because hearts and findings have sides.
    """

    mirror: bool = False

    def __call__(
        self, films: Tensor, sharp: Tensor, labels: Tensor, size: int, generator: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        changed, moves = augment(films, sharp, size, generator)
        if not self.mirror:
            return changed, moves
        chosen = (torch.rand(len(films), generator=generator) < 0.5).to(changed.device)
        sides = torch.where(chosen, -1.0, 1.0)[:, None]
        mirrored = torch.where(chosen[:, None, None, None], changed.flip(-1), changed)
        # A place of the mirrored film comes from where the place on its other side came from.
        return mirrored, torch.cat([moves[:, :, :1] * sides[:, :, None], moves[:, :, 1:]], 2)

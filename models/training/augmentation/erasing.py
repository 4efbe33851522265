"""Mirroring, rotation, sharpening and random erasing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from models.training.augment import apply_moves

MAX_ASPECT = 10 / 3  # of an erased rectangle: height to width is from 0.3 to 3.3
TRIES = 10  # draws until a rectangle fits into the film


@dataclass(frozen=True, slots=True)
class ErasingAugmentation:
    """Half of the films are mirrored, all rotated by up to `degrees`, half sharpened, and half lose a rectangle.

    `sharpness` 2 doubles the distance of pixels from their smoothed values; 1 changes nothing. An erased
    rectangle is black and covers the share `least` to `most` of the film (Zhong et al., Random erasing, AAAI 2020,
    section 3.2).

    CXR-LT 2023 T4 (section 3.2.4) augments "following" Azizi et al., ICCV 2021, and Chen et al., CVPR 2019. These four
    changes and their settings are those of the team's public code (kalelpark/RAL, dataset/augmentation.py), with
    torchvision's chances of one half. It has neither the crops of Chen et al. nor the color changes of Azizi et al.
    Rotation here is bilinear, there nearest neighbor. Mirroring exchanges the sides of hearts and findings.
    """

    degrees: float = 15.0
    mirrored: bool = True
    sharpness: float = 2.0
    least: float = 0.02
    most: float = 0.33

    def __post_init__(self) -> None:
        if not 0 <= self.degrees <= 45:
            raise ValueError(f"Films are rotated by up to {self.degrees} degrees; give 0 to 45.")
        if self.sharpness < 0:
            raise ValueError(f"The sharpness is {self.sharpness}; it must be 0 or more.")
        if not 0 < self.least <= self.most < 1:
            raise ValueError(f"Erased are {self.least} to {self.most} of a film; give shares between 0 and 1.")

    def __call__(
        self, films: Tensor, sharp: Tensor, labels: Tensor, size: int, generator: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        """Return films (n, 1, size, size) and how each was moved (n, 2, 3); see the registry."""
        drawn = torch.rand(4, len(films), generator=generator)
        angles = (2 * drawn[0] - 1) * self.degrees * math.pi / 180
        sides = torch.where(drawn[1] < (0.5 if self.mirrored else 0.0), -1.0, 1.0)
        cos, sin, zero = torch.cos(angles), torch.sin(angles), torch.zeros(len(films))
        moves = torch.stack([torch.stack([sides * cos, -sides * sin, zero], 1), torch.stack([sin, cos, zero], 1)], 1)
        changed = apply_moves(films, moves.to(films.device), size)
        sharpened = (drawn[2] < 0.5).to(changed.device)[:, None, None, None]
        changed = torch.where(sharpened, sharpen(changed, self.sharpness), changed)
        for film in (drawn[3] < 0.5).nonzero().flatten().tolist():
            top, bottom, left, right = self._rectangle(size, generator)
            changed[film, :, top:bottom, left:right] = 0.0
        return changed, moves.to(films.device)

    def _rectangle(self, size: int, generator: torch.Generator) -> tuple[int, int, int, int]:
        """Return top, bottom, left and right of a rectangle in a film of `size`; an empty one if none fits."""
        for _ in range(TRIES):
            share, aspect, down, across = torch.rand(4, generator=generator).tolist()
            area = (self.least + share * (self.most - self.least)) * size**2
            ratio = MAX_ASPECT ** (2 * aspect - 1)
            height, width = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if max(height, width) < size:
                top, left = int(down * (size - height + 1)), int(across * (size - width + 1))
                return top, top + height, left, left + width
        return 0, 0, 0, 0


def sharpen(films: Tensor, sharpness: float) -> Tensor:
    """Return films (n, 1, h, w) in [0, 1] as `sharpness` times themselves plus the rest of their smoothed selves.

    Smoothing is the mean over 3 x 3 pixels in which the pixel itself counts five times; border pixels stay as they are.
    These are the weights of Pillow's ImageFilter.SMOOTH, which torchvision uses, too.
    """
    kernel = films.new_ones(1, 1, 3, 3) / 13
    kernel[..., 1, 1] *= 5
    smoothed = films.clone()
    smoothed[..., 1:-1, 1:-1] = functional.conv2d(films, kernel)
    return (sharpness * films + (1 - sharpness) * smoothed).clamp(0, 1)

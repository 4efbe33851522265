"""Targeted augmentation: only films with a rare finding are rotated and mirrored."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from models.training.augment import apply_moves


@dataclass(frozen=True, slots=True)
class TargetedAugmentation:
    """Films with a finding on fewer than the share `rare` of the training films are rotated and half of them mirrored.

    Rotations are uniform up to `degrees` either way; other films are only resampled. CXR-LT 2026 Task 1 F (section 3.2)
    augments classes with fewer than 4,000 samples, 2.8 % of its 142,928 films, by rotations and horizontal flips; the
    angle is not printed. Mirroring exchanges the sides of the heart and of findings.
    """

    positives: tuple[float, ...]  # (k,) number of training films with the finding
    films: int
    rare: float = 0.028
    degrees: float = 10.0
    mirrored: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.rare <= 1:
            raise ValueError(f"The share of a rare finding is {self.rare}; it must be from 0 to 1.")
        if not 0 <= self.degrees <= 45:
            raise ValueError(f"Films are rotated by up to {self.degrees} degrees; give 0 to 45.")

    def __call__(
        self, films: Tensor, sharp: Tensor, labels: Tensor, size: int, generator: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        """Return films (n, 1, size, size) and how each was moved (n, 2, 3); see the registry."""
        rare = torch.tensor(self.positives) < self.rare * self.films
        targeted = (labels[:, rare.to(labels.device)] > 0).any(1).cpu()
        drawn = torch.rand(2, len(films), generator=generator)
        angles = targeted * (2 * drawn[0] - 1) * self.degrees * math.pi / 180
        sides = torch.where(targeted & self.mirrored & (drawn[1] < 0.5), -1.0, 1.0)
        cos, sin, zero = torch.cos(angles), torch.sin(angles), torch.zeros(len(films))
        rows = torch.stack([sides * cos, -sin, zero], 1), torch.stack([sides * sin, cos, zero], 1)
        moves = torch.stack(rows, 1).to(films.device)
        return apply_moves(films, moves, size), moves

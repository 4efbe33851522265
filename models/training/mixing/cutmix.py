"""CutMix: a rectangle of each film is replaced by that of another one, and labels count by area."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from models.training.mixing.mix import Mix
from models.training.mixing.mixup import Mixup


@dataclass(frozen=True, slots=True)
class CutMix:
    """One rectangle per batch, of area 1 - L with L from Beta(alpha, alpha), its center uniform, cut off at the edges.

    Labels count by the area left. Source: Yun et al., ICCV 2019, section 3.1. With `mixup` above 0, half of the batches
    are blended by mixup of that alpha instead: CXR-LT 2023 T8 (section 3.2.8) uses both and prints no shares.
    """

    alpha: float = 1.0
    mixup: float = 0.0

    def __post_init__(self) -> None:
        if not self.alpha > 0:
            raise ValueError(f"The alpha of CutMix is {self.alpha}; it must be above 0.")
        if self.mixup < 0:
            raise ValueError(f"The alpha of mixup is {self.mixup}; it must be 0 or more.")

    def __call__(self, films: int, generator: torch.Generator) -> Mix:
        if self.mixup and float(torch.rand((), generator=generator)) < 0.5:
            return Mixup(self.mixup)(films, generator)
        # Beta has no generator of its own: torch's state, which a checkpoint keeps, decides.
        kept = float(torch.distributions.Beta(self.alpha, self.alpha).sample())
        down, right = torch.rand(2, generator=generator).tolist()
        return pasted(rectangle(1 - kept, down, right), torch.randperm(films, generator=generator))


def rectangle(area: float, down: float, right: float) -> tuple[float, float, float, float]:
    """Return top, bottom, left and right of a square of this `area` around a center, cut off at the film's edges.

    All are shares of the film's side.
    """
    half = math.sqrt(area) / 2
    return max(down - half, 0.0), min(down + half, 1.0), max(right - half, 0.0), min(right + half, 1.0)


def pasted(box: tuple[float, float, float, float], partner: Tensor) -> Mix:
    """Return films whose rectangle `box` (see `rectangle`) comes from their `partner` (n,)."""
    top, bottom, left, right = box
    share = (bottom - top) * (right - left)

    def images(maps: Tensor) -> Tensor:
        height, width = maps.shape[-2:]
        rows, columns = _cells(top, bottom, height), _cells(left, right, width)
        changed = maps.clone()
        changed[..., rows, columns] = maps[partner.to(maps.device)][..., rows, columns]
        return changed

    return Mix(((1 - share, torch.arange(len(partner))), (share, partner)), images)


def _cells(first: float, last: float, cells: int) -> slice:
    return slice(round(first * cells), round(last * cells))

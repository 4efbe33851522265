"""Mosaic: four films are tiled into one, which has the findings of all of them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from models.training.mixing.mix import Mix, unmixed


@dataclass(frozen=True, slots=True)
class Mosaic:
    """With `chance`, a batch's films become mosaics: each film and three others, around one center for the batch.

    Every film is resized to its tile. The center is uniform in the middle of the film, `margin` or more from its edges.
    A mosaic's label is present if any of its films has the finding, absent if none has it; its view, sex and age are
    unknown. Source: Bochkovskiy et al., YOLOv4, arXiv 2004.10934, section 3.3, with labels united as by CXR-LT 2023 T2
    (section 3.2.2), whose tile sizes and chance are not printed.
    """

    chance: float = 0.5
    margin: float = 0.3  # share of the side

    def __post_init__(self) -> None:
        if not 0 <= self.chance <= 1:
            raise ValueError(f"The chance of a mosaic is {self.chance}; it must be from 0 to 1.")
        if not 0 < self.margin <= 0.5:
            raise ValueError(f"The margin of a mosaic's center is {self.margin}; it must be above 0 and at most 0.5.")

    def __call__(self, films: int, generator: torch.Generator) -> Mix:
        if float(torch.rand((), generator=generator)) >= self.chance:
            return unmixed(films)
        others = [torch.randperm(films, generator=generator) for _ in range(3)]
        down, right = (self.margin + (1 - 2 * self.margin) * torch.rand(2, generator=generator)).tolist()
        return tiled(torch.stack([torch.arange(films), *others], 1), down, right)


def tiled(tiles: Tensor, down: float, right: float) -> Mix:
    """Return mosaics of the films `tiles` (n, 4): top left, top right, bottom left and bottom right of the center.

    The center is at `down` and `right`, shares of the film's side.
    """

    def images(maps: Tensor) -> Tensor:
        height, width = maps.shape[-2:]
        top, left = round(down * height), round(right * width)
        changed = torch.empty_like(maps)
        rows_of, columns_of = (slice(0, top), slice(top, height)), (slice(0, left), slice(left, width))
        corners = [(rows, columns) for rows in rows_of for columns in columns_of]
        for films, (rows, columns) in zip(tiles.to(maps.device).unbind(1), corners, strict=True):
            size = (rows.stop - rows.start, columns.stop - columns.start)
            changed[..., rows, columns] = functional.interpolate(
                maps[films], size=size, mode="bilinear", antialias=True
            )
        return changed

    return Mix(((1.0, tiles[:, 0]),), images, united=tiles)

"""Film coordinates to model input and back: longest side to `size`, centered, air around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class Letterbox:
    """Where a film of `height` x `width` pixels lies inside a square model input of `size` pixels."""

    height: int
    width: int
    size: int

    @classmethod
    def of(cls, pixels: NDArray[np.float32], size: int) -> Letterbox:
        """The letterbox of a film (h, w)."""
        height, width = pixels.shape
        return cls(height, width, size)

    @property
    def inner(self) -> tuple[int, int]:
        """Height and width in input pixels of the resized film."""
        longest = max(self.height, self.width)
        return max(1, round(self.height * self.size / longest)), max(1, round(self.width * self.size / longest))

    @property
    def offset(self) -> tuple[int, int]:
        """Row and column in input pixels of the film's upper left corner."""
        height, width = self.inner
        return (self.size - height) // 2, (self.size - width) // 2

    def fit(self, film: Tensor, mode: Literal["bilinear", "bicubic"] = "bilinear") -> Tensor:
        """Resize a film (h, w) in [0, 1] with antialiasing and pad it with air: (size, size), in [0, 1]."""
        if mode == "bicubic":
            # It overshoots at edges. Pillow, which CLIP models are trained with, cuts that off after either axis.
            wide = _resized(film, (self.height, self.inner[1]), mode).clamp(0, 1)
            resized = _resized(wide, self.inner, mode).clamp(0, 1)
        else:
            resized = _resized(film, self.inner, mode)
        (top, left), (height, width) = self.offset, self.inner
        right, bottom = self.size - width - left, self.size - height - top
        return functional.pad(resized, (left, right, top, bottom))

    def restore(self, maps: Tensor, *, longest: int | None = None) -> Tensor:
        """Bring maps over the square input (k, g, g) back onto the film alone: (k, h, w).

        The film's part of the square is cut out in sub-cell precision, so a map cell keeps its place on films of any
        shape. `longest` bounds the longer side of the result; by default it is the film's own.
        """
        scale = min(1.0, (longest or max(self.height, self.width)) / max(self.height, self.width))
        height, width = max(1, round(self.height * scale)), max(1, round(self.width * scale))
        (top, left), (inner_height, inner_width) = self.offset, self.inner
        rows = top + (torch.arange(height, dtype=torch.float32) + 0.5) * inner_height / height
        columns = left + (torch.arange(width, dtype=torch.float32) + 0.5) * inner_width / width
        grid = torch.stack(
            torch.meshgrid(rows * 2 / self.size - 1, columns * 2 / self.size - 1, indexing="ij")[::-1], dim=-1
        )
        grid = grid.to(maps)[None]
        return functional.grid_sample(maps[None], grid, mode="bilinear", padding_mode="border", align_corners=False)[0]


def _resized(film: Tensor, size: tuple[int, int], mode: str) -> Tensor:
    return functional.interpolate(film[None, None], size=size, mode=mode, antialias=True, align_corners=False)[0, 0]

"""Maps film coordinates to model input and back: longest side scaled to `size`, centered, padded with air."""

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
    """The placement of a film of `height` x `width` pixels in a square model input of `size` pixels."""

    height: int
    width: int
    size: int

    @classmethod
    def of(cls, pixels: NDArray[np.float32], size: int) -> Letterbox:
        """Return the letterbox of a film (h, w)."""
        height, width = pixels.shape
        return cls(height, width, size)

    @property
    def inner(self) -> tuple[int, int]:
        """Height and width of the resized film, in input pixels."""
        longest = max(self.height, self.width)
        return max(1, round(self.height * self.size / longest)), max(1, round(self.width * self.size / longest))

    @property
    def offset(self) -> tuple[int, int]:
        """Row and column of the film's upper left corner, in input pixels."""
        height, width = self.inner
        return (self.size - height) // 2, (self.size - width) // 2

    def fit(self, film: Tensor, mode: Literal["bilinear", "bicubic"] = "bilinear") -> Tensor:
        """Resize a film (h, w) in [0, 1] with antialiasing and pad it with air; return (size, size) in [0, 1]."""
        if mode == "bicubic":
            # Bicubic resizing overshoots at edges. Pillow, used to train CLIP models, clips after each axis.
            wide = _resized(film, (self.height, self.inner[1]), mode).clamp(0, 1)
            resized = _resized(wide, self.inner, mode).clamp(0, 1)
        else:
            resized = _resized(film, self.inner, mode)
        (top, left), (height, width) = self.offset, self.inner
        right, bottom = self.size - width - left, self.size - height - top
        return functional.pad(resized, (left, right, top, bottom))

    def restore(self, maps: Tensor, *, longest: int | None = None) -> Tensor:
        """Transfer maps of the square input (k, g, g) back to the film: (k, h, w).

        The film's part of the square is cut out with sub-cell precision, so that a cell stays in place on films of any
        shape. `longest` limits the longer side of the result; by default it is the film's own.
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

"""Films whose pixels are not square, shown with square ones: stored as they are, everything on them is squashed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.films.strips import strips

TOLERANCE = 0.01  # spacings are stated with few digits
LONGEST = 4.0  # times as long as wide: no film has such pixels, and a header that says so is wrong


@dataclass(frozen=True, slots=True)
class PixelShape:
    """`ratio` is a pixel's height over its width, 1 where the film is shown as stored; `note` says what is done."""

    ratio: float = 1.0
    note: str | None = None

    def shown_size(self, height: int, width: int) -> tuple[int, int]:
        """Height and width of a film of this stored size once its pixels are square; neither side shrinks."""
        if self.ratio >= 1:
            return round(height * self.ratio), width
        return height, round(width / self.ratio)

    def shown_spacing(self, spacing: tuple[float, float], height: int, width: int) -> tuple[float, float]:
        """Spacing (row, column) of the shown film, for that of a film of this stored size."""
        rows, columns = self.shown_size(height, width)
        return spacing[0] * height / rows, spacing[1] * width / columns

    def squared(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        """Pixels (h, w) with the longer side of each pixel filled by linear interpolation; the same array if square."""
        if self.ratio == 1:
            return pixels
        axis = 0 if self.ratio > 1 else 1
        out = np.empty(self.shown_size(*pixels.shape), np.float32)
        near, far, share = _places(pixels.shape[axis], out.shape[axis])
        for rows in strips(out):
            if axis == 0:
                first, second, weight = pixels[near[rows]], pixels[far[rows]], share[rows, None]
            else:
                part = pixels[rows]
                first, second, weight = part[:, near], part[:, far], share
            out[rows] = first + (second - first) * weight
        return np.clip(out, 0, 1, out=out)


def pixel_shape(stated: Iterable[tuple[float, float]]) -> PixelShape:
    """What height and width of a pixel, stated once or several times, say of its shape; square where nothing is."""
    ratios = [height / width for height, width in stated]
    if all(_is_near(ratio, 1) for ratio in ratios):
        return PixelShape()
    if not all(_is_near(ratio, ratios[0]) for ratio in ratios):
        return PixelShape(note="the file contradicts itself about the shape of its pixels: shown as if square")
    ratio = ratios[0]
    longer, shorter = ("high", "wide") if ratio > 1 else ("wide", "high")
    words = f"{max(ratio, 1 / ratio):.3g} times as {longer} as {shorter}"
    if not 1 / LONGEST <= ratio <= LONGEST:
        return PixelShape(note=f"the file says that its pixels are {words}, as no film's are: shown as if square")
    return PixelShape(ratio, f"resampled to square pixels: the file says that its own are {words}")


def shape_by_density(across: float, down: float) -> PixelShape:
    """The shape of pixels of which so many lie along a length across and down; square where either is not stated."""
    return pixel_shape([(across, down)] if across > 0 and down > 0 else [])


def _is_near(one: float, other: float) -> bool:
    return abs(one / other - 1) <= TOLERANCE


def _places(old: int, new: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """For each of `new` pixels along an axis: the two of `old` that it lies between, and the second one's share."""
    places = np.clip((np.arange(new) + 0.5) * (old / new) - 0.5, 0, old - 1)
    near = places.astype(np.intp)
    return near, np.minimum(near + 1, old - 1), (places - near).astype(np.float32)

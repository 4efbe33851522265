"""Resamples films whose pixels are not square; without this, their anatomy would look distorted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.films.strips import strips

TOLERANCE = 0.01  # spacings are stated with few digits
MAX_RATIO = 4.0  # ratio of a pixel's sides: no film exceeds it, so a header that does is wrong


@dataclass(frozen=True, slots=True)
class PixelShape:
    """`ratio` is a pixel's height over its width, 1 if the film is shown as stored; `note` says what is done."""

    ratio: float = 1.0
    note: str | None = None

    def shown_size(self, height: int, width: int) -> tuple[int, int]:
        """Return the height and width after resampling a film of this stored size; neither side shrinks."""
        if self.ratio >= 1:
            return round(height * self.ratio), width
        return height, round(width / self.ratio)

    def shown_spacing(self, spacing: tuple[float, float], height: int, width: int) -> tuple[float, float]:
        """Return the spacing (row, column) of the shown film, given the stored film's spacing and size."""
        rows, columns = self.shown_size(height, width)
        return spacing[0] * height / rows, spacing[1] * width / columns

    def squared(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        """Resample pixels (h, w) along the longer side of each pixel by linear interpolation; unchanged if square."""
        if self.ratio == 1:
            return pixels
        axis = 0 if self.ratio > 1 else 1
        out = np.empty(self.shown_size(*pixels.shape), np.float32)
        near, far, share = _neighbors(pixels.shape[axis], out.shape[axis])
        for rows in strips(out):
            if axis == 0:
                first, second, weight = pixels[near[rows]], pixels[far[rows]], share[rows, None]
            else:
                part = pixels[rows]
                first, second, weight = part[:, near], part[:, far], share
            out[rows] = first + (second - first) * weight
        return np.clip(out, 0, 1, out=out)


def pixel_shape(stated: Iterable[tuple[float, float]]) -> PixelShape:
    """Return the pixel shape from one or more stated (height, width) pairs; square if none is stated."""
    ratios = [height / width for height, width in stated]
    if all(_is_near(ratio, 1) for ratio in ratios):
        return PixelShape()
    if not all(_is_near(ratio, ratios[0]) for ratio in ratios):
        return PixelShape(note="the file contradicts itself about the shape of its pixels: shown as if square")
    ratio = ratios[0]
    longer, shorter = ("high", "wide") if ratio > 1 else ("wide", "high")
    words = f"{max(ratio, 1 / ratio):.3g} times as {longer} as {shorter}"
    if not 1 / MAX_RATIO <= ratio <= MAX_RATIO:
        return PixelShape(note=f"the file says that its pixels are {words}, which no film has: shown as if square")
    return PixelShape(ratio, f"resampled to square pixels: the file says that its own are {words}")


def shape_by_density(across: float, down: float) -> PixelShape:
    """Return the shape of pixels with densities `across` and `down`; square if either is not stated."""
    return pixel_shape([(across, down)] if across > 0 and down > 0 else [])


def _is_near(one: float, other: float) -> bool:
    return abs(one / other - 1) <= TOLERANCE


def _neighbors(old: int, new: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """Return the two `old` neighbors of each of `new` pixels along an axis, and the weight of the second."""
    places = np.clip((np.arange(new) + 0.5) * (old / new) - 0.5, 0, old - 1)
    near = places.astype(np.intp)
    return near, np.minimum(near + 1, old - 1), (places - near).astype(np.float32)

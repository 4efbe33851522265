"""Converts color images to gray."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.films.strips import strips


def sum_channels(color: NDArray[Any]) -> tuple[NDArray[np.unsignedinteger[Any]], float]:
    """Return the sum (h, w) of the first three channels, and the mean difference of their maximum and minimum."""
    wide = np.uint64 if color.dtype.itemsize > 2 else np.uint32  # large enough for the sum of three values
    total = np.empty(color.shape[:2], wide)
    spread = 0
    for rows in strips(color):
        red, green, blue = (np.ascontiguousarray(color[rows, :, channel]) for channel in range(3))
        np.add(red, green, out=total[rows], dtype=wide)
        total[rows] += blue
        brightest = np.maximum(np.maximum(red, green), blue)
        spread += int((brightest - np.minimum(np.minimum(red, green), blue)).sum(dtype=np.int64))
    return total, spread / total.size


def ybr_to_rgb(color: NDArray[Any], bits: int) -> NDArray[Any]:
    """Convert YBR_FULL (h, w, 3) with `bits` bits to RGB (PS3.3 C.7.6.3.1.2)."""
    out = np.empty_like(color)
    for rows in strips(color):
        light, blue, red = np.moveaxis(color[rows].astype(np.float64), -1, 0)
        blue, red = blue - 2 ** (bits - 1), red - 2 ** (bits - 1)
        mixed = [light + 1.402 * red, light - 0.344136 * blue - 0.714136 * red, light + 1.772 * blue]
        out[rows] = np.clip(np.rint(np.stack(mixed, axis=-1)), 0, 2**bits - 1)
    return out


def is_gray(color: NDArray[Any]) -> bool:
    """Return whether the first three channels of (h, w, 3 or more) are identical."""
    return all(
        np.array_equal(color[rows, :, 0], color[rows, :, channel]) for rows in strips(color) for channel in (1, 2)
    )

"""Smooth maps made larger, and blurs that stay fast at any film size."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter, uniform_filter

from explorer.simulator.shapes import stretched
from models.array_types import Float32

_FEW = 2.5  # px; a wider blur is made of three running means


def enlarged(coarse: Float32, size: int) -> Float32:
    """A smooth square map on (size, size), by cubic B-splines that round it off a little more."""
    count = coarse.shape[0]
    at = (np.arange(size, dtype=np.float32) + np.float32(0.5)) * np.float32(count / size) - np.float32(0.5)
    padded = np.pad(coarse, 2, mode="edge").astype(np.float32)
    return stretched(padded, at + np.float32(0.5))


def blurred(values: Float32, deviation: float) -> Float32:
    """A Gaussian blur of `deviation` pixels; a wide one is made of three box blurs, which take no longer."""
    if deviation <= _FEW:
        return np.asarray(gaussian_filter(values, deviation, mode="nearest", truncate=3), np.float32)
    side = int((np.sqrt(4 * deviation**2 + 1) - 1) // 2) * 2 + 1  # a box of odd side has the variance (side^2 - 1) / 12
    small = round((3 * side**2 + 12 * side + 9 - 12 * deviation**2) / (4 * side + 4))  # the others are two wider
    for number in range(3):
        values = uniform_filter(values, side if number < small else side + 2, mode="nearest")
    return np.asarray(values, np.float32)

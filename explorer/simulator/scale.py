"""Enlarges smooth maps, and blurs fast at any film size."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter, uniform_filter

from explorer.simulator.shapes import stretch_spline
from models.array_types import Float32

_FEW = 2.5  # px; wider blurs use three running means


def enlarge_map(coarse: Float32, size: int) -> Float32:
    """Enlarge a smooth square map to (size, size) by cubic B-splines, which smooth it slightly more."""
    count = coarse.shape[0]
    at = (np.arange(size, dtype=np.float32) + np.float32(0.5)) * np.float32(count / size) - np.float32(0.5)
    padded = np.pad(coarse, 2, mode="edge").astype(np.float32)
    return stretch_spline(padded, at + np.float32(0.5))


def blur_map(values: Float32, deviation: float) -> Float32:
    """Blur with a Gaussian of `deviation` pixels; wide ones use three box blurs, which take constant time."""
    if deviation <= _FEW:
        return np.asarray(gaussian_filter(values, deviation, mode="nearest", truncate=3), np.float32)
    side = int((np.sqrt(4 * deviation**2 + 1) - 1) // 2) * 2 + 1  # a box of odd side has variance (side^2 - 1) / 12
    small = round((3 * side**2 + 12 * side + 9 - 12 * deviation**2) / (4 * side + 4))  # the others are 2 px wider
    for number in range(3):
        values = uniform_filter(values, side if number < small else side + 2, mode="nearest")
    return np.asarray(values, np.float32)

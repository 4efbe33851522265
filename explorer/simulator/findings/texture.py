"""Spread disease through a lung: zones, scattered points, and the mask of a texture."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from explorer.simulator.chest import Chest, Points
from explorer.simulator.findings.side import LungView
from models.array_types import Bools, Float32

_SIZES = 3  # number of different speck sizes drawn
_SPECK = 0.45  # standard deviation of a speck's profile, relative to its radius


def lateral_position(side: LungView) -> Float32:
    """Return the position (size, size) across the lung: 0 medial, 1 lateral, negative toward the midline."""
    return np.asarray((side.out - side.inner) / (side.outer - side.inner).clip(0.5), np.float32)


def vertical_position(side: LungView) -> Float32:
    """Return the position (size, 1) down the lung: 0 at the apex, 1 at the costophrenic angle."""
    return ((side.y - np.float32(side.top)) / np.float32(max(side.angle - side.top, 1.0))).astype(np.float32)


def random_spot(
    side: LungView, random: np.random.Generator, heights: tuple[float, float], widths: tuple[float, float]
) -> tuple[float, float]:
    """Return a film position out, y within fractions of the lung's height and of the width from hilum to side."""
    y = side.height(float(random.uniform(*heights)))
    near = min(side.hilum[0], 0.5 * side.edge(y))
    return near + float(random.uniform(*widths)) * (side.edge(y) - near), y


def random_points(side: LungView, random: np.random.Generator, count: int) -> tuple[Points, Points]:
    """Return film positions (count, 2) out, y spread evenly over a lung, and as fractions of its size."""
    share = random.uniform(size=(count, 2))
    y = side.top + share[:, 1] * (side.angle - side.top)
    near = np.interp(y, side.y[:, 0], side.inner[:, 0])
    far = np.interp(y, side.y[:, 0], side.outer[:, 0])
    return np.stack([near + share[:, 0] * (far - near), y], 1), share


def in_depth(side: LungView, film: Points, z: Points) -> Points:
    """Return patient coordinates (n, 3) of film positions (n, 2) out, y at the depths z (n,)."""
    beam = side.chest.beam
    m = beam.magnified(z)
    x = (side.sign * film[:, 0] - beam.middle) / m + beam.middle - np.sin(beam.patient.rotation) * z
    return np.stack([x, (film[:, 1] - beam.center_y) / m + beam.center_y, z], 1)


def specks(side: LungView, film: Points, radius: NDArray[np.float64]) -> Float32:
    """Return the path (size, size) through soft round specks at film positions (n, 2); each has the volume of its
    sphere.

    Specks of similar size are placed as points and blurred together, so thousands of them are cheap.
    """
    beam, total = side.chest.beam, np.zeros_like(side.chest.lung)
    column = (side.sign * film[:, 0] - float(beam.x[0, 0])) / beam.pixel
    row = (film[:, 1] - float(beam.y[0, 0])) / beam.pixel
    whole = np.stack([np.floor(row), np.floor(column)]).astype(int)
    seen = ((whole >= 0) & (whole < beam.size - 1)).all(0)
    part = np.stack([row, column]) - whole
    sizes = np.linspace(radius.min(initial=1.0), radius.max(initial=0.0) + 1e-6, _SIZES + 1)
    for low, high in pairwise(sizes):
        some = seen & (radius >= low) & (radius < high)
        volume = 4 / 3 * np.pi * radius[some] ** 3 / beam.pixel**2
        layer = np.zeros(beam.size**2)
        for down_, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
            weight = np.abs(1 - down_ - part[0, some]) * np.abs(1 - right - part[1, some])
            place = (whole[0, some] + down_) * beam.size + whole[1, some] + right
            layer += np.bincount(place, weight * volume, beam.size**2)
        spots = layer.reshape(total.shape).astype(np.float32)
        total += gaussian_filter(spots, _SPECK * (low + high) / 2 / beam.pixel, truncate=3)
    return total


def texture_mask(chest: Chest, before: Float32, near: float = 0.5, share: float = 0.25) -> Bools:
    """Return the mask (size, size) of a texture, never empty: smoothed changes above a fraction of the largest."""
    amount = gaussian_filter(np.abs(chest.attenuation() - before), near / chest.beam.pixel, mode="nearest")
    return np.asarray(amount >= share * amount.max())

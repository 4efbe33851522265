"""Disease spread through a lung: zones of it, points strewn in it, and the mask of a texture."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from explorer.simulator.chest import Chest, Points
from explorer.simulator.findings.side import Side
from models.array_types import Bools, Float32

_SIZES = 3  # of specks that are distinguished
_SPECK = 0.45  # deviation of a speck's profile over its radius


def across(side: Side) -> Float32:
    """(size, size): 0 at the lung's medial border, 1 at its lateral border, negative towards the middle."""
    return np.asarray((side.out - side.inner) / (side.outer - side.inner).clip(0.5), np.float32)


def down(side: Side) -> Float32:
    """(size, 1): 0 at the apex, 1 at the costophrenic angle."""
    return ((side.y - np.float32(side.top)) / np.float32(max(side.angle - side.top, 1.0))).astype(np.float32)


def spot(
    side: Side, random: np.random.Generator, heights: tuple[float, float], widths: tuple[float, float]
) -> tuple[float, float]:
    """A film place out, y between shares of the lung's height and of the width from the hilum's line to the side."""
    y = side.height(float(random.uniform(*heights)))
    near = min(side.hilum[0], 0.5 * side.edge(y))
    return near + float(random.uniform(*widths)) * (side.edge(y) - near), y


def strewn(side: Side, random: np.random.Generator, count: int) -> tuple[Points, Points]:
    """Film places (count, 2) out, y and their shares (count, 2) of the lung's width and height, even over its area."""
    share = random.uniform(size=(count, 2))
    y = side.top + share[:, 1] * (side.angle - side.top)
    near = np.interp(y, side.y[:, 0], side.inner[:, 0])
    far = np.interp(y, side.y[:, 0], side.outer[:, 0])
    return np.stack([near + share[:, 0] * (far - near), y], 1), share


def in_depth(side: Side, film: Points, z: Points) -> Points:
    """Patient coordinates (n, 3) of film places (n, 2) out, y when they lie at the depths z (n,)."""
    beam = side.chest.beam
    m = beam.magnified(z)
    x = (side.sign * film[:, 0] - beam.middle) / m + beam.middle - np.sin(beam.patient.rotation) * z
    return np.stack([x, (film[:, 1] - beam.center_y) / m + beam.center_y, z], 1)


def specks(side: Side, film: Points, radius: NDArray[np.float64]) -> Float32:
    """Path (size, size) through soft round specks at film places (n, 2) out, y; each holds the volume of its sphere.

    Thousands of them are cheap: those of about one size are laid down as points and blurred at once.
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


def spread(chest: Chest, before: Float32, near: float = 0.5, share: float = 0.25) -> Bools:
    """Mask (size, size) of a texture, never empty: changes averaged over `near` cm that are a share of the largest."""
    amount = gaussian_filter(np.abs(chest.attenuation() - before), near / chest.beam.pixel, mode="nearest")
    return np.asarray(amount >= share * amount.max())

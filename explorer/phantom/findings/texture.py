"""Disease spread through a lung: zones of it, points strewn in it, and the mask of a texture."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter

from explorer.phantom.beam import Floats
from explorer.phantom.chest import Bools, Chest, Points
from explorer.phantom.findings.side import Side


def across(side: Side) -> Floats:
    """(size, size): 0 at the lung's medial border, 1 at its lateral border, negative towards the middle."""
    return np.asarray((side.out - side.inner) / (side.outer - side.inner).clip(0.5), np.float32)


def down(side: Side) -> Floats:
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


def spread(chest: Chest, before: Floats, near: float = 0.5, share: float = 0.25) -> Bools:
    """Mask (size, size) of a texture, never empty: changes averaged over `near` cm that are a share of the largest."""
    amount = gaussian_filter(np.abs(chest.attenuation() - before), near / chest.beam.pixel, mode="nearest")
    return np.asarray(amount >= share * amount.max())

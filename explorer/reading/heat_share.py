"""Measures how much of a heat map lies inside a finding's mask."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.reading.reader import InputBox
from models.array_types import Float64


def share_inside(heat: NDArray[np.float32], box: InputBox, mask: NDArray[np.bool_]) -> float | None:
    """Return the share of the map's heat inside the mask (h, w) of the film; None if the map has no heat on it.

    `heat` (g, g), 0 or more, covers the square model input; `box` locates the film in it. The map is interpolated
    bilinearly between cell centers, as on the page. A uniform map gives the mask's share of the film, which is chance.
    """
    down, across = (cell_weights(box, side, pixels, heat.shape[side]) for side, pixels in enumerate(mask.shape))
    whole = float(down.sum(axis=0) @ heat @ across.sum(axis=0))
    inside = float((heat * (down.T @ mask @ across)).sum())
    return inside / whole if whole > 0 else None


def cell_weights(box: InputBox, side: int, pixels: int, cells: int) -> Float64:
    """Return the interpolation weight of each cell at each pixel along one side, (pixels, cells)."""
    share = (np.arange(pixels) + 0.5) / pixels
    place = (box.offset[side] + share * box.inner[side]) * cells / box.size - 0.5
    apart = np.abs(np.clip(place, 0, cells - 1)[:, None] - np.arange(cells))
    weights: Float64 = np.maximum(0.0, 1.0 - apart)
    return weights

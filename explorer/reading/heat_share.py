"""How much of a heat map lies inside a mask: whether the model looks where the finding is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.reading.reader import InputBox
from models.array_types import Float64


def share_inside(heat: NDArray[np.float32], box: InputBox, mask: NDArray[np.bool_]) -> float | None:
    """The share of the map's heat that lies inside the mask (h, w) of the film; None where the map has no heat there.

    `heat` (g, g), 0 or more, covers the square model input, `box` says where the film lies in it. Between the centers
    of its cells the map is bilinear, as the page draws it. A map that is the same everywhere has the mask's share of
    the film inside: that is chance.
    """
    down, across = (cell_weights(box, side, pixels, heat.shape[side]) for side, pixels in enumerate(mask.shape))
    whole = float(down.sum(axis=0) @ heat @ across.sum(axis=0))
    inside = float((heat * (down.T @ mask @ across)).sum())
    return inside / whole if whole > 0 else None


def cell_weights(box: InputBox, side: int, pixels: int, cells: int) -> Float64:
    """How much each cell of a side (cells,) counts at each pixel of the film's side: (pixels, cells)."""
    share = (np.arange(pixels) + 0.5) / pixels
    place = (box.offset[side] + share * box.inner[side]) * cells / box.size - 0.5
    apart = np.abs(np.clip(place, 0, cells - 1)[:, None] - np.arange(cells))
    weights: Float64 = np.maximum(0.0, 1.0 - apart)
    return weights

"""Fill polygons, for bones with no simple geometric shape."""

from __future__ import annotations

import numpy as np

from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from models.array_types import Float32


def fill_outline(beam: Beam, corners: Points) -> Float32:
    """Return 1 (size, size) inside the outline (n, 3) as projected on the film, and 0 outside."""
    outline = beam.project(corners)
    (left, top), (right, bottom) = (
        each.astype(int).clip(0, beam.size) for each in (np.floor(outline.min(0)), np.ceil(outline.max(0) + 1))
    )
    (x, y), (onward, down) = outline.T, np.roll(outline, -1, 0).T
    first = np.ceil(np.minimum(y, down).clip(top, bottom)).astype(int)
    count = np.ceil(np.maximum(y, down).clip(top, bottom)).astype(int) - first  # rows each edge crosses
    edge = np.arange(len(x)).repeat(count)
    row = np.arange(len(edge)) - (count.cumsum() - count - first).repeat(count)
    slope = (onward - x) / np.where(down == y, 1, down - y)
    column = np.ceil(x[edge] + slope[edge] * (row - y[edge])).clip(left, right).astype(int)
    high, wide = bottom - top, right - left + 1
    crossings = np.bincount((row - top) * wide + column - left, minlength=high * wide).reshape(high, wide)
    film = np.zeros((beam.size, beam.size), np.float32)
    film[top:bottom, left:right] = crossings[:, :0:-1].cumsum(1)[:, ::-1] & 1  # odd: inside
    return film

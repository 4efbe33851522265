"""Lines and outlines through a few corners, for bones that no simple body resembles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.beam import Beam, Floats
from explorer.phantom.chest import Points


def pairs(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each value with the next, (n - 1, 2): what a line's pieces have at their ends."""
    return np.stack([values[:-1], values[1:]], 1)


def along(count: int, at: tuple[float, ...], values: tuple[float, ...]) -> NDArray[np.float64]:
    """Values (count,) along a line, given at shares of its points."""
    return np.interp(np.linspace(0, 1, count), at, values)


def bowed(corners: Points, steps: int = 8) -> Points:
    """A smooth line through corners (n, 3), a Catmull-Rom spline with `steps` points from each corner to the next."""
    ends = np.concatenate([2 * corners[:1] - corners[1:2], corners, 2 * corners[-1:] - corners[-2:-1]])
    a, b, c, d = (ends[k : len(ends) - 3 + k, None] for k in range(4))
    t = (np.arange(steps) / steps)[None, :, None]
    line = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
    return np.concatenate([line.reshape(-1, 3), corners[-1:]])


def filled(beam: Beam, corners: Points) -> Floats:
    """1 (size, size) inside the outline (n, 3) as seen on the film, 0 outside."""
    outline = beam.project(corners)
    first = np.floor(outline.min(0)).astype(int).clip(0, beam.size)
    last = np.ceil(outline.max(0) + 1).astype(int).clip(0, beam.size)
    inside = np.zeros((last[1] - first[1], last[0] - first[0]), bool)
    columns = np.arange(first[0], last[0])
    for (x0, y0), (x1, y1) in zip(outline, np.roll(outline, -1, 0), strict=True):
        low, high = np.ceil(np.clip(sorted((y0, y1)), first[1], last[1])).astype(int)
        if low < high:  # rows that this edge crosses: what lies left of it changes sides
            rows = np.arange(low, high)
            crossing = x0 + (x1 - x0) * (rows - y0) / (y1 - y0)
            inside[low - first[1] : high - first[1]] ^= columns < crossing[:, None]
    film = np.zeros((beam.size, beam.size), np.float32)
    film[first[1] : last[1], first[0] : last[0]] = inside
    return film

"""Draw smooth lines through a few points, for vessels, airways and bone edges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.chest import Points


def smooth_line(through: Sequence[tuple[float, float, float]] | Points, steps: int = 4) -> Points:
    """Return a smooth line through n points, (steps (n - 1) + 1, 3): a Catmull-Rom spline."""
    points: NDArray[np.float64] = np.asarray(through, np.float64)
    ends = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    a, b, c, d = ends[:-3, None], ends[1:-2, None], ends[2:-1, None], ends[3:, None]
    t = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    between = b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
    return np.concatenate([between.reshape(-1, 3), points[-1:]])


def segment_pairs(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each value with the next one, (n - 1, 2): the values at the ends of a line's segments."""
    return np.stack([values[:-1], values[1:]], 1)


def interpolate_along(count: int, at: tuple[float, ...], values: tuple[float, ...]) -> NDArray[np.float64]:
    """Interpolate values (count,) along a line from values given at fractions of its length."""
    return np.interp(np.linspace(0, 1, count), at, values)

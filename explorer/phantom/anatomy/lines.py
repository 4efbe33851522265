"""Lines through a few points, as smooth as vessels and airways run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.chest import Points


def rounded(through: Sequence[tuple[float, float, float]] | Points) -> Points:
    """The line (4 n - 3, 3) through n points with three put between each two: a Catmull-Rom spline."""
    points: NDArray[np.float64] = np.asarray(through, np.float64)
    ends = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    a, b, c, d = ends[:-3, None], ends[1:-2, None], ends[2:-1, None], ends[3:, None]
    t = np.linspace(0, 1, 4, endpoint=False)[None, :, None]
    between = b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
    return np.concatenate([between.reshape(-1, 3), points[-1:]])

"""Do two columns of figures put things in the same order? Kendall's tau-b and Spearman's rho, for many samples at once.

Values are (..., k); what is NaN in either is left out of both. What differs by rounding alone is equal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from explorer.core.arrays import Floats, ratio
from explorer.metrics.bootstrap import ROUNDING


def kendall(one: ArrayLike, other: ArrayLike) -> Floats:
    """Kendall's tau-b (...,): NaN where all are equal in either (Kendall, Biometrika 1945; 33: 239-251)."""
    a, b = _orders(one, other)
    return _cosine(a, b, (-2, -1))


def spearman(one: ArrayLike, other: ArrayLike) -> Floats:
    """Spearman's rho (...,), equal values sharing their mean rank; NaN where all are equal in either."""
    a, b = _orders(one, other)
    return _cosine(a.sum(axis=-1), b.sum(axis=-1), (-1,))  # twice a rank's distance from the mean rank


def _orders(one: ArrayLike, other: ArrayLike) -> tuple[Floats, Floats]:
    """For each two values (..., k, k) whether the first is greater, 1, or less, -1."""
    values = np.stack(np.broadcast_arrays(np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)))
    less = values[..., :, None] - values[..., None, :]
    known = ~np.isnan(less).any(axis=0)
    signs = np.where(known & (np.abs(less) > ROUNDING), np.sign(less), 0.0)
    return signs[0], signs[1]


def _cosine(a: Floats, b: Floats, axes: tuple[int, ...]) -> Floats:
    return ratio((a * b).sum(axis=axes), np.sqrt((a * a).sum(axis=axes) * (b * b).sum(axis=axes)))

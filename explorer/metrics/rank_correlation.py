"""Whether two columns of figures rank things in the same order: Kendall's tau-b and Spearman's rho, for many samples.

Values are (..., k); items that are NaN in either are left out of both. Differences within rounding count as ties.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from explorer.core.arrays import Floats, ratio
from explorer.metrics.bootstrap import ROUNDING


def kendall(one: ArrayLike, other: ArrayLike) -> Floats:
    """Return Kendall's tau-b (...,): NaN if either has only equal values (Kendall, Biometrika 1945; 33: 239-251)."""
    a, b = _orders(one, other)
    return _cosine(a, b, (-2, -1))


def spearman(one: ArrayLike, other: ArrayLike) -> Floats:
    """Return Spearman's rho (...,) with mean ranks for ties; NaN if either has only equal values."""
    a, b = _orders(one, other)
    return _cosine(a.sum(axis=-1), b.sum(axis=-1), (-1,))  # sums are twice a rank's distance from the mean rank


def _orders(one: ArrayLike, other: ArrayLike) -> tuple[Floats, Floats]:
    """Return, for each pair of values (..., k, k), 1 if the first is greater, -1 if it is less, else 0."""
    values = np.stack(np.broadcast_arrays(np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)))
    less = values[..., :, None] - values[..., None, :]
    known = ~np.isnan(less).any(axis=0)
    signs = np.where(known & (np.abs(less) > ROUNDING), np.sign(less), 0.0)
    return signs[0], signs[1]


def _cosine(a: Floats, b: Floats, axes: tuple[int, ...]) -> Floats:
    return ratio((a * b).sum(axis=axes), np.sqrt((a * a).sum(axis=axes) * (b * b).sum(axis=axes)))

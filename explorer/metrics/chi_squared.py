"""Pearson's chi-squared test: whether columns of counts have the same distribution over the rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike


class ChiSquared(NamedTuple):
    """The statistic, its degrees of freedom, and the chance of one as large if the columns do not differ."""

    statistic: float
    freedom: int
    p: float


def chi_squared(counts: ArrayLike, *, yates: bool = False) -> ChiSquared:
    """Return the test of counts (rows, columns), each count at least 0.

    `yates` subtracts up to 0.5 from each distance to the expected count, as is usual for 2 by 2 tables (Yates,
    Supplement to the Journal of the Royal Statistical Society 1934; 1: 217-235). Raises ValueError for fewer than two
    rows or columns, or if one of them is empty.
    """
    observed = np.asarray(counts, dtype=np.float64)
    if observed.ndim != 2 or min(observed.shape) < 2:
        raise ValueError(f"Counts must be at least 2 by 2. They are {observed.shape}.")
    if not observed.sum(axis=0).all() or not observed.sum(axis=1).all():
        raise ValueError("A row or column of the counts is empty. Leave it out.")
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / observed.sum()
    distance = np.abs(observed - expected)
    if yates:
        distance -= np.minimum(0.5, distance)
    statistic = float((distance**2 / expected).sum())
    freedom = (observed.shape[0] - 1) * (observed.shape[1] - 1)
    return ChiSquared(statistic, freedom, float(scipy.special.chdtrc(freedom, statistic)))

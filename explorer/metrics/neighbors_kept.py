"""How many of each thing's nearest in many dimensions are among its nearest in two: what a map of them is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats
from explorer.metrics.resamples import Resamples

RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Kept:
    """The mean share, from `low` to `high` (95 % interval, percentiles over resampled patients)."""

    share: float
    low: float
    high: float


def nearest(points: Floats, asked: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """The rows (asked, most) nearest to the rows asked by Euclidean distance in `points` (n, d), themselves left out.

    In no order; of rows that are equally far, any.
    """
    squares = np.einsum("nd,nd->n", points, points)
    apart = squares - 2 * points[asked] @ points.T
    apart[np.arange(len(asked)), asked] = np.inf
    found: NDArray[np.intp] = np.argpartition(apart, most - 1, axis=1)[:, :most]
    return found


def shares_kept(true: NDArray[np.intp], found: NDArray[np.intp]) -> Floats:
    """The share of each row of `true` (n, k) that is in the same row of `found` (n, k), (n,)."""
    return np.array([len(np.intersect1d(*rows)) / true.shape[1] for rows in zip(true, found, strict=True)])


def kept(shares: Floats, patient: NDArray[np.int64], seed: int = 0) -> Kept:
    """The mean of shares (n,) with its interval; `patient` (n,) is a number for each one's."""
    _, unit = np.unique(patient, return_inverse=True)
    drawn = Resamples(RESAMPLES, seed, unit, int(unit.max()) + 1, None).counts(range(RESAMPLES))
    means = drawn @ shares / drawn.sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return Kept(float(shares.mean()), float(low), float(high))

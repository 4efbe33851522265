"""How faithful a two-dimensional map is: the share of nearest neighbors that it preserves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats
from explorer.metrics.resamples import Resamples

NEIGHBOR_RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class MeanShare:
    """A mean share with its 95 % interval from `low` to `high`, percentiles over resampled patients."""

    share: float
    low: float
    high: float


def nearest_rows(points: Floats, chosen_rows: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return the rows (chosen, most) nearest to each of `chosen_rows` (chosen,), by Euclidean distance of `points`.

    A row is not its own neighbor. Order is arbitrary, as is the choice among equal distances.
    """
    squares = np.einsum("nd,nd->n", points, points)
    distances = squares - 2 * points[chosen_rows] @ points.T
    distances[np.arange(len(chosen_rows)), chosen_rows] = np.inf
    found: NDArray[np.intp] = np.argpartition(distances, most - 1, axis=1)[:, :most]
    return found


def shares_kept(true: NDArray[np.intp], found: NDArray[np.intp]) -> Floats:
    """Return the share of each row of `true` (n, k) that is also in the same row of `found` (n, k), (n,)."""
    return np.array([len(np.intersect1d(*rows)) / true.shape[1] for rows in zip(true, found, strict=True)])


def mean_share_kept(shares: Floats, patient: NDArray[np.int64], seed: int = 0) -> MeanShare:
    """Return the mean of shares (n,) with its interval; `patient` (n,) gives the number of each film's patient."""
    _, unit = np.unique(patient, return_inverse=True)
    drawn = Resamples(NEIGHBOR_RESAMPLES, seed, unit, int(unit.max()) + 1, None).counts(range(NEIGHBOR_RESAMPLES))
    means = drawn @ shares / drawn.sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return MeanShare(float(shares.mean()), float(low), float(high))

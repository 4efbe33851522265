"""A slice's cost: the failure rate over all films minus the rate outside the slice.

Overall sensitivity, or specificity, would rise by this much if the model did as well in the slice as outside. It equals
(films in the slice / all films) x (rate inside - rate outside), the weighted relative accuracy of subgroup discovery
up to a factor (Lavrac, Flach and Zupan, Rule evaluation measures, 1999).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats, ratio
from models.array_types import Bools

NORMAL_QUANTILE_95 = 1.959964  # standard normal quantile of a 95 % interval
_BLOCK = 64  # candidates per block: 64 x 112,120 films of doubles take 57 MB


@dataclass(frozen=True, slots=True, eq=False)
class SliceCosts:
    """For each candidate (C,): films inside, failures inside, cost, and the cost's lower bound; NaN if undefined."""

    inside: NDArray[np.int64]
    failed: NDArray[np.int64]
    cost: Floats
    low: Floats


def slice_costs(sets: Bools, wrong: Bools, patients: NDArray[np.int64]) -> SliceCosts:
    """Return the costs of candidates (C, n), given which films are misread (n,) and their patients (n,).

    The lower bound is cost - 1.96 standard errors by linearization, summed within patients first (Taylor series method:
    Cochran, Sampling Techniques, 1977, section 9A). Sums run in a fixed order, so results do not depend on threads.
    """
    n, failures = len(wrong), int(wrong.sum())
    inside = np.asarray(sets.sum(axis=1), dtype=np.int64)
    failed = np.asarray((sets & wrong).sum(axis=1), dtype=np.int64)
    if not n:
        nothing = np.full(len(sets), np.nan)
        return SliceCosts(inside, failed, nothing, nothing)
    rest = ratio((failures - failed).astype(np.float64), (n - inside).astype(np.float64))
    cost = np.where(inside > 0, failures / n - rest, np.nan)
    order = np.argsort(patients, kind="stable")
    starts = np.flatnonzero(np.diff(patients[order], prepend=-1))
    error = np.concatenate(
        [
            np.empty(0),
            *(
                _errors(sets[block : block + _BLOCK][:, order], wrong[order], rest[block : block + _BLOCK], starts)
                for block in range(0, len(sets), _BLOCK)
            ),
        ]
    )
    return SliceCosts(inside, failed, cost, cost - NORMAL_QUANTILE_95 * error)


def _errors(sets: Bools, wrong: Bools, rest: Floats, starts: NDArray[np.intp]) -> Floats:
    """Return standard errors (C,) of the cost; films are sorted by patient, each patient beginning at one of
    `starts`.
    """
    n, m = sets.shape[1], len(starts)
    if m < 2:
        return np.full(len(sets), np.nan)
    others = (~sets).sum(axis=1, keepdims=True)
    mean = wrong.sum() / n
    with np.errstate(divide="ignore", invalid="ignore"):
        pulls = (wrong - mean) / n - ~sets * (wrong - rest[:, None]) / others
    sums = np.add.reduceat(pulls, starts, axis=1)
    return np.asarray(np.sqrt(m / (m - 1) * (sums**2).sum(axis=1)))

"""What a slice costs: the rate of failures over all films less the rate over the films outside of it.

That is what the sensitivity, or the specificity, of all these films would gain if the model did as well in the slice
as on the others. It equals (films of the slice / all films) x (rate in the slice - rate on the others), the weighted
relative accuracy of subgroup discovery up to a factor (Lavrac, Flach and Zupan, Rule evaluation measures, 1999).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats, ratio
from models.array_types import Bools

Z = 1.959964  # standard normal quantile of a 95 % interval
_BLOCK = 64  # candidates at a time: 64 x 112,120 films of doubles take 57 MB


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """Of each candidate (C,): films inside, failures inside, the cost, and the cost's low end; NaN where undefined."""

    inside: NDArray[np.int64]
    failed: NDArray[np.int64]
    cost: Floats
    low: Floats


def costs(sets: Bools, wrong: Bools, patients: NDArray[np.int64]) -> Costs:
    """Of candidates (C, n) over films of which some are read wrong (n,), with the standard error over patients (n,).

    The low end is cost - 1.96 standard errors by linearization, whole patients added up first (Taylor series method:
    Cochran, Sampling Techniques, 1977, section 9A). Ratios of counts and sums in a fixed order: no thread changes them.
    """
    n, failures = len(wrong), int(wrong.sum())
    inside = np.asarray(sets.sum(axis=1), dtype=np.int64)
    failed = np.asarray((sets & wrong).sum(axis=1), dtype=np.int64)
    if not n:
        nothing = np.full(len(sets), np.nan)
        return Costs(inside, failed, nothing, nothing)
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
    return Costs(inside, failed, cost, cost - Z * error)


def _errors(sets: Bools, wrong: Bools, rest: Floats, starts: NDArray[np.intp]) -> Floats:
    """Standard errors (C,) of the cost; films stand patient by patient, each from one of `starts` on."""
    n, m = sets.shape[1], len(starts)
    if m < 2:
        return np.full(len(sets), np.nan)
    others = (~sets).sum(axis=1, keepdims=True)
    mean = wrong.sum() / n
    with np.errstate(divide="ignore", invalid="ignore"):
        pulls = (wrong - mean) / n - ~sets * (wrong - rest[:, None]) / others
    sums = np.add.reduceat(pulls, starts, axis=1)
    return np.asarray(np.sqrt(m / (m - 1) * (sums**2).sum(axis=1)))

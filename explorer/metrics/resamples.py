"""How often each case is drawn in each resample of a bootstrap, by case or by unit such as a patient.

Resample r of a seed is the same on every machine and for any number of threads: it has its own random generator.
"""

from __future__ import annotations

import numbers
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Evaluate, Floats, checked_weights
from explorer.core.progress import OnShare, no_progress
from explorer.metrics.case_counts import CaseCounts, CountsMetric, Units

_AT_ONCE = 64, 256  # resamples per chunk, for many and for few cases: enough for fast sums over cases
_COUNTS = 2**19  # target size of a chunk
_MOST_COUNTS = 2**23  # largest chunk: with what is made of it, 150 MB
_CACHED_COUNTS = 2**18  # size limit of a cached chunk of unit counts: 2 MB
_FEW_UNITS = 0.75  # of the cases: with more, it takes longer to sum cases by unit than that saves
WORKERS = min(os.cpu_count() or 1, 8)  # each holds a chunk


@dataclass(frozen=True, slots=True)
class Resamples:
    """The resamples of n cases, each drawing with replacement as many units as there are.

    Resample r draws `default_rng([seed, r]).integers(0, units, units)`, or [seed, r, stream] in another, independent
    stream. Each case is a unit by itself unless `unit_of_case` is given.
    """

    resamples: int
    seed: int
    unit_of_case: npt.NDArray[np.intp] | None  # (n,) number of each case's unit; None: each case is a unit
    units: int
    weights: Floats | None  # (n,)
    stream: int = 0

    def counts(self, chosen: range) -> Counts:
        """Return how often each case is drawn in the chosen resamples (chosen, n), times its weight if it has one.

        The numbers of a case lie together in memory.
        """
        units = self._of_units(chosen)
        cases = units if self.unit_of_case is None else np.take(units.T, self.unit_of_case, axis=0).T
        return cases if self.weights is None else cases * self.weights

    def evaluate(self, evaluate: Evaluate, on_progress: OnShare = no_progress) -> Floats:
        """Evaluate a prepared metric on every resample (resamples, findings), with one thread per core."""
        rows, values = self._values(evaluate)
        step = min(max(_COUNTS // rows, _AT_ONCE[0]), _AT_ONCE[1], max(_MOST_COUNTS // rows, 1))
        chunks = [range(start, min(start + step, self.resamples)) for start in range(0, self.resamples, step)]
        found = []
        with ThreadPoolExecutor(WORKERS) as pool:
            for some in pool.map(values, chunks):
                found.append(some)
                on_progress(len(found) / len(chunks))
        return np.concatenate(found)

    def _of_units(self, chosen: range) -> npt.NDArray[np.int64]:
        """Return how often each unit is drawn in the chosen resamples (chosen, units)."""
        few = len(chosen) * self.units <= _CACHED_COUNTS
        return (_cached_unit_counts if few else _unit_counts)(self.units, self.seed, self.stream, chosen)

    def _values(self, evaluate: Evaluate) -> tuple[int, Callable[[range], Floats]]:
        """Return the rows of counts, and a function that evaluates a metric on some resamples.

        The metric takes counts of units if it can and if that is less to sum.
        """
        cases = self.units if self.unit_of_case is None else len(self.unit_of_case)
        few = self.weights is None and self.units <= _FEW_UNITS * cases
        if self.unit_of_case is None or not few or not isinstance(evaluate, CountsMetric):
            return cases, lambda chunk: evaluate(self.counts(chunk))
        of, units = evaluate.of, Units(self.unit_of_case, self.units)
        return self.units, lambda chunk: of(CaseCounts.of(self._of_units(chunk), units))

    def units_with(self, cases: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Return how many units (findings,) contain any of the chosen cases (n, findings) with a weight above 0."""
        chosen = cases if self.weights is None else cases & (self.weights > 0)[:, None]
        if self.unit_of_case is None:
            return np.asarray(chosen.sum(axis=0), dtype=np.int64)
        counts = (np.bincount(self.unit_of_case[column], minlength=self.units) for column in chosen.T)
        return np.array([np.count_nonzero(each) for each in counts], dtype=np.int64)


def _unit_counts(units: int, seed: int, stream: int, chosen: range) -> npt.NDArray[np.int64]:
    """Return how often each unit is drawn in the chosen resamples (chosen, units)."""
    keys = ([seed, r, stream] if stream else [seed, r] for r in chosen)
    drawn = (np.random.default_rng(key).integers(0, units, units) for key in keys)
    counts: npt.NDArray[np.int64] = np.stack([np.bincount(each, minlength=units) for each in drawn])
    counts.flags.writeable = False  # shared between callers
    return counts


# Cached, because all metrics of all findings on the same films use the same counts, and seeding a generator per
# resample takes longer than most metrics.
_cached_unit_counts = lru_cache(maxsize=24)(_unit_counts)


def resamples_of(
    n: int, resamples: int, seed: int, unit: npt.ArrayLike | None, weights: npt.ArrayLike | None, stream: int = 0
) -> Resamples:
    """Return the resamples of n cases. `unit` (n,) names each case's unit; units are numbered in sorted order.

    Names are text or numbers. Raises ValueError for no cases or resamples, a negative seed, a missing weight, and a
    unit that is missing, blank, neither text nor number, or text among numbers.
    """
    if n < 1 or resamples < 1:
        raise ValueError(f"A bootstrap needs cases and resamples. There are {n} cases and {resamples} resamples.")
    weight = None if weights is None else checked_weights(weights, n)
    if unit is None:
        return Resamples(resamples, seed, None, n, weight, stream)
    names = unit if isinstance(unit, np.ndarray) else np.asarray(unit, dtype=object)  # keeps "a" and 1 apart
    if names.shape != (n,):
        raise ValueError(f"There must be one unit for each of the {n} cases. The units are {names.shape}.")
    _check_names(names)
    distinct, numbered = np.unique(names, return_inverse=True)
    return Resamples(resamples, seed, numbered, len(distinct), weight, stream)


def _check_names(names: npt.NDArray[np.generic]) -> None:
    if names.dtype.kind in "iu":  # integers are never missing
        return
    kinds = [_kind(name) for name in names.tolist()]
    for place, kind in enumerate(kinds):
        if kind is None:
            raise ValueError(
                f"Case {place} has no unit, or one that is neither text nor number. Cases of unknown patients cannot "
                "be drawn together: give each its own unit or leave it out."
            )
        if kind != kinds[0]:
            raise ValueError(
                f"The unit of case {place} is {kind}, that of case 0 is {kinds[0]}. "
                "Name all units by text, or all by numbers, so that one unit has one name."
            )


def _kind(name: object) -> str | None:
    """Return the kind of a unit's name; None for an invalid one: missing, NaN, blank, a date."""
    if isinstance(name, str):
        return "text" if name.strip() else None
    return "a number" if isinstance(name, numbers.Real) and name == name else None

"""How often each case is drawn in each resample of a bootstrap: cases, or whole units such as patients.

Resample r of a seed is the same on every machine and in every number of threads: it has its own random generator.
"""

from __future__ import annotations

import numbers
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Evaluate, Floats, checked_weights
from explorer.core.progress import OnShare, no_progress

_AT_ONCE = 64, 256  # resamples at a time, of many and of few cases: enough of them for fast sums over cases
_COUNTS = 2**19  # that a chunk of many resamples has at most
_KEPT_COUNTS = 2**18  # at most, of units in a chunk that is kept: 2 MB
WORKERS = min(os.cpu_count() or 1, 8)  # each holds a chunk of counts: 64 x 75,422 take 39 MB, thrice that in all


@dataclass(frozen=True, slots=True)
class Resamples:
    """The resamples of n cases: `resamples` times as many units as there are, drawn with replacement.

    Resample r draws `default_rng([seed, r]).integers(0, units, units)`, or [seed, r, stream] in another stream, which
    shares nothing with the first. A case is its own unit unless `units` tell otherwise.
    """

    resamples: int
    seed: int
    unit_of_case: npt.NDArray[np.intp] | None  # (n,) number of each case's unit; None: cases are drawn themselves
    units: int
    weights: Floats | None  # (n,)
    stream: int = 0

    def counts(self, chosen: range) -> Counts:
        """How often each case is drawn in the chosen resamples (chosen, n), times its weight if it has one."""
        few = len(chosen) * self.units <= _KEPT_COUNTS
        units = (_kept_counts if few else _unit_counts)(self.units, self.seed, self.stream, chosen)
        cases = units if self.unit_of_case is None else units[:, self.unit_of_case]
        return cases if self.weights is None else cases * self.weights

    def evaluate(self, evaluate: Evaluate, on_progress: OnShare = no_progress) -> Floats:
        """A prepared metric on every resample (resamples, findings), computed in as many threads as there are cores."""
        cases = self.units if self.unit_of_case is None else len(self.unit_of_case)
        step = min(max(_COUNTS // cases, _AT_ONCE[0]), _AT_ONCE[1])
        chunks = [range(start, min(start + step, self.resamples)) for start in range(0, self.resamples, step)]
        found = []
        with ThreadPoolExecutor(WORKERS) as pool:
            for some in pool.map(lambda chunk: evaluate(self.counts(chunk)), chunks):
                found.append(some)
                on_progress(len(found) / len(chunks))
        return np.concatenate(found)

    def units_with(self, cases: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """How many units have any of the cases chosen (n, findings) that weigh something (findings,)."""
        chosen = cases if self.weights is None else cases & (self.weights > 0)[:, None]
        if self.unit_of_case is None:
            return np.asarray(chosen.sum(axis=0), dtype=np.int64)
        return np.array([len(np.unique(self.unit_of_case[column])) for column in chosen.T], dtype=np.int64)


def _unit_counts(units: int, seed: int, stream: int, chosen: range) -> npt.NDArray[np.int64]:
    """How often each unit is drawn in the chosen resamples (chosen, units)."""
    keys = ([seed, r, stream] if stream else [seed, r] for r in chosen)
    drawn = (np.random.default_rng(key).integers(0, units, units) for key in keys)
    counts: npt.NDArray[np.int64] = np.stack([np.bincount(each, minlength=units) for each in drawn])
    counts.flags.writeable = False  # the same for whoever asks
    return counts


# Every measure of every finding of the same films asks for the same ones: a generator for each resample takes longer
# than most measures do.
_kept_counts = lru_cache(maxsize=24)(_unit_counts)


def resamples_of(
    n: int, resamples: int, seed: int, unit: npt.ArrayLike | None, weights: npt.ArrayLike | None, stream: int = 0
) -> Resamples:
    """The resamples of n cases. `unit` (n,) names each case's unit; units are numbered in the order of their names.

    Units are named by text or by numbers. Raises ValueError for no cases or resamples, a negative seed, a missing
    weight, and a unit that is missing, blank, neither text nor number, or text among numbers.
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
    if names.dtype.kind in "iu":  # whole numbers are never missing
        return
    kinds = [_kind(name) for name in names.tolist()]
    for place, kind in enumerate(kinds):
        if kind is None:
            raise ValueError(
                f"Case {place} has no unit, or one that is neither text nor number. Cases of unknown patients cannot "
                "be drawn together: give each a unit of its own or leave it out."
            )
        if kind != kinds[0]:
            raise ValueError(
                f"The unit of case {place} is {kind}, that of case 0 is {kinds[0]}. "
                "Name all units by text, or all by numbers, so that one unit has one name."
            )


def _kind(name: object) -> str | None:
    """What names a unit; None for what names none: missing, NaN, blank, a date."""
    if isinstance(name, str):
        return "text" if name.strip() else None
    return "a number" if isinstance(name, numbers.Real) and name == name else None

"""One finding on two or more sets of films, which may have films and patients in common: what measures differ by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from explorer.metrics.paired_rows import benjamini_hochberg
from explorer.metrics.patient_ids import numbered

if TYPE_CHECKING:
    from explorer.store.results import Column

Measured = Literal["sensitivity", "specificity", "F1", "average precision", "AUROC", "ECE"]
MEASURES: tuple[Measured, ...] = get_args(Measured)
BETWEEN_CENTERS: tuple[Measured, ...] = (
    "sensitivity",
    "specificity",
    "average precision",
    "AUROC",
)  # of a table's cell
OF_SCORES: tuple[Measured, ...] = ("average precision", "AUROC", "ECE")  # without a threshold, from a bootstrap alone
OF_PREVALENCE: tuple[Measured, ...] = ("F1", "average precision", "ECE")  # follow it while the model stays the same
CHANCE_AT_MOST = 0.05  # adjusted p, at most, of a difference that is marked


@dataclass(frozen=True, slots=True)
class Difference:
    """One minus the other; the interval from the same resamples of patients on both sides.

    `undefined` resamples had one class only on a side and are left out. There is no interval where all others are the
    same: few films look like certainty. `p` is two-sided, None where there is no interval; `adjusted` is over all
    differences that are shown together, None while some are still to come. `other_prevalence`: it is of a measure that
    follows the prevalence, and the 95 % interval of the difference of the two prevalences leaves 0 out. The films, not
    the model, may then make the difference.
    """

    value: float | None
    interval: tuple[float, float] | None = None
    undefined: int = 0
    other_prevalence: bool = False
    p: float | None = None
    adjusted: float | None = None

    @property
    def marked(self) -> bool:
        """Whether the two sides differ by more than chance, and can be compared."""
        return self.adjusted is not None and self.adjusted <= CHANCE_AT_MOST


def difference_of(one: float | None, other: float | None) -> Difference:
    """One minus the other, without an interval."""
    return Difference(None if one is None or other is None else one - other)


def adjusted_together(differences: Sequence[Difference]) -> list[Difference]:
    """The differences that are shown together, p adjusted over all that can be compared (Benjamini and Hochberg)."""
    p = [np.nan if each.p is None or each.other_prevalence else each.p for each in differences]
    adjusted = benjamini_hochberg(np.array(p, dtype=np.float64)).tolist()
    return [
        each if np.isnan(value) else replace(each, adjusted=value)
        for each, value in zip(differences, adjusted, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class CenterGap:
    """What two centers differ by in a measure: the second minus the first."""

    first: str
    second: str
    difference: Difference


def largest_gap_of(values: Sequence[tuple[str, float | None]]) -> CenterGap:
    """The two centers that differ most, of centers with a value each; the intervals are still to come."""
    pairs = combinations(values, 2)
    return largest_gap([CenterGap(first, second, difference_of(two, one)) for (first, one), (second, two) in pairs])


def largest_gap(gaps: Sequence[CenterGap]) -> CenterGap:
    """Of all pairs of centers the one to show: the largest of those marked, else the largest."""
    return max(gaps, key=lambda gap: (gap.difference.marked, abs(gap.difference.value or 0.0)))


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """One finding on the films of either population (n,): a side's label is NaN where the film is not in it.

    `scales` turn margins into scores from 0 to 1, which ECE is of; None: they are scores.
    """

    labels: tuple[NDArray[np.float64], ...]
    scores: tuple[NDArray[np.float64], ...]
    calls: tuple[NDArray[np.float64], ...]  # 1 called, 0 not, NaN without a threshold
    units: NDArray[np.int64]
    scales: tuple[float | None, ...] = (None, None)

    @classmethod
    def of(
        cls,
        one: Column,
        other: Column,
        same_cohort: bool,
        scales: tuple[float | None, float | None] = (None, None),
    ) -> Sides:
        """Align the two by their cases; those of two cohorts have nothing in common."""
        apart = 0 if same_cohort else int(one.case.max(initial=-1)) + 1
        keys = np.concatenate([one.case, other.case + apart])
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        # Patient 1 of one cohort is not that of the other.
        cohorts = np.repeat([0, 0 if same_cohort else 1], [len(one.case), len(other.case)])
        patients = [*one.patient, *other.patient]
        units = numbered([patients[film] for film in first], cohorts[first].tolist())
        where = np.split(place, [len(one.case)])
        return cls(
            _spread(len(first), where, [one.label, other.label]),
            _spread(len(first), where, [one.score, other.score], missing=0.0),
            _spread(len(first), where, [_calls(one), _calls(other)]),
            units,
            scales,
        )

    @classmethod
    def of_centers(cls, column: Column, centers: Sequence[str]) -> Sides:
        """A side for each center, over the films of these centers."""
        there = np.logical_or.reduce([column.center == each for each in centers])
        center, label, score = column.center[there], column.label[there], column.score[there].astype(np.float64)
        calls = _calls(column)[there]
        return cls(
            tuple(np.where(center == each, label, np.nan) for each in centers),
            (score,) * len(centers),
            (calls,) * len(centers),
            numbered(column.patient[there]),
            (None,) * len(centers),
        )

    @property
    def fractions(self) -> list[NDArray[np.float64]]:
        """The scores of each side, from 0 to 1 where they are such or have a scale."""
        return [
            scores if scale is None else expit(scale * scores)
            for scores, scale in zip(self.scores, self.scales, strict=True)
        ]


def _calls(column: Column) -> NDArray[np.float64]:
    return np.where(np.isnan(column.threshold), np.nan, column.score >= column.threshold)


def _spread(
    n: int, places: Sequence[NDArray[np.intp]], columns: Sequence[NDArray[np.floating]], missing: float = np.nan
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both columns over the films of either side (n,), `missing` where a side has no such film."""
    one, other = (np.full(n, missing) for _ in columns)
    one[places[0]], other[places[1]] = columns
    return one, other

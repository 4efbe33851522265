"""Compares a finding's measures between sets of films (sides), which may share films and patients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import scipy
from numpy.typing import NDArray

from explorer.metrics.paired_rows import benjamini_hochberg
from explorer.metrics.patient_ids import patient_numbers

if TYPE_CHECKING:
    from explorer.store.results import Column

SliceMeasure = Literal["sensitivity", "specificity", "F1", "average precision", "AUROC", "ECE"]
SLICE_MEASURES: tuple[SliceMeasure, ...] = get_args(SliceMeasure)
RateMeasure = Literal["sensitivity", "specificity"]  # their intervals and differences have a closed form
RATE_MEASURES: tuple[RateMeasure, ...] = get_args(RateMeasure)
RANKING_MEASURES: tuple[SliceMeasure, ...] = ("average precision", "AUROC")
RESAMPLED_MEASURES: tuple[SliceMeasure, ...] = ("F1", *RANKING_MEASURES, "ECE")
PREVALENCE_DEPENDENT: tuple[SliceMeasure, ...] = ("F1", "average precision", "ECE")  # these depend on prevalence
MAX_ADJUSTED_P = 0.05  # largest adjusted p of a marked difference


@dataclass(frozen=True, slots=True)
class Difference:
    """The value on one side minus that on the other; the interval uses the same resamples of patients on both sides.

    `undefined` counts resamples in which a side has only one class; they are left out. If all others agree, as happens
    with few films, there is no interval. `p` is two-sided, None without an interval; `adjusted` accounts for all
    differences shown together, None until all are known. `other_prevalence`: the measure depends on prevalence, and the
    95 % interval of the prevalence difference excludes 0, so the films rather than the model may cause the difference.
    """

    value: float | None
    interval: tuple[float, float] | None = None
    undefined: int = 0
    other_prevalence: bool = False
    p: float | None = None
    adjusted: float | None = None

    @property
    def marked(self) -> bool:
        """Whether the sides are comparable and differ by more than chance."""
        return self.adjusted is not None and self.adjusted <= MAX_ADJUSTED_P


def difference_of(one: float | None, other: float | None) -> Difference:
    """Return one minus the other, without an interval."""
    return Difference(None if one is None or other is None else one - other)


def adjust_differences(differences: Sequence[Difference]) -> list[Difference]:
    """Adjust p over all comparable differences shown together (Benjamini and Hochberg)."""
    p = [np.nan if each.p is None or each.other_prevalence else each.p for each in differences]
    adjusted = benjamini_hochberg(np.array(p, dtype=np.float64)).tolist()
    return [
        each if np.isnan(value) else replace(each, adjusted=value)
        for each, value in zip(differences, adjusted, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class CenterGap:
    """The difference of two centers in a measure: second minus first."""

    first: str
    second: str
    difference: Difference


def largest_gap_of(values: Sequence[tuple[str, float | None]]) -> CenterGap:
    """Return the two centers whose values differ most, without intervals."""
    pairs = combinations(values, 2)
    return largest_gap([CenterGap(first, second, difference_of(two, one)) for (first, one), (second, two) in pairs])


def largest_gap(gaps: Sequence[CenterGap]) -> CenterGap:
    """Return the gap to show: the largest marked one, else the largest."""
    return max(gaps, key=lambda gap: (gap.difference.marked, abs(gap.difference.value or 0.0)))


def shown_gaps(
    gaps: Mapping[str, Mapping[SliceMeasure, Sequence[CenterGap]]], *, complete: bool
) -> dict[str, dict[SliceMeasure, CenterGap]]:
    """Return the gap to show by finding and measure; if `complete`, with p adjusted over all findings and pairs."""
    every = [gap for measures in gaps.values() for pairs in measures.values() for gap in pairs]
    if complete:
        adjusted = adjust_differences([gap.difference for gap in every])
        every = [replace(gap, difference=each) for gap, each in zip(every, adjusted, strict=True)]
    following = iter(every)
    return {
        finding: {measure: largest_gap([next(following) for _ in pairs]) for measure, pairs in measures.items()}
        for finding, measures in gaps.items()
    }


@dataclass(frozen=True, slots=True, eq=False)
class FindingSides:
    """One finding on the films of all sides (n,): a side's label is NaN for films outside it.

    `scales` convert margins to scores in [0, 1] for ECE; None: they are scores already.
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
    ) -> FindingSides:
        """Align two columns by case; different cohorts share no cases."""
        apart = 0 if same_cohort else int(one.case.max(initial=-1)) + 1
        keys = np.concatenate([one.case, other.case + apart])
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        # The same patient id in two cohorts is two patients.
        cohorts = np.repeat([0, 0 if same_cohort else 1], [len(one.case), len(other.case)])
        patients = [*one.patient, *other.patient]
        units = patient_numbers([patients[film] for film in first], cohorts[first].tolist())
        where = np.split(place, [len(one.case)])
        return cls(
            _spread(len(first), where, [one.label, other.label]),
            _spread(len(first), where, [one.score, other.score], missing=0.0),
            _spread(len(first), where, [_calls(one), _calls(other)]),
            units,
            scales,
        )

    @classmethod
    def of_centers(cls, column: Column, centers: Sequence[str]) -> FindingSides:
        """Make each center a side, over the films of these centers."""
        there = np.logical_or.reduce([column.center == each for each in centers])
        center, label, score = column.center[there], column.label[there], column.score[there].astype(np.float64)
        calls = _calls(column)[there]
        return cls(
            tuple(np.where(center == each, label, np.nan) for each in centers),
            (score,) * len(centers),
            (calls,) * len(centers),
            patient_numbers(column.patient[there]),
            (None,) * len(centers),
        )

    @property
    def fractions(self) -> list[NDArray[np.float64]]:
        """Each side's scores, converted by its scale if it has one."""
        return [
            scores if scale is None else scipy.special.expit(scale * scores)
            for scores, scale in zip(self.scores, self.scales, strict=True)
        ]


def _calls(column: Column) -> NDArray[np.float64]:
    return np.where(np.isnan(column.threshold), np.nan, column.score >= column.threshold)


def _spread(
    n: int, places: Sequence[NDArray[np.intp]], columns: Sequence[NDArray[np.floating]], missing: float = np.nan
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Spread both columns over the films of either side (n,), `missing` where a side lacks the film."""
    one, other = (np.full(n, missing) for _ in columns)
    one[places[0]], other[places[1]] = columns
    return one, other

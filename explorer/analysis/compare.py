"""Two slices side by side: rates and average precision of each, and the difference of the two with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.performance_table import Cell, FindingLine, counted
from explorer.metrics.bootstrap import Bootstrap, bootstrap
from explorer.metrics.metrics import average_precision, sensitivity, specificity
from explorer.metrics.patient_ids import numbered
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.results import Column, Count
    from explorer.store.store import Store

Measured = Literal["sensitivity", "specificity", "average precision"]
MEASURES: tuple[Measured, ...] = get_args(Measured)
_METRICS = {"sensitivity": sensitivity, "specificity": specificity, "average precision": average_precision}


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """A number of one slice: of `n` positives (sensitivity, average precision) or negatives; None where undefined.

    The interval of a rate is Wilson's and there at once; that of average precision is a bootstrap over patients.
    """

    value: float | None
    n: int
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One minus the other; the interval from the same resamples of patients on both sides.

    `undefined` resamples had one class only on a side and are left out. There is no interval where all others are the
    same: few films look like certainty.
    """

    value: float | None
    interval: tuple[float, float] | None = None
    undefined: int = 0

    @property
    def excludes_zero(self) -> bool:
        return self.interval is not None and not self.interval[0] <= 0 <= self.interval[1]


@dataclass(frozen=True, slots=True)
class Pair:
    """A measure of a finding on both sides."""

    finding: str
    measure: Measured
    one: ComparedFigure
    other: ComparedFigure
    difference: Difference


@dataclass(frozen=True, slots=True)
class Compared:
    """`one` and `other` count the slices as they are; everything else is of their populations.

    Films in both populations (`shared`) count on both sides, which the intervals take into account. `intervals`: False
    where the bootstrap is still to come; average precision may then be missing altogether.
    """

    one: Count
    other: Count
    films: tuple[int, int]
    shared: int
    pairs: tuple[Pair, ...]  # head to tail, three measures of each finding
    left_out: tuple[str, ...]  # findings on one side only
    intervals: bool


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """One finding on the films of either population (n,): a side's label is NaN where the film is not in it."""

    labels: tuple[NDArray[np.float64], NDArray[np.float64]]
    scores: tuple[NDArray[np.float64], NDArray[np.float64]]
    calls: tuple[NDArray[np.float64], NDArray[np.float64]]  # 1 called, 0 not, NaN without a threshold
    units: NDArray[np.int64]

    @classmethod
    def of(cls, one: Column, other: Column, same_cohort: bool) -> Sides:
        """Align the two by their cases; those of two cohorts have nothing in common."""
        apart = 0 if same_cohort else int(one.case.max(initial=-1)) + 1
        keys = np.concatenate([one.case, other.case + apart])
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        centers = [  # patient 1 of a center in one cohort is not that of the other
            (0 if same_cohort else side, center) for side, each in enumerate((one, other)) for center in each.center
        ]
        patients = [*one.patient, *other.patient]
        units = numbered([patients[film] for film in first], [centers[film] for film in first])
        where = np.split(place, [len(one.case)])
        return cls(
            _spread(len(first), where, [one.label, other.label]),
            _spread(len(first), where, [one.score, other.score], missing=0.0),
            _spread(len(first), where, [_calls(one), _calls(other)]),
            units,
        )

    def bootstrap(self, measure: Measured, resamples: int, seed: int) -> Bootstrap:
        """The measure on both sides, as two findings are: on the same resamples."""
        labels = np.stack(self.labels, axis=1)
        if measure == "average precision":
            return bootstrap(labels, np.stack(self.scores, axis=1), average_precision, resamples, seed, self.units)
        calls = np.stack(self.calls, axis=1)
        known = np.where(np.isnan(calls), np.nan, labels)
        return bootstrap(known, np.nan_to_num(calls), _METRICS[measure], resamples, seed, self.units)


def compared(store: Store, one: Slice, other: Slice) -> Compared:
    """The two slices at once: the intervals of average precision and of differences are still to come."""
    tables = [_lines(store, one), _lines(store, other)]
    both = [finding for finding in tables[0] if finding in tables[1]]
    pairs = [
        _pair(finding, measure, *(lines[finding].pooled for lines in tables))
        for finding in both
        for measure in MEASURES
    ]
    populations = one.population(), other.population()
    counts = [store.count(each).films for each in populations]
    return Compared(
        one=store.count(one),
        other=store.count(other),
        films=(counts[0], counts[1]),
        shared=_shared(store, populations, [next(iter(lines), "") for lines in tables]),
        pairs=tuple(pairs),
        left_out=tuple(sorted(set(tables[0]) ^ set(tables[1]))),
        intervals=False,
    )


def with_intervals(store: Store, one: Slice, other: Slice, resamples: int, seed: int) -> Compared:
    """The two slices with every interval; takes seconds to minutes."""
    at_once = compared(store, one, other)
    sides: dict[str, Sides] = {}
    pairs = []
    for pair in at_once.pairs:
        if pair.finding not in sides:
            sides = {pair.finding: _sides(store, one, other, pair.finding)}  # one finding in memory at a time
        pairs.append(_resampled(pair, sides[pair.finding].bootstrap(pair.measure, resamples, seed)))
    return replace(at_once, pairs=tuple(pairs), intervals=True)


def _sides(store: Store, one: Slice, other: Slice, finding: str) -> Sides:
    columns = [store.column(each.population(), finding) for each in (one, other)]
    return Sides.of(columns[0], columns[1], one.cohort == other.cohort)


def _lines(store: Store, asked: Slice) -> dict[str, FindingLine]:
    """By finding, head to tail, over the population with its finding and center."""
    return {line.finding: line for line in counted(store, asked.population()).lines}


def _pair(finding: str, measure: Measured, cell: Cell, beside: Cell) -> Pair:
    one, other = _figure(cell, measure), _figure(beside, measure)
    return Pair(finding, measure, one, other, _difference(one, other))


def _figure(cell: Cell, measure: Measured) -> ComparedFigure:
    if measure == "average precision":
        return ComparedFigure(cell.average_precision, cell.positives, None)
    rate = cell.sensitivity if measure == "sensitivity" else cell.specificity
    return ComparedFigure(rate.value, rate.n, rate.interval)


def _difference(one: ComparedFigure, other: ComparedFigure) -> Difference:
    if one.value is None or other.value is None:
        return Difference(None)
    return Difference(one.value - other.value)


def _resampled(pair: Pair, both: Bootstrap) -> Pair:
    """The pair with what the resamples say; average precision gets its point too where it was still to come."""
    less = Bootstrap.of(
        both.point[:1] - both.point[1:], both.samples[:, :1] - both.samples[:, 1:], both.units.min(keepdims=True)
    )
    value, low, high = (float(each[0]) for each in (less.point, less.low, less.high))
    if np.isnan(value):
        return pair
    apart = Difference(value, (low, high) if low < high else None, int(less.undefined[0]))
    if pair.measure != "average precision":
        return replace(pair, difference=apart)
    figures = [
        ComparedFigure(float(both.point[side]), figure.n, _interval(both, side))
        for side, figure in enumerate((pair.one, pair.other))
    ]
    return replace(pair, one=figures[0], other=figures[1], difference=apart)


def _interval(both: Bootstrap, side: int) -> tuple[float, float] | None:
    low, high = float(both.low[side]), float(both.high[side])
    return (low, high) if low < high else None


def _calls(column: Column) -> NDArray[np.float64]:
    return np.where(np.isnan(column.threshold), np.nan, column.score >= column.threshold)


def _spread(
    n: int, places: Sequence[NDArray[np.intp]], columns: Sequence[NDArray[np.floating]], missing: float = np.nan
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both columns over the films of either side (n,), `missing` where a side has no such film."""
    one, other = (np.full(n, missing) for _ in columns)
    one[places[0]], other[places[1]] = columns
    return one, other


def _shared(store: Store, populations: Sequence[Slice], findings: Sequence[str]) -> int:
    """Films in both populations: a model scores every film for each of its findings, so that one tells."""
    if len({each.cohort for each in populations}) > 1 or not all(findings):
        return 0
    one, other = (store.column(each, finding).case for each, finding in zip(populations, findings, strict=True))
    return len(np.intersect1d(one, other))

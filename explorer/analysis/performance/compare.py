"""Two slices side by side: rates and metrics of each, and the difference of the two with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.performance.performance_table import Cell, FindingLine, counted
from explorer.analysis.performance.side_figures import side_figures
from explorer.analysis.performance.two_sides import (
    MEASURES,
    Difference,
    Measured,
    Sides,
    adjusted_together,
    difference_of,
)
from explorer.metrics.bootstrap import Bootstrap
from explorer.runtime.cached_per_owner import remembered
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.results import Count
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """A number of one slice: of `n` positives or, a specificity, negatives; None where undefined.

    The interval of a rate is Wilson's and there at once; all others are a bootstrap over patients. `n` of an ECE is of
    all labeled films. `chance` is what a model would have that knows nothing; None where that depends on a threshold.
    """

    value: float | None
    n: int
    interval: tuple[float, float] | None
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A measure of a finding on both sides; `known`: what takes a bootstrap is there."""

    finding: str
    measure: Measured
    one: ComparedFigure
    other: ComparedFigure
    difference: Difference
    known: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """`one` and `other` count the slices as they are; everything else is of their populations.

    Films in both populations (`shared`) count on both sides, which the intervals take into account. Where the bootstrap
    of a pair is still to come, what is of scores may be missing altogether.
    """

    one: Count
    other: Count
    films: tuple[int, int]
    shared: int
    pairs: tuple[Pair, ...]  # head to tail, each measure of a finding
    left_out: tuple[str, ...]  # findings on one side only

    @property
    def intervals(self) -> bool:
        """Whether every interval is there."""
        return all(pair.known for pair in self.pairs)

    @property
    def findings(self) -> tuple[str, ...]:
        """Those on both sides, head to tail."""
        return tuple(dict.fromkeys(pair.finding for pair in self.pairs))

    def of(self, finding: str) -> tuple[Pair, ...]:
        """The measures of a finding."""
        return tuple(pair for pair in self.pairs if pair.finding == finding)

    def knowing(self, known: Mapping[str, tuple[Pair, ...]]) -> Compared:
        """The same with the pairs of the findings whose intervals are known."""
        return replace(self, pairs=tuple(pair for each in self.findings for pair in known.get(each) or self.of(each)))


def compared(store: Store, one: Slice, other: Slice) -> Compared:
    """The two slices at once: the intervals of average precision and of differences are still to come."""
    return _compared(store, one, other, tuple(store.version(each.cohort, each.model) for each in (one, other)))


@remembered(16)
def _compared(store: Store, one: Slice, other: Slice, _versions: tuple[str, ...]) -> Compared:
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
    )


def with_intervals(store: Store, one: Slice, other: Slice, resamples: int, seed: int) -> Compared:
    """The two slices with every interval; takes seconds."""
    at_once = compared(store, one, other)
    known = {
        finding: resampled(at_once.of(finding), sides_of(store, one, other, finding), resamples, seed)
        for finding in at_once.findings
    }
    return at_once.knowing(known)


def shown_together(every: Sequence[Compared]) -> list[Compared]:
    """The comparisons with p adjusted over all findings, measures and pinned slices, once every interval is there."""
    if not all(each.intervals for each in every):
        return list(every)
    differences = iter(adjusted_together([pair.difference for each in every for pair in each.pairs]))
    return [
        replace(each, pairs=tuple(replace(pair, difference=next(differences)) for pair in each.pairs)) for each in every
    ]


def sides_of(store: Store, one: Slice, other: Slice, finding: str) -> Sides:
    """A finding's films on both sides."""
    columns = [store.column(each.population(), finding) for each in (one, other)]
    scales = store.model(one.cohort, one.model).scale, store.model(other.cohort, other.model).scale
    return Sides.of(columns[0], columns[1], one.cohort == other.cohort, scales)


def _lines(store: Store, asked: Slice) -> dict[str, FindingLine]:
    """By finding, head to tail, over the population with its finding and center."""
    return {line.finding: line for line in counted(store, asked.population()).lines}


def _pair(finding: str, measure: Measured, cell: Cell, beside: Cell) -> Pair:
    one, other = _figure(cell, measure), _figure(beside, measure)
    return Pair(finding, measure, one, other, difference_of(one.value, other.value))


def _figure(cell: Cell, measure: Measured) -> ComparedFigure:
    if measure in ("sensitivity", "specificity"):
        rate = cell.sensitivity if measure == "sensitivity" else cell.specificity
        return ComparedFigure(rate.value, rate.n, rate.interval)
    n = {"F1": cell.sensitivity.n, "ECE": cell.positives + cell.negatives}.get(measure, cell.positives)
    return ComparedFigure(cell.value(measure), n, None, cell.chance(measure))


def resampled(pairs: Sequence[Pair], sides: Sides, resamples: int, seed: int) -> tuple[Pair, ...]:
    """The pairs of one finding with what the resamples say; what is of scores gets its point where it was to come."""
    figures = side_figures(sides, resamples, seed)
    return tuple(_resampled(pair, figures.measures[pair.measure], figures.difference(pair.measure)) for pair in pairs)


def _resampled(pair: Pair, both: Bootstrap, apart: Difference) -> Pair:
    if apart.value is None:
        return replace(pair, known=True)
    if pair.measure in ("sensitivity", "specificity"):
        return replace(pair, difference=apart, known=True)
    one, other = (
        replace(figure, value=float(both.point[side]), interval=_interval(both, side))
        for side, figure in enumerate((pair.one, pair.other))
    )
    return replace(pair, one=one, other=other, difference=apart, known=True)


def _interval(both: Bootstrap, side: int) -> tuple[float, float] | None:
    low, high = float(both.low[side]), float(both.high[side])
    return (low, high) if low < high else None


def _shared(store: Store, populations: Sequence[Slice], findings: Sequence[str]) -> int:
    """Films in both populations: a model scores every film for each of its findings, so that one tells."""
    if len({each.cohort for each in populations}) > 1 or not all(findings):
        return 0
    one, other = (store.column(each, finding).case for each, finding in zip(populations, findings, strict=True))
    return len(np.intersect1d(one, other))

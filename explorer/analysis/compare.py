"""Two slices side by side: rates and metrics of each, and the difference of the two with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.performance_table import Cell, FindingLine, counted
from explorer.analysis.two_sides import MEASURES, Difference, Measured, Sides, difference_of
from explorer.metrics.bootstrap import Bootstrap
from explorer.runtime.work_process import Process, here
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
    where the bootstrap is still to come; what is of scores may then be missing altogether.
    """

    one: Count
    other: Count
    films: tuple[int, int]
    shared: int
    pairs: tuple[Pair, ...]  # head to tail, each measure of a finding
    left_out: tuple[str, ...]  # findings on one side only
    intervals: bool


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


def with_intervals(
    store: Store, one: Slice, other: Slice, resamples: int, seed: int, process: Process = here
) -> Compared:
    """The two slices with every interval; takes seconds to minutes, in the `process`."""
    at_once = compared(store, one, other)
    sides: dict[str, Sides] = {}
    pairs = []
    for pair in at_once.pairs:
        if pair.finding not in sides:
            sides = {pair.finding: _sides(store, one, other, pair.finding)}  # one finding in memory at a time
        pairs.append(process(partial(_resampled, pair, sides[pair.finding], resamples, seed)))
    return replace(at_once, pairs=tuple(pairs), intervals=True)


def _sides(store: Store, one: Slice, other: Slice, finding: str) -> Sides:
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


def _resampled(pair: Pair, sides: Sides, resamples: int, seed: int) -> Pair:
    """The pair with what the resamples say; what is of scores gets its point too where it was still to come."""
    both = sides.bootstrap(pair.measure, resamples, seed)
    apart = sides.difference(pair.measure, both, resamples, seed)
    if apart.value is None:
        return pair
    if pair.measure in ("sensitivity", "specificity"):
        return replace(pair, difference=apart)
    one, other = (
        replace(figure, value=float(both.point[side]), interval=_interval(both, side))
        for side, figure in enumerate((pair.one, pair.other))
    )
    return replace(pair, one=one, other=other, difference=apart)


def _interval(both: Bootstrap, side: int) -> tuple[float, float] | None:
    low, high = float(both.low[side]), float(both.high[side])
    return (low, high) if low < high else None


def _shared(store: Store, populations: Sequence[Slice], findings: Sequence[str]) -> int:
    """Films in both populations: a model scores every film for each of its findings, so that one tells."""
    if len({each.cohort for each in populations}) > 1 or not all(findings):
        return 0
    one, other = (store.column(each, finding).case for each, finding in zip(populations, findings, strict=True))
    return len(np.intersect1d(one, other))

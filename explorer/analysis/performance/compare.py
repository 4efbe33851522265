"""Compares two slices: rates and metrics of each, and their differences with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.performance.center_rates import difference_of_sides
from explorer.analysis.performance.performance_table import (
    MAX_IMMEDIATE_PAIRS,
    FindingLine,
    PerformanceCell,
    count_table,
)
from explorer.analysis.performance.side_figures import side_figures
from explorer.analysis.performance.two_sides import (
    RATE_MEASURES,
    RESAMPLED_MEASURES,
    SLICE_MEASURES,
    Difference,
    FindingSides,
    SliceMeasure,
    adjust_differences,
    difference_of,
)
from explorer.metrics.bootstrap import Bootstrap
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.results import Count
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class SliceFigure:
    """A measure of one slice over `n` positives (for specificity, negatives); None if undefined.

    Rates have intervals in closed form; the others come from a bootstrap over patients, computed later. For ECE, `n`
    counts all labeled films. `chance` is an uninformative model's value; None if it depends on a threshold.
    """

    value: float | None
    n: int
    interval: tuple[float, float] | None
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class ComparedMeasure:
    """A measure of a finding in both slices; `known`: its intervals are computed."""

    finding: str
    measure: SliceMeasure
    one: SliceFigure
    other: SliceFigure
    difference: Difference
    known: bool = False


@dataclass(frozen=True, slots=True)
class SliceComparison:
    """Two compared slices: `one` and `other` are the slices' counts, everything else refers to their populations.

    Films in both populations (`shared` of them) count on both sides; the intervals account for this. Until a pair's
    bootstrap is done, its score-based values may be missing.
    """

    one: Count
    other: Count
    films: tuple[int, int]
    shared: int
    pairs: tuple[ComparedMeasure, ...]  # head to tail, then by measure
    left_out: tuple[str, ...]  # findings on one side only

    @property
    def intervals(self) -> bool:
        """Whether every interval is computed."""
        return all(pair.known for pair in self.pairs)

    @property
    def findings(self) -> tuple[str, ...]:
        """Findings in both slices, head to tail."""
        return tuple(dict.fromkeys(pair.finding for pair in self.pairs))

    def of(self, finding: str) -> tuple[ComparedMeasure, ...]:
        """Return a finding's measures."""
        return tuple(pair for pair in self.pairs if pair.finding == finding)

    def knowing(self, known: Mapping[str, tuple[ComparedMeasure, ...]]) -> SliceComparison:
        """Return the comparison updated with the pairs whose intervals are known."""
        return replace(self, pairs=tuple(pair for each in self.findings for pair in known.get(each) or self.of(each)))


def compare_slices(store: Store, one: Slice, other: Slice) -> SliceComparison:
    """Compare two slices quickly, without bootstrap intervals."""
    return _compared(store, one, other, tuple(store.version(each.cohort, each.model) for each in (one, other)))


@cached_per_owner(16)
def _compared(store: Store, one: Slice, other: Slice, _versions: tuple[str, ...]) -> SliceComparison:
    tables = [_lines_by_finding(store, one), _lines_by_finding(store, other)]
    both = [finding for finding in tables[0] if finding in tables[1]]
    pairs = [
        _pair(finding, measure, *(lines[finding].pooled for lines in tables))
        for finding in both
        for measure in SLICE_MEASURES
    ]
    if sum(cell.positives + cell.negatives for lines in tables for cell in _pooled(lines)) <= MAX_IMMEDIATE_PAIRS:
        sides = {finding: finding_sides(store, one, other, finding) for finding in both}
        pairs = [_with_rate(pair, sides[pair.finding]) for pair in pairs]
    populations = one.population(), other.population()
    counts = [store.count(each).films for each in populations]
    return SliceComparison(
        one=store.count(one),
        other=store.count(other),
        films=(counts[0], counts[1]),
        shared=_shared(store, populations, [next(iter(lines), "") for lines in tables]),
        pairs=tuple(pairs),
        left_out=tuple(sorted(set(tables[0]) ^ set(tables[1]))),
    )


def _pooled(lines: Mapping[str, FindingLine]) -> Iterator[PerformanceCell]:
    return (line.pooled for line in lines.values())


def adjust_comparisons(every: Sequence[SliceComparison]) -> list[SliceComparison]:
    """Adjust p over all findings and pinned slices: of the rates, and of the other measures once all are known."""
    adjusted = [pair for each in every for pair in each.pairs]
    for measures in (RATE_MEASURES, RESAMPLED_MEASURES):
        places = [place for place, pair in enumerate(adjusted) if pair.measure in measures]
        if all(adjusted[place].known for place in places):
            differences = adjust_differences([adjusted[place].difference for place in places])
            for place, difference in zip(places, differences, strict=True):
                adjusted[place] = replace(adjusted[place], difference=difference)
    following = iter(adjusted)
    return [replace(each, pairs=tuple(next(following) for _ in each.pairs)) for each in every]


def finding_sides(store: Store, one: Slice, other: Slice, finding: str) -> FindingSides:
    """Return a finding's films in both slices."""
    columns = [store.column(each.population(), finding) for each in (one, other)]
    scales = store.model(one.cohort, one.model).scale, store.model(other.cohort, other.model).scale
    return FindingSides.of(columns[0], columns[1], one.cohort == other.cohort, scales)


def _lines_by_finding(store: Store, chosen: Slice) -> dict[str, FindingLine]:
    """Return the population's table lines by finding, head to tail."""
    return {line.finding: line for line in count_table(store, chosen.population()).lines}


def _pair(finding: str, measure: SliceMeasure, cell: PerformanceCell, other_cell: PerformanceCell) -> ComparedMeasure:
    one, other = _figure(cell, measure), _figure(other_cell, measure)
    return ComparedMeasure(finding, measure, one, other, difference_of(one.value, other.value))


def _figure(cell: PerformanceCell, measure: SliceMeasure) -> SliceFigure:
    if measure in ("sensitivity", "specificity"):
        rate = cell.sensitivity if measure == "sensitivity" else cell.specificity
        return SliceFigure(rate.value, rate.n, rate.interval)
    n = {"F1": cell.sensitivity.n, "ECE": cell.positives + cell.negatives}.get(measure, cell.positives)
    return SliceFigure(cell.value(measure), n, None, cell.chance(measure))


def add_resampled(
    pairs: Sequence[ComparedMeasure], sides: FindingSides, resamples: int, seed: int
) -> tuple[ComparedMeasure, ...]:
    """Return one finding's pairs with every interval and any point estimates that were missing."""
    figures = side_figures(sides, resamples, seed)
    return tuple(
        _with_rate(pair, sides)
        if pair.measure in RATE_MEASURES
        else _resampled(pair, figures.measures[pair.measure], figures.difference(pair.measure))
        for pair in pairs
    )


def _with_rate(pair: ComparedMeasure, sides: FindingSides) -> ComparedMeasure:
    """Return a pair of rates with its difference in closed form; any other pair as it is."""
    if pair.measure not in RATE_MEASURES:
        return pair
    return replace(pair, difference=difference_of_sides(sides, pair.measure), known=True)


def _resampled(pair: ComparedMeasure, both: Bootstrap, apart: Difference) -> ComparedMeasure:
    if apart.value is None:
        return replace(pair, known=True)
    one, other = (
        replace(figure, value=float(both.point[side]), interval=_interval(both, side))
        for side, figure in enumerate((pair.one, pair.other))
    )
    return replace(pair, one=one, other=other, difference=apart, known=True)


def _interval(both: Bootstrap, side: int) -> tuple[float, float] | None:
    low, high = float(both.low[side]), float(both.high[side])
    return (low, high) if low < high else None


def _shared(store: Store, populations: Sequence[Slice], findings: Sequence[str]) -> int:
    """Count films in both populations; one finding suffices, because a model scores all its findings on every film."""
    if len({each.cohort for each in populations}) > 1 or not all(findings):
        return 0
    one, other = (store.column(each, finding).case for each, finding in zip(populations, findings, strict=True))
    return len(np.intersect1d(one, other))

"""A model's performance by finding and center: counts with rates, average precision, AUROC, score shift."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.performance.center_rates import center_differences, center_rates, rate_of_all
from explorer.analysis.performance.two_sides import (
    RANKING_MEASURES,
    RATE_MEASURES,
    CenterGap,
    RateMeasure,
    SliceMeasure,
    largest_gap_of,
    shown_gaps,
)
from explorer.core.arrays import or_none
from explorer.core.findings import TASKS, FrequencyGroup
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate
from explorer.metrics.metrics import Metric, auroc, average_precision
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.filter_registry import APPEARANCE_FILTERS
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.queries.patient_counts import PatientCounts
    from explorer.store.results import Column, Tally
    from explorer.store.store import Store

ALL_CENTERS = ""  # stands for all labeled centers together
CHANCE_AUROC = 0.5  # AUROC of an uninformative model at any prevalence
MAX_IMMEDIATE_PAIRS = (
    200_000  # (film, finding) pairs; beyond this, average precision and AUROC take seconds and come later
)
_ORDER = (*(group for group in FrequencyGroup if group is not FrequencyGroup.NORMAL), FrequencyGroup.NORMAL, None)


@dataclass(frozen=True, slots=True)
class ScoreShift:
    """The scores at a center without labels for the finding, where performance cannot be measured."""

    films: int
    median: float
    difference: float | None  # from the labeled films' median over all centers; None without labels


@dataclass(frozen=True, slots=True)
class NaturalPrecision:
    """Average precision with films weighted to natural prevalence; `prevalence` is its chance level."""

    value: float
    prevalence: float


@dataclass(frozen=True, slots=True)
class PerformanceCell:
    """One finding at one center. Rates at the operating point count only films with a threshold."""

    finding: str
    center: str  # or ALL_CENTERS
    sensitivity: Rate
    specificity: Rate
    positives: int  # labeled present, with a threshold or not
    negatives: int
    average_precision: float | None  # None with one class, or not yet computed
    shift: ScoreShift | None  # only if no film is labeled
    auroc: float | None = None  # None whenever average precision is None
    natural: NaturalPrecision | None = None  # None if films have no weights

    @property
    def prevalence(self) -> float | None:
        """Prevalence among labeled films: the chance level of average precision."""
        n = self.positives + self.negatives
        return self.positives / n if n else None

    @property
    def f1(self) -> float | None:
        """2 x hits / (positives + calls); None without positives."""
        hits, false_alarms = self.sensitivity.hits, self.specificity.n - self.specificity.hits
        return 2 * hits / (self.sensitivity.n + hits + false_alarms) if self.sensitivity.n else None

    def value(self, measure: SliceMeasure) -> float | None:
        """Return a measure; None if undefined or not yet computed."""
        return {
            "sensitivity": self.sensitivity.value,
            "specificity": self.specificity.value,
            "F1": self.f1,
            "average precision": self.average_precision,
            "AUROC": self.auroc,
            "ECE": None,
        }[measure]

    def chance(self, measure: SliceMeasure) -> float | None:
        """Return an uninformative model's value; None for rates, where it depends on the threshold."""
        return {"average precision": self.prevalence, "AUROC": CHANCE_AUROC}.get(measure)


@dataclass(frozen=True, slots=True)
class SensitivityGap:
    """The largest difference in sensitivity between two centers."""

    value: float
    high: PerformanceCell
    low: PerformanceCell


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A finding's cells: all labeled centers pooled, and each center in the table's order.

    `gaps` holds the two most different centers for every measure of a cell, empty with fewer than two; those of rates
    have intervals, and p adjusted over both rates, all findings and all pairs of centers.
    """

    finding: str
    group: FrequencyGroup | None
    pooled: PerformanceCell
    cells: tuple[PerformanceCell, ...]
    gaps: Mapping[SliceMeasure, CenterGap] = field(default_factory=dict)

    @property
    def unseen(self) -> bool:
        """Whether the finding belongs to the challenge's Task 2, whose findings form a group of their own."""
        return self.finding in TASKS["unseen"]

    @property
    def gap(self) -> SensitivityGap | None:
        """The sensitivity gap; None with fewer than two centers that have positives and a threshold."""
        rated = sorted((cell.sensitivity.value, cell.center, cell) for cell in self.cells if cell.sensitivity.n)
        if len(rated) < 2:
            return None
        (low, _, lowest), (high, _, highest) = rated[0], rated[-1]
        return SensitivityGap((high or 0.0) - (low or 0.0), highest, lowest)


@dataclass(frozen=True, slots=True)
class TableCenter:
    """A center of the table; `origin` is None if unknown."""

    name: str
    films: int
    labelled: bool
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class PerformanceTable:
    """Findings x centers: findings from head to tail, then unseen ones; within a group, most positives first.

    `points_pending`: there are so many pairs that average precision and score shift are computed later, with their
    intervals.
    """

    chosen: Slice
    centers: tuple[TableCenter, ...]  # by decreasing number of films
    lines: tuple[FindingLine, ...]
    version: str
    points_pending: bool = False

    @property
    def between(self) -> tuple[str, ...]:
        """Labeled centers, which are compared in pairs; empty if there are fewer than two."""
        labelled = tuple(center.name for center in self.centers if center.labelled)
        return labelled if len(labelled) > 1 else ()


def table_slice(chosen: Slice, *, center: str | None = None) -> Slice:
    """Return the slice that a table covers: all calls, all findings, and one center or all."""
    return replace(chosen.population(), finding=None, center=center)


def build_performance_table(store: Store, chosen: Slice) -> PerformanceTable:
    """Return the table of the slice's films over all findings and centers."""
    return count_table(store, table_slice(chosen))


def count_table(store: Store, population: Slice) -> PerformanceTable:
    """Return the table of exactly this population; cached until files change."""
    return _table(store, population, store.version(population.cohort, population.model))


@cached_per_owner(32)
def _table(store: Store, chosen: Slice, version: str) -> PerformanceTable:
    tallies, counts = store.tally(chosen), store.patient_counts(chosen)
    pending = sum(map(_pairs, tallies)) > MAX_IMMEDIATE_PAIRS
    centers = _centers(store, chosen, tallies)
    groups = store.groups(chosen.cohort, chosen.model, chosen.source)
    lines = []
    for finding in dict.fromkeys(tally.finding for tally in tallies):
        those = {tally.center: tally for tally in tallies if tally.finding == finding}
        column = None if pending else store.column(chosen, finding)
        rates = {measure: center_rates(counts.get(finding), measure) for measure in RATE_MEASURES}
        cells = tuple(_cell(finding, center.name, those.get(center.name), rates, column) for center in centers)
        pooled = _pooled(finding, cells, counts.get(finding), column)
        lines.append(FindingLine(finding, groups[finding], pooled, cells))
    table = PerformanceTable(chosen, centers, tuple(sorted(lines, key=_head_to_tail)), version, pending)
    return replace(table, lines=_with_gaps(table, counts)) if table.between else table


def _with_gaps(table: PerformanceTable, counts: Mapping[str, PatientCounts]) -> tuple[FindingLine, ...]:
    """Return the lines with the largest gaps between the labeled centers."""
    rates = shown_gaps(
        {
            line.finding: {
                measure: center_differences(counts.get(line.finding), measure, table.between)
                for measure in RATE_MEASURES
            }
            for line in table.lines
        },
        complete=True,
    )
    return tuple(
        replace(line, gaps={**rates[line.finding], **_ranking_gaps(line, table.between)}) for line in table.lines
    )


def _ranking_gaps(line: FindingLine, between: Sequence[str]) -> dict[SliceMeasure, CenterGap]:
    """Return the largest gaps of average precision and AUROC, without intervals."""
    cells = [next(cell for cell in line.cells if cell.center == center) for center in between]
    return {
        measure: largest_gap_of([(cell.center, cell.value(measure)) for cell in cells]) for measure in RANKING_MEASURES
    }


def _centers(store: Store, chosen: Slice, tallies: Iterable[Tally]) -> tuple[TableCenter, ...]:
    origins = store.model(chosen.cohort, chosen.model).origins
    films: dict[str, int] = {}
    labelled = set()
    for tally in tallies:
        films[tally.center] = max(films.get(tally.center, 0), _pairs(tally))  # each film counts once per finding
        if tally.positives + tally.negatives:
            labelled.add(tally.center)
    if chosen.without(*APPEARANCE_FILTERS) != chosen:  # appearance filters keep a film for some findings only
        films = {name: store.count(replace(chosen, center=name)).films for name in films}
    order = sorted(films, key=lambda name: (-films[name], name))
    return tuple(TableCenter(name, films[name], name in labelled, origins.get(name)) for name in order)


def _cell(
    finding: str,
    center: str,
    tally: Tally | None,
    rates: Mapping[RateMeasure, Mapping[str, Rate]],
    column: Column | None,
) -> PerformanceCell:
    if tally is None:
        return PerformanceCell(finding, center, Rate(0, 0), Rate(0, 0), 0, 0, None, None)
    cell = PerformanceCell(
        finding,
        center,
        sensitivity=rates["sensitivity"].get(center, Rate(0, 0)),
        specificity=rates["specificity"].get(center, Rate(0, 0)),
        positives=tally.positives,
        negatives=tally.negatives,
        average_precision=None,
        shift=None,
    )
    if column is None:
        return cell
    here = column.center == center
    if cell.positives + cell.negatives:
        return _ranked(cell, column.label[here], column.score[here], column.weight[here])
    return replace(cell, shift=score_shift(column, center))


def _ranked(
    cell: PerformanceCell, labels: NDArray[np.float64], scores: NDArray[np.floating], weights: NDArray[np.float64]
) -> PerformanceCell:
    """Add average precision and AUROC to a cell; labels, scores and weights (n,)."""
    value, area = (_point(metric, labels, scores) for metric in (average_precision, auroc))
    natural = _point(average_precision, labels, scores, weights) if has_weights(labels, weights) else None
    if natural is None:
        return replace(cell, average_precision=value, auroc=area)
    natural_figure = NaturalPrecision(natural, natural_prevalence(labels, weights))
    return replace(cell, average_precision=value, auroc=area, natural=natural_figure)


def _pooled(
    finding: str, cells: Sequence[PerformanceCell], counts: PatientCounts | None, column: Column | None
) -> PerformanceCell:
    cell = PerformanceCell(
        finding,
        ALL_CENTERS,
        sensitivity=rate_of_all(counts, "sensitivity"),
        specificity=rate_of_all(counts, "specificity"),
        positives=sum(cell.positives for cell in cells),
        negatives=sum(cell.negatives for cell in cells),
        average_precision=None,
        shift=None,
    )
    return cell if column is None else _ranked(cell, column.label, column.score, column.weight)


def _point(
    metric: Metric,
    labels: NDArray[np.float64],
    scores: NDArray[np.floating],
    weights: NDArray[np.float64] | None = None,
) -> float | None:
    """Return a metric of labels (n,), NaN if unknown, scores and weights (n,); None with one class only."""
    return or_none(metric(labels[:, None], scores[:, None], weights)[0])


def natural_prevalence(labels: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return the weighted prevalence from labels (n,), NaN if unknown, and weights (n,)."""
    known = ~np.isnan(labels)
    return float((weights[known] * labels[known]).sum() / weights[known].sum())


def has_weights(labels: NDArray[np.float64], weights: NDArray[np.float64]) -> bool:
    """Return whether any labeled film has a weight (n,) other than 1, the default."""
    return bool((weights[~np.isnan(labels)] != 1).any())


def score_shift(column: Column, center: str) -> ScoreShift:
    """Compare the scores of an unlabeled center with those of the labeled films."""
    here, labelled = column.center == center, ~np.isnan(column.label)
    median = float(np.median(column.score[here]))
    difference = median - float(np.median(column.score[labelled])) if labelled.any() else None
    return ScoreShift(int(here.sum()), median, difference)


def _head_to_tail(line: FindingLine) -> tuple[bool, int, int, str]:
    return line.unseen, 0 if line.unseen else _ORDER.index(line.group), -line.pooled.positives, line.finding


def _pairs(tally: Tally) -> int:
    return tally.hits + tally.misses + tally.false_alarms + tally.correct_rejections + tally.unlabelled

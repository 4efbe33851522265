"""How good a model is at each finding and each center: counts with their rates, average precision beside AUROC, score
shift.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.performance.two_sides import BETWEEN_CENTERS, CenterGap, Measured, largest_gap_of
from explorer.core.arrays import or_none
from explorer.core.findings import TASKS, FrequencyGroup
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate
from explorer.metrics.metrics import Metric, auroc, average_precision
from explorer.runtime.cached_per_owner import remembered
from explorer.store.filter_registry import APPEARANCE_FILTERS
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.results import Column, Tally
    from explorer.store.store import Store

ALL = ""  # the name of all labeled centers together
CHANCE = 0.5  # the AUROC of a model that knows nothing, whatever the prevalence
AT_ONCE = 200_000  # pairs whose average precision and AUROC are there at once; of more they take seconds
_ORDER = (*(group for group in FrequencyGroup if group is not FrequencyGroup.NORMAL), FrequencyGroup.NORMAL, None)


@dataclass(frozen=True, slots=True)
class ScoreShift:
    """The scores of films at a center that has no label of the finding: all that can be said there."""

    films: int
    median: float
    difference: float | None  # to the median score of the labeled films of all centers; None where there are none


@dataclass(frozen=True, slots=True)
class NaturalPrecision:
    """Average precision where each film counts as often as nature has it, and its chance: the prevalence there."""

    value: float
    prevalence: float


@dataclass(frozen=True, slots=True)
class Cell:
    """One finding at one center. Rates are at the operating point: their n leaves out films without a threshold."""

    finding: str
    center: str  # ALL: all labeled centers together
    sensitivity: Rate
    specificity: Rate
    positives: int  # labeled present, with a threshold or not
    negatives: int
    average_precision: float | None  # None with one class only, and where it is still to come
    shift: ScoreShift | None  # only without any label
    auroc: float | None = None  # None where average precision is
    natural: NaturalPrecision | None = None  # None where films have no weights

    @property
    def prevalence(self) -> float | None:
        """Share of the labeled films with the finding: the chance line of average precision."""
        n = self.positives + self.negatives
        return self.positives / n if n else None

    @property
    def f1(self) -> float | None:
        """Twice the hits over positives and calls together; None without positives."""
        hits, false_alarms = self.sensitivity.hits, self.specificity.n - self.specificity.hits
        return 2 * hits / (self.sensitivity.n + hits + false_alarms) if self.sensitivity.n else None

    def value(self, measure: Measured) -> float | None:
        """A measure; None where it is not defined, or still to come."""
        return {
            "sensitivity": self.sensitivity.value,
            "specificity": self.specificity.value,
            "F1": self.f1,
            "average precision": self.average_precision,
            "AUROC": self.auroc,
            "ECE": None,
        }[measure]

    def chance(self, measure: Measured) -> float | None:
        """What a model has of a measure that knows nothing; None of a rate, which depends on the threshold."""
        return {"average precision": self.prevalence, "AUROC": CHANCE}.get(measure)


@dataclass(frozen=True, slots=True)
class Gap:
    """The largest difference of sensitivity between two centers."""

    value: float
    high: Cell
    low: Cell


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A finding: all labeled centers together, and each center in the order of the table's."""

    finding: str
    group: FrequencyGroup | None
    pooled: Cell
    cells: tuple[Cell, ...]

    @property
    def unseen(self) -> bool:
        """Whether it is of the challenge's Task 2: a band of its own, whatever its group."""
        return self.finding in TASKS["unseen"]

    @property
    def gap(self) -> Gap | None:
        """None where fewer than two centers have positives with a threshold."""
        rated = sorted((cell.sensitivity.value, cell.center, cell) for cell in self.cells if cell.sensitivity.n)
        if len(rated) < 2:
            return None
        (low, _, lowest), (high, _, highest) = rated[0], rated[-1]
        return Gap((high or 0.0) - (low or 0.0), highest, lowest)

    def gaps(self, between: Sequence[str]) -> dict[Measured, CenterGap]:
        """The two of these centers that differ most, in every measure; the intervals are still to come."""
        cells = [next(cell for cell in self.cells if cell.center == center) for center in between]
        return {
            measure: largest_gap_of([(cell.center, cell.value(measure)) for cell in cells])
            for measure in BETWEEN_CENTERS
        }


@dataclass(frozen=True, slots=True)
class Center:
    """A center of the table; `origin`: None where it is not known."""

    name: str
    films: int
    labelled: bool
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class PerformanceTable:
    """Findings x centers, head to tail, the unseen ones last; within a group those with more positives first.

    `points_pending`: there are so many pairs that average precision comes with its intervals, as does score shift.
    """

    chosen: Slice
    centers: tuple[Center, ...]  # those with more films first
    lines: tuple[FindingLine, ...]
    version: str
    points_pending: bool = False

    @property
    def between(self) -> tuple[str, ...]:
        """The centers whose pairs are compared: those with labels; none where there are not two."""
        labelled = tuple(center.name for center in self.centers if center.labelled)
        return labelled if len(labelled) > 1 else ()


def over(asked: Slice, *, center: str | None = None) -> Slice:
    """The slice that a table is counted over: whatever the model said, every finding, every center or the one named."""
    return replace(asked.population(), finding=None, center=center)


def table(store: Store, asked: Slice) -> PerformanceTable:
    """The table of the slice's films, every finding, every center."""
    return counted(store, over(asked))


def counted(store: Store, population: Slice) -> PerformanceTable:
    """The table over a population as it is; the same question of the same data is answered from memory."""
    return _table(store, population, store.version(population.cohort, population.model))


@remembered(32)
def _table(store: Store, chosen: Slice, version: str) -> PerformanceTable:
    tallies = store.tally(chosen)
    pending = sum(map(_pairs, tallies)) > AT_ONCE
    centers = _centers(store, chosen, tallies)
    groups = store.groups(chosen.cohort, chosen.model, chosen.source)
    lines = []
    for finding in dict.fromkeys(tally.finding for tally in tallies):
        those = {tally.center: tally for tally in tallies if tally.finding == finding}
        column = None if pending else store.column(chosen, finding)
        cells = tuple(_cell(finding, center.name, those.get(center.name), column) for center in centers)
        pooled = _pooled(finding, cells, column)
        lines.append(FindingLine(finding, groups[finding], pooled, cells))
    return PerformanceTable(chosen, centers, tuple(sorted(lines, key=_head_to_tail)), version, pending)


def _centers(store: Store, chosen: Slice, tallies: Iterable[Tally]) -> tuple[Center, ...]:
    origins = store.model(chosen.cohort, chosen.model).origins
    films: dict[str, int] = {}
    labelled = set()
    for tally in tallies:
        films[tally.center] = max(films.get(tally.center, 0), _pairs(tally))  # a film is one pair of a finding
        if tally.positives + tally.negatives:
            labelled.add(tally.center)
    if chosen.without(*APPEARANCE_FILTERS) != chosen:  # which leave a film one pair of some findings
        films = {name: store.count(replace(chosen, center=name)).films for name in films}
    order = sorted(films, key=lambda name: (-films[name], name))
    return tuple(Center(name, films[name], name in labelled, origins.get(name)) for name in order)


def _cell(finding: str, center: str, tally: Tally | None, column: Column | None) -> Cell:
    if tally is None:
        return Cell(finding, center, Rate(0, 0), Rate(0, 0), 0, 0, None, None)
    cell = Cell(
        finding,
        center,
        sensitivity=Rate(tally.hits, tally.hits + tally.misses),
        specificity=Rate(tally.correct_rejections, tally.correct_rejections + tally.false_alarms),
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
    return replace(cell, shift=shift(column, center))


def _ranked(
    cell: Cell, labels: NDArray[np.float64], scores: NDArray[np.floating], weights: NDArray[np.float64]
) -> Cell:
    """The cell with how well its films are ranked; labels, scores and weights (n,)."""
    value, area = (_point(metric, labels, scores) for metric in (average_precision, auroc))
    natural = _point(average_precision, labels, scores, weights) if weighted(labels, weights) else None
    if natural is None:
        return replace(cell, average_precision=value, auroc=area)
    beside = NaturalPrecision(natural, natural_prevalence(labels, weights))
    return replace(cell, average_precision=value, auroc=area, natural=beside)


def _pooled(finding: str, cells: Sequence[Cell], column: Column | None) -> Cell:
    cell = Cell(
        finding,
        ALL,
        sensitivity=_sum(cell.sensitivity for cell in cells),
        specificity=_sum(cell.specificity for cell in cells),
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
    """A metric of labels (n,), NaN unknown, scores and weights (n,); None with one class only."""
    return or_none(metric(labels[:, None], scores[:, None], weights)[0])


def natural_prevalence(labels: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The share of films with the finding, each film times its weight; labels (n,), NaN unknown, and weights (n,)."""
    known = ~np.isnan(labels)
    return float((weights[known] * labels[known]).sum() / weights[known].sum())


def weighted(labels: NDArray[np.float64], weights: NDArray[np.float64]) -> bool:
    """Whether any film with a known label has a weight (n,): one of a cohort without weights counts 1."""
    return bool((weights[~np.isnan(labels)] != 1).any())


def shift(column: Column, center: str) -> ScoreShift:
    """How the scores of an unlabeled center lie beside those of the labeled films."""
    here, labelled = column.center == center, ~np.isnan(column.label)
    median = float(np.median(column.score[here]))
    difference = median - float(np.median(column.score[labelled])) if labelled.any() else None
    return ScoreShift(int(here.sum()), median, difference)


def _head_to_tail(line: FindingLine) -> tuple[bool, int, int, str]:
    return line.unseen, 0 if line.unseen else _ORDER.index(line.group), -line.pooled.positives, line.finding


def _pairs(tally: Tally) -> int:
    return tally.hits + tally.misses + tally.false_alarms + tally.correct_rejections + tally.unlabelled


def _sum(rates: Iterable[Rate]) -> Rate:
    those = tuple(rates)
    return Rate(sum(rate.hits for rate in those), sum(rate.n for rate in those))

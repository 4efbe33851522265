"""Computes the metrics of one level of perturbation, and how they change the means of the unchanged films.

Every level is drawn on the same resamples of patients, so that differences are paired although levels are computed one
after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.board_metrics import BLOCK
from explorer.analysis.leaderboard.joint_metrics import ALL_MEASURES, BoardMeasure, draws, every_film, prepared_metrics
from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.core.arrays import Evaluate, Floats
from explorer.core.figures import Estimate
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.case_counts import CaseCounts, CountsMetric
from explorer.metrics.joint_calls import balanced_errors
from explorer.metrics.joint_means import joint_means
from explorer.metrics.joint_ranking import by_resample

ChangedMeasure = Literal["AP", "AUROC", "F1", "ECE", "precision", "sensitivity", "balanced error"]
CHANGED: tuple[ChangedMeasure, ...] = get_args(ChangedMeasure)
LOWER_IS_BETTER: frozenset[ChangedMeasure] = frozenset({"ECE", "balanced error"})
OF_BOARD: Mapping[BoardMeasure, ChangedMeasure] = MappingProxyType(
    {"AP": "AP", "AUROC": "AUROC", "F1": "F1", "ECE": "ECE", "precision": "precision", "recall": "sensitivity"}
)  # a measure of Evaluate and its name here
_COMPUTED = (*(OF_BOARD[measure] for measure in ALL_MEASURES), "balanced error")
_KEPT = [_COMPUTED.index(measure) for measure in CHANGED]


@dataclass(frozen=True, slots=True, eq=False)
class LevelMetrics:
    """Metrics of a level by finding, NaN where undefined; without resampling, `samples` has length 0."""

    points: Floats  # (measures, findings), in the order of CHANGED
    samples: Floats  # (resamples, measures, findings)


@dataclass(frozen=True, slots=True, eq=False)
class PartMeans:
    """Means over parts, or differences of such means, (parts, measures) in the order of CHANGED.

    Intervals are NaN if unknown. `samples` (resamples, measures) are those of the first part.
    """

    value: Floats
    low: Floats
    high: Floats
    samples: Floats

    def at(self, part: int, measure: ChangedMeasure) -> Estimate:
        """Return one of them."""
        place = (part, CHANGED.index(measure))
        value, low, high = (float(each[place]) for each in (self.value, self.low, self.high))
        return Estimate(value, low, high)


def level_metrics(films: JointScores, resamples: int, seed: int) -> LevelMetrics:
    """Compute the metrics of one level's scores. Blocks of findings keep the memory of resamples bounded."""
    findings = len(films.findings)
    points, samples = np.empty((len(CHANGED), findings)), np.empty((resamples, len(CHANGED), findings))
    drawn = draws(films, resamples, seed, natural=False)
    for some in _blocks(findings, len(films.films)):
        evaluate = _prepared(films.for_findings(some))
        points[:, some] = evaluate(every_film(films, False)[None])[0]
        if resamples:
            samples[:, :, some] = drawn.evaluate(evaluate)
    return LevelMetrics(points, samples)


def part_means(metrics: LevelMetrics, parts: Sequence[Sequence[int]], patients: NDArray[np.int64]) -> PartMeans:
    """Return the means over each part's findings, by index; `patients` (findings,) have a known label."""
    return _over_parts(
        lambda measure: (metrics.points[measure][None], metrics.samples[:, None, measure]), (1.0,), parts, patients
    )


def mean_changes(
    unchanged: LevelMetrics, level: LevelMetrics, parts: Sequence[Sequence[int]], patients: NDArray[np.int64]
) -> PartMeans:
    """Return the differences of the level's means from those of the unchanged films; arguments as for `part_means`."""
    both = (unchanged, level)
    return _over_parts(
        lambda measure: (
            np.stack([each.points[measure] for each in both]),
            np.stack([each.samples[:, measure] for each in both], axis=1),
        ),
        (-1.0, 1.0),
        parts,
        patients,
    )


def _over_parts(
    rows: Callable[[int], tuple[Floats, Floats]],
    signs: tuple[float, ...],
    parts: Sequence[Sequence[int]],
    patients: NDArray[np.int64],
) -> PartMeans:
    """Average the points (rows, findings) and samples (resamples, rows, findings) of a measure, and add the rows."""
    value, low, high = (np.full((len(parts), len(CHANGED)), np.nan) for _ in range(3))
    first: list[Floats] = []
    for measure in range(len(CHANGED)):
        points, samples = rows(measure)
        for place, members in enumerate(parts):
            means = joint_means(points, samples, members, patients)
            drawn = means.samples @ signs
            value[place, measure] = means.point @ signs
            low[place, measure], high[place, measure] = percentile_interval(drawn, means.units)
            if place == 0:
                first.append(drawn)
    return PartMeans(value, low, high, np.stack(first, axis=1))


def _blocks(findings: int, films: int) -> Iterator[range]:
    step = max(1, BLOCK // films)
    return (range(start, min(start + step, findings)) for start in range(0, findings, step))


def _prepared(films: JointScores) -> Evaluate:
    """Return a function that maps counts (k, n) to the measures (k, measures, findings) of the only model."""
    _, of_board = prepared_metrics(films, ALL_MEASURES, films.labels)
    errors = balanced_errors(films.labels, films.called)

    def evaluate(counts: CaseCounts) -> Floats:
        both = (of_board.of(counts), by_resample(errors(counts)))
        return np.concatenate(both, axis=1)[:, _KEPT, 0]

    return CountsMetric(evaluate)

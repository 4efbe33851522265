"""Computes the challenge's table: metrics by finding and frequency group, for all images and each center."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.analysis.challenge_table.cohort_metrics import EvaluatedCohort, TextArray
from explorer.analysis.challenge_table.lines import MetricsLine, TableMetric, metrics_line, table_parts
from explorer.core.groups import frequency_groups
from explorer.core.metric_plan import Plan
from explorer.metrics import metrics
from explorer.metrics.bootstrap import Bootstrap, bootstrap
from explorer.metrics.threshold_metrics import Threshold

StepTracker = Callable[[Sequence["_Step"]], Iterable["_Step"]]  # iterates over steps and may show progress

TABLE_METRICS: Mapping[TableMetric, metrics.Metric] = MappingProxyType(
    {
        "AP": metrics.average_precision,
        "AUROC": metrics.auroc,
        "F1": metrics.f1,
        "precision": metrics.precision,
        "recall": metrics.recall,
        "ECE": metrics.ece,
    }
)
CALL_METRICS: frozenset[TableMetric] = frozenset(
    {"F1", "precision", "recall"}
)  # called present where score >= threshold


@dataclass(frozen=True, slots=True)
class MetricTable:
    """Lines for all images, then for each center, and the plan by which they were computed."""

    plan: Plan
    images: int
    patients: int | None  # None: not stated, so images were resampled
    lines: tuple[MetricsLine, ...]

    @property
    def weighted(self) -> bool:
        """Whether weighted metrics were computed in addition to plain ones."""
        return any(line.weighted for line in self.lines)


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """One metric, plain or weighted, on the images of one center (None: all)."""

    center: str | None
    rows: npt.NDArray[np.bool_]  # (images,)
    weighted: bool
    metric: TableMetric


def evaluate_cohort(cohort: EvaluatedCohort, plan: Plan, track: StepTracker = iter) -> MetricTable:
    """Compute the table. Each center's images are resampled separately, by patient if patients are known."""
    everything = np.ones(len(cohort.labels), dtype=bool)
    rows = {None: everything, **_centers(cohort)}
    kinds = (False,) if cohort.weights is None else (False, True)
    steps = [_Step(*at, weighted, metric) for at in rows.items() for weighted in kinds for metric in TABLE_METRICS]
    parts = table_parts(cohort.findings, frequency_groups(cohort.findings, cohort.labels, plan.grouping))
    lines: list[MetricsLine] = []
    results = _no_results()
    for step in track(steps):
        results[step.weighted][step.metric] = _computed(cohort, plan, step)
        if len(results[kinds[-1]]) == len(TABLE_METRICS):  # keeps samples of only one center in memory
            labels, patients = cohort.labels[step.rows], _at(cohort.patients, step)
            lines += [
                metrics_line(step.center, part, labels, patients, results[False], results[True], plan) for part in parts
            ]
            results = _no_results()
    return MetricTable(
        plan=plan,
        images=len(cohort.labels),
        patients=None if cohort.patients is None else len(set(cohort.patients)),
        lines=tuple(lines),
    )


def _no_results() -> dict[bool, dict[TableMetric, Bootstrap]]:
    """Return empty results for plain (False) and weighted (True) metrics."""
    return {False: {}, True: {}}


def _centers(cohort: EvaluatedCohort) -> dict[str | None, npt.NDArray[np.bool_]]:
    if cohort.centers is None:
        return {}
    return {str(center): cohort.centers == center for center in np.unique(cohort.centers)}


def _computed(cohort: EvaluatedCohort, plan: Plan, step: _Step) -> Bootstrap:
    options: dict[str, Any] = {"threshold": _threshold(plan, cohort.findings)} if step.metric in CALL_METRICS else {}
    return bootstrap(
        cohort.labels[step.rows],
        cohort.scores[step.rows],
        TABLE_METRICS[step.metric],
        plan.resamples,
        plan.seed,
        unit=_at(cohort.patients, step),
        weights=cohort.weights[step.rows] if step.weighted and cohort.weights is not None else None,
        **options,
    )


def _threshold(plan: Plan, findings: Sequence[str]) -> Threshold:
    """Return one threshold for all findings, or one per finding, NaN if missing."""
    if plan.thresholds is None:
        return plan.threshold
    return np.array([plan.thresholds.get(finding, np.nan) for finding in findings])


def _at(texts: TextArray | None, step: _Step) -> TextArray | None:
    return None if texts is None else texts[step.rows]

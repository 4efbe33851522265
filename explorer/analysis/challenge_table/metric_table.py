"""The challenge's table: metrics of every finding and frequency group, for all images and for each center."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.analysis.challenge_table.cohort_metrics import EvaluatedCohort, Texts
from explorer.analysis.challenge_table.lines import Metric, MetricsLine, line, parts_of
from explorer.core.groups import frequency_groups
from explorer.core.metric_plan import Plan
from explorer.metrics import metrics
from explorer.metrics.bootstrap import Bootstrap, bootstrap
from explorer.metrics.threshold_metrics import Threshold

Track = Callable[[Sequence["_Step"]], Iterable["_Step"]]  # goes through steps, and may show how far it is

METRICS: Mapping[Metric, metrics.Metric] = MappingProxyType(
    {
        "AP": metrics.average_precision,
        "AUROC": metrics.auroc,
        "F1": metrics.f1,
        "precision": metrics.precision,
        "recall": metrics.recall,
        "ECE": metrics.ece,
    }
)
OF_CALLS: frozenset[Metric] = frozenset({"F1", "precision", "recall"})  # called present where score >= threshold


@dataclass(frozen=True, slots=True)
class MetricTable:
    """The lines of all images, then those of each center, and what they were computed from."""

    plan: Plan
    images: int
    patients: int | None  # None: not stated, so that images were resampled
    lines: tuple[MetricsLine, ...]

    @property
    def weighted(self) -> bool:
        """Whether images have weights, so that weighted metrics stand beside the plain ones."""
        return any(line.weighted for line in self.lines)


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """One metric, plain or weighted, of the images of a center (None: of all)."""

    center: str | None
    rows: npt.NDArray[np.bool_]  # (images,)
    weighted: bool
    metric: Metric


def evaluate(cohort: EvaluatedCohort, plan: Plan, track: Track = iter) -> MetricTable:
    """Compute the table. Images of a center are resampled among themselves, whole patients where these are known."""
    everything = np.ones(len(cohort.labels), dtype=bool)
    rows = {None: everything, **_centers(cohort)}
    kinds = (False,) if cohort.weights is None else (False, True)
    steps = [_Step(*at, weighted, metric) for at in rows.items() for weighted in kinds for metric in METRICS]
    parts = parts_of(cohort.findings, frequency_groups(cohort.findings, cohort.labels, plan.grouping))
    lines: list[MetricsLine] = []
    results = _no_results()
    for step in track(steps):
        results[step.weighted][step.metric] = _computed(cohort, plan, step)
        if len(results[kinds[-1]]) == len(METRICS):  # the samples of one center at a time are kept
            labels, patients = cohort.labels[step.rows], _at(cohort.patients, step)
            lines += [line(step.center, part, labels, patients, results[False], results[True]) for part in parts]
            results = _no_results()
    return MetricTable(
        plan=plan,
        images=len(cohort.labels),
        patients=None if cohort.patients is None else len(set(cohort.patients)),
        lines=tuple(lines),
    )


def _no_results() -> dict[bool, dict[Metric, Bootstrap]]:
    """Of plain metrics (False) and of weighted ones (True)."""
    return {False: {}, True: {}}


def _centers(cohort: EvaluatedCohort) -> dict[str | None, npt.NDArray[np.bool_]]:
    if cohort.centers is None:
        return {}
    return {str(center): cohort.centers == center for center in np.unique(cohort.centers)}


def _computed(cohort: EvaluatedCohort, plan: Plan, step: _Step) -> Bootstrap:
    options: dict[str, Any] = {"threshold": _threshold(plan, cohort.findings)} if step.metric in OF_CALLS else {}
    return bootstrap(
        cohort.labels[step.rows],
        cohort.scores[step.rows],
        METRICS[step.metric],
        plan.resamples,
        plan.seed,
        unit=_at(cohort.patients, step),
        weights=cohort.weights[step.rows] if step.weighted and cohort.weights is not None else None,
        **options,
    )


def _threshold(plan: Plan, findings: Sequence[str]) -> Threshold:
    """One number for all findings, or one for each, NaN where there is none."""
    if plan.thresholds is None:
        return plan.threshold
    return np.array([plan.thresholds.get(finding, np.nan) for finding in findings])


def _at(texts: Texts | None, step: _Step) -> Texts | None:
    return None if texts is None else texts[step.rows]

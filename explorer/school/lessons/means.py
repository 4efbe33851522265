"""Means over findings, with n and interval, from the same resamples of patients as Evaluate's leaderboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from explorer.analysis.intervals.intervals_job import RESAMPLES, SEED
from explorer.analysis.leaderboard.board_metrics import in_order_of_centers
from explorer.analysis.leaderboard.groups import board_parts
from explorer.analysis.leaderboard.joint_metrics import joint_metrics
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import slice_groups
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.joint_means import joint_means
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.school.lessons.counted import LessonFacts, ScoredCohort, figure_words
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

AveragedMetric = Literal["AP", "AUROC"]


@dataclass(frozen=True, slots=True)
class GroupMean:
    """The mean of a measure over `findings` findings on `films` films; the rarest has `fewest` positives."""

    value: float
    interval: tuple[float, float] | None
    findings: int
    films: int
    fewest: int

    @property
    def words(self) -> str:
        return figure_words(self.value, self.interval)

    @property
    def counted(self) -> str:
        """The counts behind the mean."""
        return f"{self.findings} findings, {self.films:,} films, n+ from {self.fewest:,}"


def group_means(
    store: Store, cohort: str, models: tuple[str, ...], measure: AveragedMetric, part: str
) -> tuple[GroupMean, ...] | None:
    """Return the means of several models over a part of Evaluate's leaderboard: a frequency group, or `center A`.

    None if the cohort has no such part, or lacks a model's scores.
    """
    try:
        versions = tuple(store.version(cohort, model) for model in models)
        return _means(store, cohort, models, measure, part, versions)
    except Refusal:
        return None


def average_precisions(store: Store, cohort: str, model: str) -> dict[str, tuple[float, tuple[float, float] | None]]:
    """Return average precision of each finding with its 95 % interval; empty if the model has not scored the cohort."""
    try:
        return _precisions(store, cohort, model, store.version(cohort, model))
    except Refusal:
        return {}


def precision_words(facts: LessonFacts, scored: ScoredCohort, finding: str) -> str:
    """Return average precision with n and interval: 0.72 [0.60-0.83] (n+ 42 of 2,000)."""
    found = {} if facts.search is None else average_precisions(facts.search.store, scored.cohort.name, scored.name)
    value, reach = found.get(finding, (None, None))
    pooled = scored.lines[finding].pooled
    counted = f"(n+ {pooled.positives:,} of {pooled.positives + pooled.negatives:,})"
    return f"not defined {counted}" if value is None else f"{figure_words(value, reach)} {counted}"


@cached_per_owner(8)
def _precisions(
    store: Store, cohort: str, model: str, _version: str
) -> dict[str, tuple[float, tuple[float, float] | None]]:
    joint = joint_scores(store, Slice(cohort, model), (model,))
    metrics = joint_metrics(joint, RESAMPLES, SEED, measures={"AP"})
    points, samples = metrics.points["AP"][0], metrics.samples["AP"][:, 0]
    return {
        finding: (float(points[place]), percentile_interval(samples[:, place], int(metrics.patients[place])))
        for place, finding in enumerate(joint.findings)
        if np.isfinite(points[place])
    }


@cached_per_owner(32)
def _means(
    store: Store, cohort: str, models: tuple[str, ...], measure: AveragedMetric, part: str, _versions: tuple[str, ...]
) -> tuple[GroupMean, ...] | None:
    chosen = Slice(cohort, models[0])
    joint, ranges = in_order_of_centers(joint_scores(store, chosen, models))
    labels = joint.label_columns(range(len(joint.findings)))
    parts = board_parts(joint.findings, labels, ranges, slice_groups(store, chosen, models))
    found = next((each for each in parts if part in (each.name, f"center {each.center}")), None)
    if found is None:
        return None
    films = joint.of(ranges[found.center]).block()
    metrics = joint_metrics(films, RESAMPLES, SEED, measures={measure})
    mean = joint_means(metrics.points[measure], metrics.samples[measure], found.members, metrics.patients)
    return tuple(
        GroupMean(
            float(mean.point[place]),
            mean.interval(place),
            len(mean.counted),
            found.films,
            found.fewest_of(mean.counted),
        )
        for place in range(len(models))
    )

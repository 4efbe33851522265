"""Compares a mean over findings between a subgroup's films and the other films."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.comparisons.subgroup_films import Subgroup, labeled_films, subgroups
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure, joint_metrics, metric_on_sets
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.core.arrays import Floats
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.joint_means import joint_means
from explorer.metrics.paired_rows import benjamini_hochberg, two_sided_p
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True, eq=False)
class ModelEstimates:
    """A mean or difference by model with its 95 % interval, all (models,); NaN if undefined or not yet computed."""

    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class SubgroupComparison:
    """A subgroup compared with the rest, by model; `films` and `others` count films labeled for a compared finding.

    Means are over the `counted` findings, those defined on both sides for every model; `fewest` is the smallest number
    of positives that any of them has on either side. `p` (models,) is two-sided and unadjusted. `shared` counts
    patients on both sides. `resamples` is 0 if only point estimates are computed.
    """

    subgroup: Subgroup
    films: int
    others: int
    counted: tuple[str, ...]
    fewest: int
    shared: int
    here: ModelEstimates
    rest: ModelEstimates
    difference: ModelEstimates
    p: Floats
    resamples: int

    def mirrored(self, rest: Subgroup) -> SubgroupComparison:
        """Return the reverse comparison: the rest compared with this subgroup."""
        forward = self.difference
        return replace(
            self,
            subgroup=rest,
            films=self.others,
            others=self.films,
            here=self.rest,
            rest=self.here,
            difference=ModelEstimates(-forward.value, -forward.high, -forward.low),
        )


@dataclass(frozen=True, slots=True)
class SubgroupRequest:
    """A requested comparison; `members` are indices of findings."""

    chosen: Slice
    models: tuple[str, ...]
    measure: BoardMeasure
    members: tuple[int, ...]
    natural: bool


def subgroup_points(store: Store, question: SubgroupRequest) -> tuple[SubgroupComparison, ...]:
    """Return every subgroup without intervals. Raises the errors of `joint_scores`."""
    return _points(store, question, score_versions(store, question))


def subgroup_intervals(store: Store, question: SubgroupRequest, place: int) -> Callable[[int, int], SubgroupComparison]:
    """Return a slow function of resamples and seed; it adds intervals to subgroup `place` of `subgroup_points`."""
    joint, every = _films(store, question)
    return partial(compare_with_rest, joint, every[place], question.measure, natural=question.natural)


def score_versions(store: Store, question: SubgroupRequest) -> tuple[str, ...]:
    """Return the versions of the scores that the answer depends on."""
    return tuple(store.version(question.chosen.cohort, model) for model in question.models)


def complement_index(every: Sequence[SubgroupComparison], place: int) -> int:
    """Return the index of the first subgroup that is the complement of `place`; `place` itself if there is none."""
    inside = every[place].subgroup.inside
    return next((k for k in range(place) if np.array_equal(every[k].subgroup.inside, ~inside)), place)


def adjusted_p(every: Sequence[SubgroupComparison]) -> Floats:
    """Return p (subgroups, models), adjusted over all cells by Benjamini and Hochberg."""
    p = np.array([each.p for each in every])
    return benjamini_hochberg(p.ravel()).reshape(p.shape)


@cached_per_owner(32)
def _points(store: Store, question: SubgroupRequest, _versions: tuple[str, ...]) -> tuple[SubgroupComparison, ...]:
    joint, every = _films(store, question)
    sets = np.array([side for each in every for side in (each.inside, ~each.inside)]).reshape(-1, len(joint.labels))
    points = metric_on_sets(joint, sets, question.measure, natural=question.natural)
    return tuple(
        _against_rest(joint, each, np.concatenate(points[2 * place : 2 * place + 2]), None)
        for place, each in enumerate(every)
    )


def _films(store: Store, question: SubgroupRequest) -> tuple[JointScores, tuple[Subgroup, ...]]:
    """Return the compared findings' scores on labeled films, and these films' subgroups."""
    joint, every = _labeled_subgroups(store, question.chosen, question.models, score_versions(store, question))
    return joint.for_findings(question.members), every


@cached_per_owner(2)
def _labeled_subgroups(
    store: Store, chosen: Slice, models: tuple[str, ...], _versions: tuple[str, ...]
) -> tuple[JointScores, tuple[Subgroup, ...]]:
    joint = labeled_films(joint_scores(store, chosen, models))
    return joint, subgroups(store, chosen, joint)


def compare_with_rest(
    joint: JointScores, subgroup: Subgroup, measure: BoardMeasure, resamples: int, seed: int, *, natural: bool
) -> SubgroupComparison:
    """Compare the mean over all findings of `joint` on both sides, with intervals.

    Disjoint sets of patients are resampled independently. If any patient has films on both sides, all are resampled
    together, which keeps the means' correlation. Raises ValueError like `joint_metrics`.
    """
    inside = subgroup.inside
    points = np.concatenate(metric_on_sets(joint, np.stack([inside, ~inside]), measure, natural=natural))
    sides = [
        joint_metrics(films, resamples, seed, natural=natural, measures=(measure,), stream=stream)
        for films, stream in _sides(joint, inside)
    ]
    samples = np.concatenate([side.samples[measure] for side in sides], axis=1)
    return _against_rest(joint, subgroup, points, (samples, np.minimum(*(side.patients for side in sides))))


def _sides(joint: JointScores, inside: NDArray[np.bool_]) -> list[tuple[JointScores, int]]:
    """Return each side's films with the random stream of its resamples."""
    if not _shared(joint, inside):
        return [(joint.of(inside), 0), (joint.of(~inside), 1)]
    return [(replace(joint, labels=np.where(side[:, None], joint.labels, np.nan)), 0) for side in (inside, ~inside)]


def _shared(joint: JointScores, inside: NDArray[np.bool_]) -> int:
    """Count patients with films on both sides."""
    return len(np.intersect1d(joint.patients[inside], joint.patients[~inside]))


def _against_rest(
    joint: JointScores, subgroup: Subgroup, points: Floats, drawn: tuple[Floats, NDArray[np.int64]] | None
) -> SubgroupComparison:
    """Assemble a comparison from points (2 models, findings) of the subgroup, then of the rest.

    `drawn` holds samples (resamples, 2 models, findings) and each finding's number of patients on the smaller side.
    """
    models, findings = len(joint.models), len(joint.findings)
    samples, patients = drawn or (np.empty((0, *points.shape)), np.zeros(findings, dtype=np.int64))
    halves = points.reshape(2, models, findings)
    alone = np.asarray(np.isnan(halves).all(axis=2).any(axis=0))  # not defined on both sides
    compared = np.where(alone[:, None], np.nan, halves).reshape(points.shape)
    means = joint_means(compared, samples, range(findings), patients)  # treats each side's models as separate models
    here, rest = means.samples[:, :models], means.samples[:, models:]
    point, rest_point = means.point[:models], means.point[models:]
    known = ~np.isnan(joint.labels)
    sides = subgroup.inside, ~subgroup.inside
    films = [int(known[side].any(axis=1).sum()) for side in sides]
    positives = [(joint.labels[side] == 1).sum(axis=0) for side in sides]
    fewest = min((int(side[place]) for side in positives for place in means.counted), default=0)
    return SubgroupComparison(
        subgroup=subgroup,
        films=films[0],
        others=films[1],
        counted=tuple(joint.findings[place] for place in means.counted),
        fewest=fewest,
        shared=_shared(joint, subgroup.inside),
        here=model_estimates(point, here, means.units),
        rest=model_estimates(rest_point, rest, means.units),
        difference=model_estimates(point - rest_point, here - rest, means.units),
        p=np.array([two_sided_p(drawn, fewest) if means.units > 1 else np.nan for drawn in (here - rest).T]),
        resamples=len(samples),
    )


def model_estimates(point: Floats, samples: Floats, units: int) -> ModelEstimates:
    """Return points (models,) with 95 % intervals of samples (resamples, models); none with fewer than 2 units."""
    low, high = np.full(len(point), np.nan), np.full(len(point), np.nan)
    for model in np.flatnonzero(~np.isnan(point)):
        if len(samples):
            low[model], high[model] = percentile_interval(samples[:, model], units)
    return ModelEstimates(point, low, high)

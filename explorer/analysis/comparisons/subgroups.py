"""A mean over findings on the films of a subgroup, against the same mean on the other films, with its difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.comparisons.subgroup_films import Subgroup, labeled, subgroups
from explorer.analysis.leaderboard.joint_metrics import Measure, joint_metrics, points_on
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.core.arrays import Floats
from explorer.metrics.bootstrap import interval
from explorer.metrics.joint_means import joint_means
from explorer.metrics.paired_rows import benjamini_hochberg, two_sided_p
from explorer.runtime.cached_per_owner import remembered
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """A mean or a difference by model with its 95 % interval, all (models,); NaN where undefined or still to come."""

    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class AgainstRest:
    """A subgroup beside the rest, by model. `films` and `others` have a known label of a finding that is compared.

    The means are over the `counted` findings: those that are defined on both sides for every model; `fewest` positives
    has one of them on the side that has fewer. `p` (models,) is two-sided, of the difference, not adjusted. `shared`
    patients are on both sides. `resamples` is 0 while only points are there.
    """

    subgroup: Subgroup
    films: int
    others: int
    counted: tuple[str, ...]
    fewest: int
    shared: int
    here: Figures
    rest: Figures
    difference: Figures
    p: Floats
    resamples: int

    def mirrored(self, rest: Subgroup) -> AgainstRest:
        """The rest against this subgroup."""
        less = self.difference
        return replace(
            self,
            subgroup=rest,
            films=self.others,
            others=self.films,
            here=self.rest,
            rest=self.here,
            difference=Figures(-less.value, -less.high, -less.low),
        )


@dataclass(frozen=True, slots=True)
class Question:
    """What is compared: which metric of which models on whose films, over which findings (their places)."""

    chosen: Slice
    models: tuple[str, ...]
    measure: Measure
    members: tuple[int, ...]
    natural: bool


def subgroup_points(store: Store, question: Question) -> tuple[AgainstRest, ...]:
    """Every subgroup without intervals: at once. Raises what `joint_scores` raises."""
    return _points(store, question, versions(store, question))


def subgroup_intervals(store: Store, question: Question, place: int) -> Callable[[int, int], AgainstRest]:
    """What makes the subgroup at a place of `subgroup_points` with intervals, of resamples and a seed, in seconds."""
    joint, every = _films(store, question)
    return partial(against_rest, joint, every[place], question.measure, natural=question.natural)


def versions(store: Store, question: Question) -> tuple[str, ...]:
    """What the answer depends on besides the question."""
    return tuple(store.version(question.chosen.cohort, model) for model in question.models)


def mirror(every: Sequence[AgainstRest], place: int) -> int:
    """The place of the first subgroup that the one at `place` is the rest of; `place` itself where there is none."""
    inside = every[place].subgroup.inside
    return next((k for k in range(place) if np.array_equal(every[k].subgroup.inside, ~inside)), place)


def adjusted(every: Sequence[AgainstRest]) -> Floats:
    """The p of all cells (subgroups, models), adjusted over all of them by Benjamini and Hochberg."""
    p = np.array([each.p for each in every])
    return benjamini_hochberg(p.ravel()).reshape(p.shape)


@remembered(32)
def _points(store: Store, question: Question, _versions: tuple[str, ...]) -> tuple[AgainstRest, ...]:
    joint, every = _films(store, question)
    sets = np.array([side for each in every for side in (each.inside, ~each.inside)]).reshape(-1, len(joint.labels))
    points = points_on(joint, sets, question.measure, natural=question.natural)
    return tuple(
        _against_rest(joint, each, np.concatenate(points[2 * place : 2 * place + 2]), None)
        for place, each in enumerate(every)
    )


def _films(store: Store, question: Question) -> tuple[JointScores, tuple[Subgroup, ...]]:
    """The findings compared on the films that have a label, and these films' subgroups."""
    joint, every = _told_apart(store, question.chosen, question.models, versions(store, question))
    return joint.for_findings(question.members), every


@remembered(2)
def _told_apart(
    store: Store, chosen: Slice, models: tuple[str, ...], _versions: tuple[str, ...]
) -> tuple[JointScores, tuple[Subgroup, ...]]:
    joint = labeled(joint_scores(store, chosen, models))
    return joint, subgroups(store, chosen, joint)


def against_rest(
    joint: JointScores, subgroup: Subgroup, measure: Measure, resamples: int, seed: int, *, natural: bool
) -> AgainstRest:
    """The mean over all findings of `joint` on both sides, with intervals.

    Two sets of patients are resampled each by itself. Where patients have films on both sides, all are resampled
    together, so that the two means vary with one another as they do. Raises ValueError as `joint_metrics` does.
    """
    inside = subgroup.inside
    points = np.concatenate(points_on(joint, np.stack([inside, ~inside]), measure, natural=natural))
    sides = [
        joint_metrics(films, resamples, seed, natural=natural, measures=(measure,), stream=stream)
        for films, stream in _sides(joint, inside)
    ]
    samples = np.concatenate([side.samples[measure] for side in sides], axis=1)
    return _against_rest(joint, subgroup, points, (samples, np.minimum(*(side.patients for side in sides))))


def _sides(joint: JointScores, inside: NDArray[np.bool_]) -> list[tuple[JointScores, int]]:
    """The films of each side with the stream of its draws."""
    if not _shared(joint, inside):
        return [(joint.of(inside), 0), (joint.of(~inside), 1)]
    return [(replace(joint, labels=np.where(side[:, None], joint.labels, np.nan)), 0) for side in (inside, ~inside)]


def _shared(joint: JointScores, inside: NDArray[np.bool_]) -> int:
    """How many patients have films on both sides."""
    return len(np.intersect1d(joint.patients[inside], joint.patients[~inside]))


def _against_rest(
    joint: JointScores, subgroup: Subgroup, points: Floats, drawn: tuple[Floats, NDArray[np.int64]] | None
) -> AgainstRest:
    """`points` (2 models, findings) are those of the subgroup, then those of the rest; `drawn` are samples (resamples,
    2 models, findings) and the patients of each finding on the side that has fewer.
    """
    models, findings = len(joint.models), len(joint.findings)
    samples, patients = drawn or (np.empty((0, *points.shape)), np.zeros(findings, dtype=np.int64))
    halves = points.reshape(2, models, findings)
    alone = np.asarray(np.isnan(halves).all(axis=2).any(axis=0))  # models without the metric on a side: not compared
    compared = np.where(alone[:, None], np.nan, halves).reshape(points.shape)
    means = joint_means(compared, samples, range(findings), patients)  # each side as if it had models of its own
    here, rest = means.samples[:, :models], means.samples[:, models:]
    point, beside = means.point[:models], means.point[models:]
    known = ~np.isnan(joint.labels)
    sides = subgroup.inside, ~subgroup.inside
    films = [int(known[side].any(axis=1).sum()) for side in sides]
    positives = [(joint.labels[side] == 1).sum(axis=0) for side in sides]
    fewest = min((int(side[place]) for side in positives for place in means.counted), default=0)
    return AgainstRest(
        subgroup=subgroup,
        films=films[0],
        others=films[1],
        counted=tuple(joint.findings[place] for place in means.counted),
        fewest=fewest,
        shared=_shared(joint, subgroup.inside),
        here=figures_of(point, here, means.units),
        rest=figures_of(beside, rest, means.units),
        difference=figures_of(point - beside, here - rest, means.units),
        p=np.array([two_sided_p(less, fewest) if means.units > 1 else np.nan for less in (here - rest).T]),
        resamples=len(samples),
    )


def figures_of(point: Floats, samples: Floats, units: int) -> Figures:
    """Points (models,) with the 95 % intervals of samples (resamples, models); none of fewer than 2 units."""
    low, high = np.full(len(point), np.nan), np.full(len(point), np.nan)
    for model in np.flatnonzero(~np.isnan(point)):
        if len(samples):
            low[model], high[model] = interval(samples[:, model], units)
    return Figures(point, low, high)

"""What a threshold costs: F1 at 0.5, at each model's own thresholds, and at the best ones, on the same resamples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import called_alike
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.one_finding.scores import half_of
from explorer.core.arrays import Floats, ratio
from explorer.core.findings import TASKS
from explorer.metrics import metrics
from explorer.metrics.bootstrap import interval
from explorer.metrics.joint_means import JointMeans, joint_means
from explorer.metrics.metrics import on_all, prepared
from explorer.metrics.resamples import resamples_of
from explorer.metrics.sweep import Sweep
from explorer.runtime.cached_per_owner import remembered
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

At = Literal["0.5", "own", "best"]
PLACES: tuple[At, ...] = get_args(At)


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """F1 by place of `PLACES`, model and finding with its 95 % interval, NaN where undefined or still to come.

    `seen` and `unseen` are the means over these findings of each place and model, the first model at 0.5, the second at
    0.5 and so on, over the findings that every model has at every place; None without such findings.
    """

    points: Floats  # (3, models, findings)
    low: Floats
    high: Floats
    best: Floats  # (models, findings) the thresholds, NaN without positives
    seen: JointMeans | None
    unseen: JointMeans | None
    resamples: int

    def lost(self, means: JointMeans, place: At) -> tuple[Floats, Floats, Floats]:
        """By model, the mean at the best thresholds less that at a place, low and high on the same resamples."""
        models = self.points.shape[1]
        one, other = (slice(PLACES.index(each) * models, (PLACES.index(each) + 1) * models) for each in ("best", place))
        less = means.samples[:, one] - means.samples[:, other]
        ends = np.array([interval(column, means.units) for column in less.T]).reshape(models, 2)
        return means.point[one] - means.point[other], ends[:, 0], ends[:, 1]


def threshold_prices(store: Store, chosen: Slice, models: tuple[str, ...], *, natural: bool) -> Prices:
    """The prices in a slice without intervals: at once. Raises NoComparison, and what the store raises."""
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    return _points(store, chosen, models, natural, versions)


@remembered(8)
def _points(store: Store, chosen: Slice, models: tuple[str, ...], natural: bool, _versions: tuple[str, ...]) -> Prices:
    return prices(joint_scores(store, chosen, models), 0, 0, natural=natural)


def prices(joint: JointScores, resamples: int, seed: int, *, natural: bool) -> Prices:
    """F1 at the three places, with `resamples` the intervals too: whole patients, as the leaderboard draws them.

    The best thresholds are chosen on these very films and held fixed over the resamples. A pair of film and finding
    that some model cannot call at its own threshold is left out everywhere. Raises ValueError for no films.
    """
    shape = len(PLACES), len(joint.models), len(joint.findings)
    labels, best, weights = called_alike(joint), _best(joint, natural=natural), joint.weights if natural else None
    drawn = resamples_of(len(labels), max(resamples, 1), seed, joint.patients, weights)
    points, samples = np.empty(shape), np.empty((resamples, *shape))
    for place, model in np.ndindex(shape[:2]):  # one after the other: all at once would not fit
        calls = _calls(joint, model, PLACES[place], best)
        evaluate = prepared(metrics.f1, np.where(calls < 0, np.nan, labels), np.maximum(calls, 0), {"threshold": 0.5})
        points[place, model] = on_all(evaluate, len(labels), weights)
        if resamples:
            samples[:, place, model] = drawn.evaluate(evaluate)
    units = drawn.units_with(~np.isnan(joint.labels))
    ends = np.full((2, *shape), np.nan)
    for place in np.ndindex(shape) if resamples else ():
        ends[(slice(None), *place)] = interval(samples[(slice(None), *place)], int(units[place[2]]))
    columns = shape[0] * shape[1]
    flat = points.reshape(columns, shape[2]), samples.reshape(resamples, columns, shape[2])
    members = [
        [each for each, name in enumerate(joint.findings) if (name in TASKS["unseen"]) is kind]
        for kind in (False, True)
    ]
    means = [joint_means(*flat, each, units) if each else None for each in members]
    return Prices(points, ends[0], ends[1], best, means[0], means[1], resamples)


def best_threshold(labels: Floats, scores: Floats, weights: Floats | None) -> float:
    """The score from which films are called for the largest F1, calling all among the choices; the lowest of several.

    NaN without positives. Labels and scores (n,); weights (n,), where films do not count the same.
    """
    sweep = Sweep.of(labels, scores)
    hits, false_alarms = sweep.called(np.ones((1, len(labels))) if weights is None else weights[None])
    if not hits.size or not hits[0, -1]:
        return float("nan")
    f1 = ratio(2 * hits[0], hits[0] + false_alarms[0] + hits[0, -1])
    return float(sweep.thresholds[len(f1) - 1 - int(np.argmax(f1[::-1]))])


def _best(joint: JointScores, *, natural: bool) -> Floats:
    """The best thresholds (models, findings)."""
    labels, weights = called_alike(joint), joint.weights if natural else None
    return np.array(
        [
            [
                best_threshold(labels[:, place], scores[:, place].astype(np.float64), weights)
                for place in range(scores.shape[1])
            ]
            for scores in joint.scores
        ]
    )


def _calls(joint: JointScores, model: int, place: At, best: Floats) -> Floats:
    """Calls (n, findings) of a model at a place: 1 called, 0 not, -1 where there is no threshold."""
    if place == "own":
        own: Floats = joint.called[model].astype(np.float64)
        return own
    limits = best[model] if place == "best" else np.full(best.shape[1], half_of(joint.scales[model]))
    calls: Floats = np.where(np.isnan(limits), -1.0, joint.scores[model] >= limits)
    return calls

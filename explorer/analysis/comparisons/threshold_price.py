"""Computes F1 at a threshold of 0.5, at each model's own thresholds and at the best ones, on the same resamples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import commonly_called_labels
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.one_finding.scores import half_score
from explorer.core.arrays import Floats, ratio
from explorer.core.findings import TASKS
from explorer.metrics import metrics
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.joint_means import JointMeans, joint_means
from explorer.metrics.metrics import on_original_cases, prepared_metric
from explorer.metrics.resamples import resamples_of
from explorer.metrics.sweep import Sweep
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

ThresholdChoice = Literal["0.5", "own", "best"]
THRESHOLD_CHOICES: tuple[ThresholdChoice, ...] = get_args(ThresholdChoice)


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdPrices:
    """F1 by threshold choice, model and finding, with its 95 % interval; NaN if undefined or not yet computed.

    `seen` and `unseen` are means over the seen and unseen findings that are defined for every choice and model,
    flattened by choice, then model (first model at 0.5, second at 0.5 and so on); None without such findings.
    """

    points: Floats  # (3, models, findings)
    low: Floats
    high: Floats
    best: Floats  # (models, findings) best thresholds, NaN without positives
    seen: JointMeans | None
    unseen: JointMeans | None
    resamples: int

    def lost(self, means: JointMeans, place: ThresholdChoice) -> tuple[Floats, Floats, Floats]:
        """Return by model the mean F1 at the best thresholds minus that at `place`, with its paired interval."""
        models = self.points.shape[1]
        one, other = (
            slice(THRESHOLD_CHOICES.index(each) * models, (THRESHOLD_CHOICES.index(each) + 1) * models)
            for each in ("best", place)
        )
        lost_samples = means.samples[:, one] - means.samples[:, other]
        ends = np.array([percentile_interval(column, means.units) for column in lost_samples.T]).reshape(models, 2)
        return means.point[one] - means.point[other], ends[:, 0], ends[:, 1]


def threshold_prices(store: Store, chosen: Slice, models: tuple[str, ...], *, natural: bool) -> ThresholdPrices:
    """Return the prices in a slice without intervals. Raises NoComparison and the store's errors."""
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    return _points(store, chosen, models, natural, versions)


@cached_per_owner(8)
def _points(
    store: Store, chosen: Slice, models: tuple[str, ...], natural: bool, _versions: tuple[str, ...]
) -> ThresholdPrices:
    return price_thresholds(joint_scores(store, chosen, models), 0, 0, natural=natural)


def price_thresholds(joint: JointScores, resamples: int, seed: int, *, natural: bool) -> ThresholdPrices:
    """Compute F1 for the three choices; with `resamples`, with intervals over whole patients as on the leaderboard.

    The best thresholds are fitted on these films and kept fixed over the resamples. Pairs for which some model has no
    threshold of its own are left out everywhere. Raises ValueError without films.
    """
    shape = len(THRESHOLD_CHOICES), len(joint.models), len(joint.findings)
    labels, best, weights = (
        commonly_called_labels(joint),
        _best(joint, natural=natural),
        joint.weights if natural else None,
    )
    drawn = resamples_of(len(labels), max(resamples, 1), seed, joint.patients, weights)
    points, samples = np.empty(shape), np.empty((resamples, *shape))
    for place, model in np.ndindex(shape[:2]):  # one at a time, to limit memory
        calls = _calls(joint, model, THRESHOLD_CHOICES[place], best)
        evaluate = prepared_metric(
            metrics.f1, np.where(calls < 0, np.nan, labels), np.maximum(calls, 0), {"threshold": 0.5}
        )
        points[place, model] = on_original_cases(evaluate, len(labels), weights)
        if resamples:
            samples[:, place, model] = drawn.evaluate(evaluate)
    units = drawn.units_with(~np.isnan(joint.labels))
    ends = np.full((2, *shape), np.nan)
    for place in np.ndindex(shape) if resamples else ():
        ends[(slice(None), *place)] = percentile_interval(samples[(slice(None), *place)], int(units[place[2]]))
    columns = shape[0] * shape[1]
    flat = points.reshape(columns, shape[2]), samples.reshape(resamples, columns, shape[2])
    members = [
        [each for each, name in enumerate(joint.findings) if (name in TASKS["unseen"]) is kind]
        for kind in (False, True)
    ]
    means = [joint_means(*flat, each, units) if each else None for each in members]
    return ThresholdPrices(points, ends[0], ends[1], best, means[0], means[1], resamples)


def best_threshold(labels: Floats, scores: Floats, weights: Floats | None) -> float:
    """Return the lowest threshold with the largest F1; calling all films present is one option.

    NaN without positives. Labels, scores and optional weights (n,).
    """
    sweep = Sweep.of(labels, scores)
    hits, false_alarms = sweep.called(np.ones((1, len(labels))) if weights is None else weights[None])
    if not hits.size or not hits[0, -1]:
        return float("nan")
    f1 = ratio(2 * hits[0], hits[0] + false_alarms[0] + hits[0, -1])
    return float(sweep.thresholds[len(f1) - 1 - int(np.argmax(f1[::-1]))])


def _best(joint: JointScores, *, natural: bool) -> Floats:
    """Return the best thresholds (models, findings)."""
    labels, weights = commonly_called_labels(joint), joint.weights if natural else None
    return np.array(
        [
            [
                best_threshold(labels[:, place], scores[:, place].astype(np.float64), weights)
                for place in range(scores.shape[1])
            ]
            for scores in joint.scores
        ]
    )


def _calls(joint: JointScores, model: int, place: ThresholdChoice, best: Floats) -> Floats:
    """Return a model's calls (n, findings) for a choice: 1 called, 0 not, -1 without a threshold."""
    if place == "own":
        own: Floats = joint.called[model].astype(np.float64)
        return own
    limits = best[model] if place == "best" else np.full(best.shape[1], half_score(joint.scales[model]))
    calls: Floats = np.where(np.isnan(limits), -1.0, joint.scores[model] >= limits)
    return calls

"""The challenge's six metrics of several models on the same films, finding by finding, all on the same resamples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.core.arrays import Counts, Evaluate, Floats, checked_weights
from explorer.core.progress import OnShare, no_progress
from explorer.metrics.calibration_curves import sigmoid
from explorer.metrics.case_counts import CaseCounts
from explorer.metrics.joint_calibration import calibration_error
from explorer.metrics.joint_calls import call_metrics
from explorer.metrics.joint_ranking import JointEvaluate, by_resample, ranked
from explorer.metrics.resamples import resamples_of

Measure = Literal["AP", "AUROC", "F1", "ECE", "precision", "recall"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
SMALL_IS_GOOD: frozenset[Measure] = frozenset({"ECE"})
OF_CALLS: frozenset[Measure] = frozenset({"F1", "precision", "recall"})  # at each model's own operating points
_BINS = 15  # of ECE, as everywhere here
_SETS = 24  # of films that are counted at once


@dataclass(frozen=True, slots=True, eq=False)
class JointMetrics:
    """The metrics asked for by model and finding, NaN where undefined; `samples` are of no resample where only points
    are wanted.

    `uncalled` counts pairs of films and findings left out of F1, precision and recall: a model that has thresholds for
    the finding has none for the film.
    """

    points: Mapping[Measure, Floats]  # (models, findings)
    samples: Mapping[Measure, Floats]  # (resamples, models, findings)
    known: NDArray[np.int64]  # (findings,) films with a known label
    positives: NDArray[np.int64]  # (findings,) films with the finding
    patients: NDArray[np.int64]  # (findings,) with a film whose label is known
    uncalled: int


def joint_metrics(
    joint: JointScores,
    resamples: int,
    seed: int,
    *,
    natural: bool = False,
    measures: Collection[Measure] = MEASURES,
    stream: int = 0,
    on_progress: OnShare = no_progress,
) -> JointMetrics:
    """The metrics and, where `resamples` is not 0, their samples; whole patients are drawn, as `bootstrap` draws them.

    `natural`: each film counts as often as nature has it. `stream`: other draws of the same seed, for films that have
    no patient in common with those of the first. `on_progress` hears how much is done. Raises ValueError for a negative
    seed or no films.
    """
    weights = joint.weights if natural else None
    drawn = resamples_of(len(joint.labels), max(resamples, 1), seed, joint.patients, weights, stream)
    wanted, evaluate = _prepared(joint, measures)
    points = evaluate(_every_film(joint, natural)[None])[0]
    samples = drawn.evaluate(evaluate, on_progress) if resamples else np.empty((0, *points.shape))
    known = ~np.isnan(joint.labels)
    return JointMetrics(
        points={measure: points[place] for place, measure in enumerate(wanted)},
        samples={measure: samples[:, place] for place, measure in enumerate(wanted)},
        known=known.sum(axis=0),
        positives=(joint.labels == 1).sum(axis=0),
        patients=drawn.units_with(known),
        uncalled=int((_without_call(joint) & known).sum()),
    )


def points_on(joint: JointScores, sets: NDArray[np.bool_], measure: Measure, *, natural: bool = False) -> Floats:
    """A metric (sets, models, findings) on each of several sets of the films (sets, n); scores are ranked once."""
    films = _every_film(joint, natural)
    wanted, evaluate = _prepared(joint, (measure,))
    place = wanted.index(measure)
    starts = range(0, len(sets), _SETS)
    found = [evaluate(sets[start : start + _SETS] * films)[:, place] for start in starts]
    return np.concatenate(found) if found else np.empty((0, len(joint.models), len(joint.findings)))


def _every_film(joint: JointScores, natural: bool) -> Counts:
    """How often each film counts (n,): once, or as often as nature has it."""
    n = len(joint.labels)
    return checked_weights(joint.weights, n) if natural else np.ones(n, dtype=np.int64)


def _ranking(joint: JointScores) -> JointEvaluate:
    return ranked(joint.labels, joint.scores)


def _calls(joint: JointScores) -> JointEvaluate:
    return call_metrics(called_alike(joint), joint.called)


def _calibration(joint: JointScores) -> JointEvaluate:
    """Of the scores as fractions; NaN of a model's finding with a score that cannot be set beside rates."""
    scores = joint.scores
    if any(scale is not None for scale in joint.scales):
        each = zip(joint.scores.astype(np.float64), joint.scales, strict=True)
        scores = np.stack([fractions(*one) for one in each])
    outside = (scores.min(axis=1) < 0) | (scores.max(axis=1) > 1)
    evaluate = calibration_error(joint.labels, np.clip(scores, 0, 1) if outside.any() else scores, _BINS)
    return lambda films: np.where(outside[..., None], np.nan, evaluate(films))


# What is computed together; each prepared answers in the order of its measures.
_KINDS: tuple[tuple[tuple[Measure, ...], Callable[[JointScores], JointEvaluate]], ...] = (
    (("AP", "AUROC"), _ranking),
    (("F1", "precision", "recall"), _calls),
    (("ECE",), _calibration),
)


def _prepared(joint: JointScores, measures: Collection[Measure]) -> tuple[tuple[Measure, ...], Evaluate]:
    """Those asked for and what comes with them; what answers counts (k, n) with (k, measures, models, findings)."""
    kinds = [(members, prepare(joint)) for members, prepare in _KINDS if not set(members).isdisjoint(measures)]

    def evaluate(counts: Counts) -> Floats:
        films = CaseCounts.of(counts)
        return by_resample(np.concatenate([each(films) for _, each in kinds]))

    return tuple(measure for members, _ in kinds for measure in members), evaluate


def fractions(scores: Floats, scale: float | None) -> Floats:
    """Scores (n, findings) from 0 to 1: those of margins by the model's own scale."""
    return scores if scale is None else sigmoid(scale * scores)


def _without_call(joint: JointScores) -> NDArray[np.bool_]:
    """Pairs (n, findings) that some model cannot call, though it can call the finding on other films."""
    missing = joint.called < 0
    some = np.logical_not(missing.all(axis=1, keepdims=True))
    return np.asarray((missing & some).any(axis=0))


def called_alike(joint: JointScores) -> Floats:
    """The labels (n, findings), NaN where some model cannot call the pair: those that F1 of every model counts."""
    return np.where(_without_call(joint), np.nan, joint.labels)

"""Computes the challenge's six metrics for several models by finding, on the same films and resamples."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import ComparedFilms, JointScores
from explorer.core.arrays import Counts, Floats, checked_weights
from explorer.core.progress import OnShare, no_progress
from explorer.metrics.calibration_curves import sigmoid
from explorer.metrics.case_counts import CaseCounts, CountsMetric
from explorer.metrics.joint_calibration import calibration_error
from explorer.metrics.joint_calls import call_metrics, f1_precision_recall
from explorer.metrics.joint_ranking import JointEvaluate, by_resample, ranking_metrics_of
from explorer.metrics.resamples import Resamples, resamples_of
from explorer.metrics.sorted_cases import LabeledCases

BoardMeasure = Literal["AP", "AUROC", "F1", "ECE", "precision", "recall"]
BOARD_MEASURES: tuple[BoardMeasure, ...] = get_args(BoardMeasure)
LOWER_IS_BETTER: frozenset[BoardMeasure] = frozenset({"ECE"})
BINS = 15  # for ECE, as in the rest of Tailscope
_SETS = 24  # film sets evaluated at once


@dataclass(frozen=True, slots=True, eq=False)
class JointMetrics:
    """The requested metrics by model and finding, NaN if undefined; without resampling, `samples` has length 0.

    `uncalled` counts (film, finding) pairs left out of F1, precision and recall because a model with thresholds for the
    finding has none for the film.
    """

    points: Mapping[BoardMeasure, Floats]  # (models, findings)
    samples: Mapping[BoardMeasure, Floats]  # (resamples, models, findings)
    known: NDArray[np.int64]  # (findings,) films with a known label
    positives: NDArray[np.int64]  # (findings,) films with the finding
    patients: NDArray[np.int64]  # (findings,) patients with a known label
    uncalled: int


def joint_metrics(
    joint: JointScores,
    resamples: int,
    seed: int,
    *,
    natural: bool = False,
    measures: Collection[BoardMeasure] = BOARD_MEASURES,
    stream: int = 0,
    on_progress: OnShare = no_progress,
) -> JointMetrics:
    """Compute the metrics and, if `resamples` is not 0, their bootstrap samples over whole patients.

    `natural` weights films to natural prevalence. `stream` selects independent draws of the same seed, for films
    without shared patients. `on_progress` receives the share done. Raises ValueError for a negative seed or no films.
    """
    drawn = draws(joint, resamples, seed, natural=natural, stream=stream)
    wanted, evaluate = prepared_metrics(joint, measures)
    points = evaluate(every_film(joint, natural)[None])[0]
    samples = drawn.evaluate(evaluate, on_progress) if resamples else np.empty((0, *points.shape))
    known = ~np.isnan(joint.labels)
    return JointMetrics(
        points={measure: points[place] for place, measure in enumerate(wanted)},
        samples={measure: samples[:, place] for place, measure in enumerate(wanted)},
        known=known.sum(axis=0),
        positives=(joint.labels == 1).sum(axis=0),
        patients=drawn.units_with(known),
        uncalled=int((without_call(joint.called) & known).sum()),
    )


def draws(films: ComparedFilms, resamples: int, seed: int, *, natural: bool, stream: int = 0) -> Resamples:
    """Return the resamples of whole patients. Raises ValueError for a negative seed or no films."""
    weights = films.weights if natural else None
    return resamples_of(len(films.films), max(resamples, 1), seed, films.patients, weights, stream)


def points_of_model(
    ranked: Sequence[LabeledCases],
    judged: Sequence[LabeledCases],
    scores: NDArray[np.float32],
    called: NDArray[np.int8],
    scale: float | None,
) -> Floats:
    """Return all metrics (measures, findings), in the order of ALL_MEASURES, with every film counted once.

    `ranked` has each finding's labels, `judged` those for F1, precision and recall; scores and calls are (findings, n).
    """
    values = np.full((len(ALL_MEASURES), len(ranked)), np.nan)
    counts = np.zeros((3, len(judged)))
    for finding, (cases, call_cases) in enumerate(zip(ranked, judged, strict=True)):
        sorted_cases, calls = cases.sorted(scores[finding]), called[finding]
        values[:2, finding] = sorted_cases.ap_and_auroc()
        if scale is not None or (scores[finding].min() >= 0 and scores[finding].max() <= 1):
            values[-1, finding] = sorted_cases.calibration_error(BINS, partial(_fractions, scale=scale))
        if (calls >= 0).any():
            counts[:, finding] = *call_cases.hits_and_false_alarms(calls == 1), len(call_cases.present)
    values[2:5] = f1_precision_recall(*counts)
    return values


def _fractions(scores: NDArray[np.floating], scale: float | None) -> NDArray[np.floating]:
    return scores if scale is None else sigmoid(scale * scores.astype(np.float64))


def metric_on_sets(
    joint: JointScores, sets: NDArray[np.bool_], measure: BoardMeasure, *, natural: bool = False
) -> Floats:
    """Return a metric (sets, models, findings) on several sets of films (sets, n), ranking scores only once."""
    films = every_film(joint, natural)
    wanted, evaluate = prepared_metrics(joint, (measure,))
    place = wanted.index(measure)
    starts = range(0, len(sets), _SETS)
    found = [evaluate(sets[start : start + _SETS] * films)[:, place] for start in starts]
    return np.concatenate(found) if found else np.empty((0, len(joint.models), len(joint.findings)))


def every_film(films: ComparedFilms, natural: bool) -> Counts:
    """Return each film's weight (n,): 1, or its natural weight."""
    n = len(films.films)
    return checked_weights(films.weights, n) if natural else np.ones(n, dtype=np.int64)


def _ranking(joint: JointScores) -> JointEvaluate:
    return ranking_metrics_of(joint.labels, joint.scores)


def _calibration(joint: JointScores) -> JointEvaluate:
    """Evaluate ECE of scores in [0, 1]; NaN for a model and finding with scores outside."""
    scores = joint.scores
    if any(scale is not None for scale in joint.scales):
        each = zip(joint.scores.astype(np.float64), joint.scales, strict=True)
        scores = np.stack([as_probabilities(*one) for one in each])
    outside = (scores.min(axis=1) < 0) | (scores.max(axis=1) > 1)
    evaluate = calibration_error(joint.labels, np.clip(scores, 0, 1) if outside.any() else scores, BINS)
    return lambda films: np.where(outside[..., None], np.nan, evaluate(films))


_RANKING: tuple[BoardMeasure, ...] = ("AP", "AUROC")
_CALLS: tuple[BoardMeasure, ...] = ("F1", "precision", "recall")
_CALIBRATION: tuple[BoardMeasure, ...] = ("ECE",)
ALL_MEASURES = (*_RANKING, *_CALLS, *_CALIBRATION)  # in the order in which they are computed


def computed_measures(measures: Collection[BoardMeasure]) -> tuple[BoardMeasure, ...]:
    """Return the measures that are computed where these are requested, in order: some come together."""
    kinds = (_RANKING, _CALLS, _CALIBRATION)
    return tuple(measure for kind in kinds if not set(kind).isdisjoint(measures) for measure in kind)


def prepared_metrics(
    joint: JointScores, measures: Collection[BoardMeasure] = BOARD_MEASURES, call_labels: Floats | None = None
) -> tuple[tuple[BoardMeasure, ...], CountsMetric]:
    """Return the computed measures and a function that maps counts (k, n) to values (k, measures, models, findings).

    `call_labels` are those for F1, precision and recall, by default `commonly_called_labels`.
    """

    def calls(joint: JointScores) -> JointEvaluate:
        return call_metrics(commonly_called_labels(joint) if call_labels is None else call_labels, joint.called)

    kinds = [
        prepare(joint)
        for members, prepare in ((_RANKING, _ranking), (_CALLS, calls), (_CALIBRATION, _calibration))
        if not set(members).isdisjoint(measures)
    ]

    def evaluate(counts: CaseCounts) -> Floats:
        return by_resample(np.concatenate([each(counts) for each in kinds]))

    return computed_measures(measures), CountsMetric(evaluate)


def as_probabilities(scores: Floats, scale: float | None) -> Floats:
    """Return scores (n, findings) in [0, 1], converting margins by the model's scale."""
    return scores if scale is None else sigmoid(scale * scores)


def without_call(called: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Mark pairs (n, findings) for which some model lacks a threshold that it has on other films.

    Calls are (models, n, findings).
    """
    missing = called < 0
    some = np.logical_not(missing.all(axis=1, keepdims=True))
    return np.asarray((missing & some).any(axis=0))


def commonly_called_labels(joint: JointScores) -> Floats:
    """Return labels (n, findings), NaN where some model lacks a threshold, so that F1 counts the same pairs for all."""
    return np.where(without_call(joint.called), np.nan, joint.labels)

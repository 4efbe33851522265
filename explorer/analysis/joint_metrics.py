"""The challenge's six metrics of several models on the same films, finding by finding, all on the same resamples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.joint_scores import JointScores
from explorer.core.arrays import Counts, Evaluate, Floats
from explorer.metrics import metrics
from explorer.metrics.joint_ranking import both
from explorer.metrics.metrics import Metric, on_all, prepared
from explorer.metrics.resamples import resamples_of

Measure = Literal["AP", "AUROC", "F1", "ECE", "precision", "recall"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
SMALL_IS_GOOD: frozenset[Measure] = frozenset({"ECE"})
OF_CALLS: frozenset[Measure] = frozenset({"F1", "precision", "recall"})  # at each model's own operating points
_BY_FINDING: Mapping[Measure, Metric] = MappingProxyType(
    {
        "F1": metrics.f1,
        "ECE": metrics.ece,
        "precision": metrics.precision,
        "recall": metrics.recall,
    }
)
_BINS = 15  # of ECE, as everywhere here: the columns of a finding, by far the most of all six metrics
_CELLS = 2**25  # numbers that are held at once for one metric: 256 MB


@dataclass(frozen=True, slots=True, eq=False)
class JointMetrics:
    """The six metrics by model and finding, NaN where undefined; `samples` are of no resample where only points are
    wanted.

    `uncalled` counts pairs of films and findings left out of F1, precision and recall: a model that has thresholds for
    the finding has none for the film.
    """

    points: Mapping[Measure, Floats]  # (models, findings)
    samples: Mapping[Measure, Floats]  # (resamples, models, findings)
    known: NDArray[np.int64]  # (findings,) films with a known label
    positives: NDArray[np.int64]  # (findings,) films with the finding
    patients: NDArray[np.int64]  # (findings,) with a film whose label is known
    uncalled: int


def joint_metrics(joint: JointScores, resamples: int, seed: int, *, natural: bool = False) -> JointMetrics:
    """The metrics and, where `resamples` is not 0, their samples; whole patients are drawn, as `bootstrap` draws them.

    `natural`: each film counts as often as nature has it. Raises ValueError for a negative seed or no films.
    """
    weights = joint.weights if natural else None
    drawn = resamples_of(len(joint.labels), max(resamples, 1), seed, joint.patients, weights)
    evaluates = list(_evaluates(joint))

    def together(counts: Counts) -> Floats:
        return np.concatenate([evaluate(counts) for evaluate in evaluates], axis=1)

    known = ~np.isnan(joint.labels)
    points = _by_measure(on_all(together, len(joint.labels), weights)[None], joint)
    none = np.empty((0, len(MEASURES) * len(joint.models) * len(joint.findings)))
    samples = _by_measure(drawn.evaluate(together) if resamples else none, joint)
    return JointMetrics(
        points={measure: values[0] for measure, values in points.items()},
        samples=samples,
        known=known.sum(axis=0),
        positives=(joint.labels == 1).sum(axis=0),
        patients=drawn.units_with(known),
        uncalled=int((_without_call(joint) & known).sum()),
    )


def _by_measure(values: Floats, joint: JointScores) -> dict[Measure, Floats]:
    """Values (k, measures * models * findings) as (k, models, findings) each."""
    shaped = values.reshape(len(values), len(MEASURES), len(joint.models), len(joint.findings))
    return {measure: shaped[:, place] for place, measure in enumerate(MEASURES)}


def _evaluates(joint: JointScores) -> Iterator[Evaluate]:
    """The metrics prepared, in the order of MEASURES, models and findings, some columns at a time."""
    yield both(joint.labels, joint.scores.astype(np.float64))
    most = max(1, _CELLS // (len(joint.labels) * (_BINS + 1)))
    for measure, metric in _BY_FINDING.items():
        labels, scores, options = _columns(joint, measure)
        for start in range(0, labels.shape[1], most):
            some = slice(start, start + most)
            yield prepared(metric, labels[:, some], scores[:, some], options)


def _columns(joint: JointScores, measure: Measure) -> tuple[Floats, Floats, dict[str, Any]]:
    """Labels and scores (n, models * findings) that a metric counts, and its keywords."""
    labels = np.broadcast_to(joint.labels, joint.scores.shape)
    scores, options = joint.scores.astype(np.float64), {}
    if measure in OF_CALLS:
        missing = _without_call(joint) | (joint.called < 0)
        labels, scores, options = np.where(missing, np.nan, labels), np.maximum(joint.called, 0), {"threshold": 0.5}
    if measure == "ECE":
        scores = np.stack([_fractions(each, scale) for each, scale in zip(scores, joint.scales, strict=True)])
        outside = ((scores < 0) | (scores > 1)).any(axis=1, keepdims=True)  # no scores that can be set beside rates
        labels, scores = np.where(outside, np.nan, labels), np.clip(scores, 0, 1)
    return _flat(labels), _flat(scores), options


def _fractions(scores: Floats, scale: float | None) -> Floats:
    """Scores (n, findings) from 0 to 1: those of margins by the model's own scale."""
    return scores if scale is None else 1 / (1 + np.exp(-scale * scores))


def _without_call(joint: JointScores) -> NDArray[np.bool_]:
    """Pairs (n, findings) that some model cannot call, though it can call the finding on other films."""
    missing = joint.called < 0
    some = np.logical_not(missing.all(axis=1, keepdims=True))
    return np.asarray((missing & some).any(axis=0))


def _flat(values: NDArray[Any]) -> Floats:
    """Values (models, n, findings) as columns (n, models * findings)."""
    return np.moveaxis(values, 0, 1).reshape(values.shape[1], -1).astype(np.float64)

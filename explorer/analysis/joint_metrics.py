"""The challenge's six metrics of several models on the same films, finding by finding, all on the same resamples."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.joint_scores import JointScores
from explorer.core.arrays import Evaluate, Floats, checked_weights
from explorer.core.progress import OnShare, part_of, unheard
from explorer.metrics import metrics
from explorer.metrics.calibration_curves import sigmoid
from explorer.metrics.joint_ranking import both
from explorer.metrics.metrics import Metric, on_all, prepared
from explorer.metrics.resamples import resamples_of

Measure = Literal["AP", "AUROC", "F1", "ECE", "precision", "recall"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
SMALL_IS_GOOD: frozenset[Measure] = frozenset({"ECE"})
OF_CALLS: frozenset[Measure] = frozenset({"F1", "precision", "recall"})  # at each model's own operating points
_RANKING: frozenset[Measure] = frozenset({"AP", "AUROC"})
_BY_FINDING: Mapping[Measure, Metric] = MappingProxyType(
    {
        "F1": metrics.f1,
        "ECE": metrics.ece,
        "precision": metrics.precision,
        "recall": metrics.recall,
    }
)
_BINS = 15  # of ECE, as everywhere here: the columns of a finding, by far the most of all six metrics
_SETS = 24  # of films that are counted at once
_CELLS = 2**25  # numbers that are held at once for one metric: 256 MB


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
    on_share: OnShare = unheard,
) -> JointMetrics:
    """The metrics and, where `resamples` is not 0, their samples; whole patients are drawn, as `bootstrap` draws them.

    `natural`: each film counts as often as nature has it. `stream`: other draws of the same seed, for films that have
    no patient in common with those of the first. `on_share` hears how much is done. Raises ValueError for a negative
    seed or no films.
    """
    weights = joint.weights if natural else None
    drawn = resamples_of(len(joint.labels), max(resamples, 1), seed, joint.patients, weights, stream)
    wanted = _computed(measures)
    shape = len(wanted), len(joint.models), len(joint.findings)
    points, samples = np.empty((1, *shape)), np.empty((resamples, *shape))
    done, of = 0.0, len(wanted) * len(joint.models)
    for places, models, evaluate in _pieces(joint, wanted):
        _put(points, places, models, on_all(evaluate, len(joint.labels), weights)[None])
        width = len(range(of)[places]) * len(range(of)[models]) / of
        if resamples:
            _put(samples, places, models, drawn.evaluate(evaluate, part_of(on_share, done, width)))
        done += width
    known = ~np.isnan(joint.labels)
    return JointMetrics(
        points={measure: points[0, place] for place, measure in enumerate(wanted)},
        samples={measure: samples[:, place] for place, measure in enumerate(wanted)},
        known=known.sum(axis=0),
        positives=(joint.labels == 1).sum(axis=0),
        patients=drawn.units_with(known),
        uncalled=int((_without_call(joint) & known).sum()),
    )


def points_on(joint: JointScores, sets: NDArray[np.bool_], measure: Measure, *, natural: bool = False) -> Floats:
    """A metric (sets, models, findings) on each of several sets of the films (sets, n); scores are ranked once."""
    weights = checked_weights(joint.weights, len(joint.labels)) if natural else np.ones(len(joint.labels))
    wanted = _computed((measure,))
    values = np.empty((len(sets), len(wanted), len(joint.models), len(joint.findings)))
    for places, models, evaluate in _pieces(joint, wanted):
        for start in range(0, len(sets), _SETS):
            some = slice(start, start + _SETS)
            _put(values[some], places, models, evaluate(sets[some] * weights))
    return values[:, wanted.index(measure)]


def _computed(measures: Collection[Measure]) -> tuple[Measure, ...]:
    """Those asked for; AP and AUROC come together."""
    ranked = not _RANKING.isdisjoint(measures)
    return tuple(each for each in MEASURES if each in measures or (ranked and each in _RANKING))


def _put(values: Floats, measures: slice, models: slice, found: Floats) -> None:
    """Into values (k, measures, models, findings), what was found of some, (k, all of these)."""
    some = values[:, measures, models]
    some[:] = found.reshape(some.shape)


def _pieces(joint: JointScores, measures: Sequence[Measure]) -> Iterator[tuple[slice, slice, Evaluate]]:
    """The metrics prepared, places of measures and of models with each: as many models at once as there is room for."""
    models = len(joint.models)
    by_finding = [each for each in measures if each in _BY_FINDING]
    first = len(measures) - len(by_finding)
    if first:
        yield slice(0, first), slice(0, models), both(joint.labels, joint.scores.astype(np.float64))
    if not by_finding:
        return
    at_once = max(1, _CELLS // (joint.labels.size * (_BINS + 1)))
    unknown = _without_call(joint)
    for start in range(0, models, at_once):
        some = slice(start, min(start + at_once, models))
        yield slice(first, len(measures)), some, _by_finding(joint, by_finding, some, unknown)


def _by_finding(joint: JointScores, measures: Sequence[Measure], models: slice, unknown: NDArray[np.bool_]) -> Evaluate:
    """Metrics that each finding of each model has by itself, one after the other; `unknown`: not to be called."""
    evaluates = [
        prepared(
            _BY_FINDING[measure],
            *_columns(joint, measure, models, unknown),
            {"threshold": 0.5} if measure in OF_CALLS else {},
        )
        for measure in measures
    ]
    return lambda counts: np.concatenate([evaluate(counts) for evaluate in evaluates], axis=1)


def _columns(joint: JointScores, measure: Measure, models: slice, unknown: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Labels and scores (n, models * findings) that a metric counts; of calls, 1 where called, else 0."""
    if measure in OF_CALLS:
        called = joint.called[models]
        return _flat(np.where(unknown | (called < 0), np.nan, joint.labels)), _flat(np.maximum(called, 0))
    each = zip(joint.scores[models].astype(np.float64), joint.scales[models], strict=True)
    scores = np.stack([fractions(*one) for one in each])
    outside = ((scores < 0) | (scores > 1)).any(axis=1, keepdims=True)  # no scores that can be set beside rates
    return _flat(np.where(outside, np.nan, joint.labels)), _flat(np.clip(scores, 0, 1))


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


def _flat(values: NDArray[Any]) -> Floats:
    """Values (models, n, findings) as columns (n, models * findings)."""
    return np.moveaxis(values, 0, 1).reshape(values.shape[1], -1).astype(np.float64)

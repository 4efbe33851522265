"""Average precision and AUROC of one model, computed by `joint_ranking`."""

from __future__ import annotations

from explorer.core.arrays import Evaluate, Floats
from explorer.metrics.case_counts import CountsMetric
from explorer.metrics.joint_ranking import by_resample, ranking_metrics_of


def average_precision(labels: Floats, scores: Floats) -> Evaluate:
    """Return the precision at each positive's score, averaged over positives."""
    return _one_of(0, labels, scores)


def auroc(labels: Floats, scores: Floats) -> Evaluate:
    """Return the share of (positive, negative) pairs in which the positive scores higher, ties counting one half."""
    return _one_of(1, labels, scores)


def _one_of(metric: int, labels: Floats, scores: Floats) -> Evaluate:
    evaluate = ranking_metrics_of(labels, scores[None])
    return CountsMetric(lambda counts: by_resample(evaluate(counts)[metric, 0]))

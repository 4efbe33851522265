"""Average precision and AUROC of one model: what `joint_ranking` says of several."""

from __future__ import annotations

from explorer.core.arrays import Evaluate, Floats
from explorer.metrics.case_counts import CaseCounts
from explorer.metrics.joint_ranking import by_resample, ranked


def average_precision(labels: Floats, scores: Floats) -> Evaluate:
    """Sum over positives of precision at their score, each by its share of all positives."""
    return _one_of(0, labels, scores)


def auroc(labels: Floats, scores: Floats) -> Evaluate:
    """The share of pairs (positive, negative) in which the positive scores higher, ties counting one half."""
    return _one_of(1, labels, scores)


def _one_of(metric: int, labels: Floats, scores: Floats) -> Evaluate:
    evaluate = ranked(labels, scores[None])
    return lambda counts: by_resample(evaluate(CaseCounts.of(counts))[metric, 0])

"""Metrics that are formulas over weighted sums: counts at a threshold, Brier score, and calibration error of one model.

Each metric has a few columns per case and finding, summed over the cases, and a formula over the sums. For many
resamples, the sums are one matrix product: counts (k, n) times columns (n, findings * columns).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Evaluate, Floats, checked_fractions, ratio
from explorer.metrics.case_counts import CountsMetric
from explorer.metrics.joint_calibration import calibration_error
from explorer.metrics.joint_ranking import by_resample

Threshold = float | Floats
Formula = Callable[[Floats], Floats]  # sums (columns, k, findings) -> (k, findings)


def precision(labels: Floats, scores: Floats, *, threshold: Threshold) -> Evaluate:
    """Return hits divided by calls; NaN without positives or without calls."""
    calls, present = calls_at(labels, scores, threshold), labels == 1
    return _evaluate(_stack(calls * present, calls, present), lambda s: ratio(s[0], s[1] * (s[2] > 0)))


def recall(labels: Floats, scores: Floats, *, threshold: Threshold) -> Evaluate:
    """Return hits divided by positives; NaN without positives."""
    calls, present = calls_at(labels, scores, threshold), labels == 1
    return _evaluate(_stack(calls * present, present), lambda s: ratio(s[0], s[1]))


def specificity(labels: Floats, scores: Floats, *, threshold: Threshold) -> Evaluate:
    """Return correct rejections divided by negatives; NaN without negatives."""
    calls, absent = calls_at(labels, scores, threshold), labels == 0
    return _evaluate(_stack((1 - calls) * absent, absent), lambda s: ratio(s[0], s[1]))


def f1(labels: Floats, scores: Floats, *, threshold: Threshold) -> Evaluate:
    """Return twice the hits divided by positives plus calls; NaN without positives."""
    calls, present = calls_at(labels, scores, threshold), labels == 1
    return _evaluate(_stack(calls * present, calls, present), lambda s: ratio(2 * s[0], (s[1] + s[2]) * (s[2] > 0)))


def ece(labels: Floats, scores: Floats, *, bins: int) -> Evaluate:
    """Return the weighted mean over bins of |mean score - rate of positives|; NaN without known labels."""
    evaluate = calibration_error(labels, checked_fractions(scores, "ECE")[None], bins)
    return CountsMetric(lambda counts: by_resample(evaluate(counts)[0, 0]))


def brier(labels: Floats, scores: Floats, *, scaled: bool) -> Evaluate:
    """Return the mean squared difference, NaN without known labels; `scaled` as in `metrics.brier`."""
    squared = np.where(np.isnan(labels), 0, checked_fractions(scores, "The Brier score") - labels) ** 2
    columns = _stack(squared, labels == 1, labels == 0)
    if scaled:
        return _evaluate(columns, lambda s: 1 - ratio(s[0] * (s[1] + s[2]), s[1] * s[2]))
    return _evaluate(columns, lambda s: ratio(s[0], s[1] + s[2]))


def calls_at(labels: Floats, scores: Floats, threshold: Threshold) -> Floats:
    """Return 1 where a case with a known label is called positive, else 0; NaN for a finding without a threshold."""
    limits = np.asarray(threshold, dtype=np.float64)
    if limits.shape not in ((), labels.shape[1:]):
        raise ValueError(f"There must be one threshold, or one for each of the {labels.shape[1]} findings.")
    return np.where(np.isnan(limits), np.nan, (scores >= limits) & ~np.isnan(labels))


def _evaluate(columns: Floats, formula: Formula) -> Evaluate:
    """Return the formula applied to weighted sums of columns (n, columns, findings)."""
    n, width, findings = columns.shape
    flat = columns.reshape(n, width * findings)

    def evaluate(counts: Counts) -> Floats:
        sums = (counts.astype(np.float64) @ flat).reshape(len(counts), width, findings)
        return formula(np.moveaxis(sums, 1, 0))

    return evaluate


def _stack(*columns: npt.NDArray[Any]) -> Floats:
    """Stack columns (n, findings) into one array (n, columns, findings)."""
    return np.stack(columns, axis=1, dtype=np.float64)

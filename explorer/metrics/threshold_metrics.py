"""Metrics that are formulas over weighted sums: counts at a threshold, calibration error, Brier score.

Each metric is a few columns per case and finding, summed over the cases, and a formula over the sums. The sums of many
resamples are one matrix product: counts (k, n) times columns (n, findings * columns).
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Evaluate, Floats, checked_fractions, ratio

Threshold = float | Floats
Formula = Callable[[Floats], Floats]  # sums (columns, k, findings) -> (k, findings)


def precision(labels: Floats, scores: Floats, *, threshold: Threshold) -> Evaluate:
    """Hits by calls; NaN without positives and without calls."""
    calls, present = called(labels, scores, threshold), labels == 1
    return _evaluate(_stack(calls * present, calls, present), lambda s: ratio(s[0], s[1] * (s[2] > 0)))


def recall(labels: Floats, scores: Floats, *, threshold: Threshold) -> Evaluate:
    """Hits by positives; NaN without positives."""
    calls, present = called(labels, scores, threshold), labels == 1
    return _evaluate(_stack(calls * present, present), lambda s: ratio(s[0], s[1]))


def specificity(labels: Floats, scores: Floats, *, threshold: Threshold) -> Evaluate:
    """Correct rejections by negatives; NaN without negatives."""
    calls, absent = called(labels, scores, threshold), labels == 0
    return _evaluate(_stack((1 - calls) * absent, absent), lambda s: ratio(s[0], s[1]))


def f1(labels: Floats, scores: Floats, *, threshold: Threshold) -> Evaluate:
    """Twice the hits by positives and calls together; NaN without positives."""
    calls, present = called(labels, scores, threshold), labels == 1
    return _evaluate(_stack(calls * present, calls, present), lambda s: ratio(2 * s[0], (s[1] + s[2]) * (s[2] > 0)))


def ece(labels: Floats, scores: Floats, *, bins: int) -> Evaluate:
    """Weighted mean over the bins of |mean score - rate of positives|; NaN without known labels."""
    bin_of = bin_numbers(checked_fractions(scores, "ECE"), bins)
    known = ~np.isnan(labels)
    gap = np.where(known, scores - labels, 0)

    def formula(sums: Floats) -> Floats:
        return ratio(np.abs(sums[:bins]).sum(axis=0), sums[bins])

    def columns() -> Floats:
        found = np.zeros((len(labels), bins + 1, labels.shape[1]))
        np.put_along_axis(found, bin_of[:, None], gap[:, None], axis=1)
        found[:, bins] = known
        return found

    return _once_or_often(
        lambda counts: formula(_sums_by_bin(bin_of, gap, known, counts, bins)), lambda: _evaluate(columns(), formula)
    )


def brier(labels: Floats, scores: Floats, *, scaled: bool) -> Evaluate:
    """Mean squared difference, NaN without known labels; scaled: what it saves of the prevalence's own."""
    squared = np.where(np.isnan(labels), 0, checked_fractions(scores, "The Brier score") - labels) ** 2
    columns = _stack(squared, labels == 1, labels == 0)
    if scaled:
        return _evaluate(columns, lambda s: 1 - ratio(s[0] * (s[1] + s[2]), s[1] * s[2]))
    return _evaluate(columns, lambda s: ratio(s[0], s[1] + s[2]))


def bin_numbers(scores: Floats, bins: int) -> npt.NDArray[np.intp]:
    """The bin 0 ... bins - 1 of each score in [0, 1], of equal width and closed above: (0, 1 / bins] and so on, 0 in
    the first. Raises ValueError as `bin_edges` does.
    """
    return np.searchsorted(bin_edges(bins)[1:-1], scores, side="left")


def bin_edges(bins: int) -> Floats:
    """The edges 0, 1 / bins, ... 1 (bins + 1,), each the float nearest to its fraction; linspace may be just below it.

    Raises ValueError for anything but a whole number of bins from 1.
    """
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or bins < 1:
        raise ValueError(f"The number of bins must be a whole number of at least 1, not {bins!r}.")
    edges: Floats = np.arange(bins + 1) / bins
    return edges


def called(labels: Floats, scores: Floats, threshold: Threshold) -> Floats:
    """1 where a case with a known label is called positive, else 0; NaN for a finding whose threshold is NaN."""
    limits = np.asarray(threshold, dtype=np.float64)
    if limits.shape not in ((), labels.shape[1:]):
        raise ValueError(f"There must be one threshold, or one for each of the {labels.shape[1]} findings.")
    return np.where(np.isnan(limits), np.nan, (scores >= limits) & ~np.isnan(labels))


def _sums_by_bin(
    bin_of: npt.NDArray[np.intp], gap: Floats, known: npt.NDArray[np.bool_], counts: Counts, bins: int
) -> Floats:
    """For one set of counts (1, n), the sums of the gaps by bin, and of the known cases (bins + 1, 1, findings)."""
    findings = gap.shape[1]
    places = bin_of * findings + np.arange(findings)
    weighted = counts[0][:, None] * gap
    sums = np.bincount(places.ravel(), weighted.ravel(), minlength=bins * findings).reshape(bins, findings)
    return np.concatenate([sums, counts.astype(np.float64) @ known])[:, None]


def _once_or_often(once: Evaluate, often: Callable[[], Evaluate]) -> Evaluate:
    """`once` for one set of counts; for several the matrix of `often`, which takes memory and is made on first use."""
    lock, made = Lock(), list[Evaluate]()

    def evaluate(counts: Counts) -> Floats:
        if len(counts) == 1:
            return once(counts)
        with lock:
            if not made:
                made.append(often())
        return made[0](counts)

    return evaluate


def _evaluate(columns: Floats, formula: Formula) -> Evaluate:
    """The formula on weighted sums of columns (n, columns, findings)."""
    n, width, findings = columns.shape
    flat = columns.reshape(n, width * findings)

    def evaluate(counts: Counts) -> Floats:
        sums = (counts.astype(np.float64) @ flat).reshape(len(counts), width, findings)
        return formula(np.moveaxis(sums, 1, 0))

    return evaluate


def _stack(*columns: npt.NDArray[Any]) -> Floats:
    """Columns (n, findings) as one array (n, columns, findings)."""
    return np.stack(columns, axis=1, dtype=np.float64)

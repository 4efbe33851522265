"""How good scores are, finding by finding: arrays (n, findings) in, one number per finding out.

Labels are 1 (present), 0 (absent) or NaN (unknown): an unknown label leaves that pair of case and finding out and is
never counted as absent. Uncertain labels are a mask of their own; `explorer.core.uncertainty` says what they
may become.
Scores are finite. `weights` (n,) say how much a case counts, and default to 1. A metric is NaN where it is undefined:
a finding without positives has no precision, recall or F1 (rather than 0), one with a single class no average precision
and no AUROC. Elsewhere the numbers are those of scikit-learn, ties included. All are without unit, in [0, 1] unless
said otherwise. Arrays that cannot be are refused with ValueError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Evaluate, Floats, checked_arrays, checked_weights
from explorer.metrics import ranking_metrics, threshold_metrics

Metric = Callable[..., Floats]


def average_precision(labels: npt.ArrayLike, scores: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Floats:
    """Average precision (findings,): sum of (R_k - R_(k-1)) P_k over the distinct scores, from the highest down.

    R_k and P_k are recall and precision with everything from the k-th score up called positive; nothing is
    interpolated. Chance level is the prevalence. NaN with one class only, also where scikit-learn says 1 because there
    are no negatives. Its mean over findings is mAP, the primary metric of CXR-LT.
    """
    return _point(average_precision, labels, scores, weights)


def auroc(labels: npt.ArrayLike, scores: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Floats:
    """Area under the ROC curve (findings,): the share of pairs in which the positive scores higher, ties one half.

    A pair weighs the product of its weights. Chance level is 0.5. NaN with one class only. Equals the trapezoidal area
    (Hanley and McNeil, Radiology 1982).
    """
    return _point(auroc, labels, scores, weights)


def precision(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    threshold: threshold_metrics.Threshold = 0.5,
) -> Floats:
    """Precision, or positive predictive value (findings,): of the cases called, the part that is positive.

    Called is score >= threshold; the threshold is one number, or one per finding with NaN where there is none, which
    makes the metric NaN. NaN where nothing is called (scikit-learn's zero_division=nan), and without positives, where
    scikit-learn may say 0.
    """
    return _point(precision, labels, scores, weights, threshold=threshold)


def recall(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    threshold: threshold_metrics.Threshold = 0.5,
) -> Floats:
    """Recall (findings,): of the positives, the part that is called. Threshold as for `precision`.

    NaN without positives (scikit-learn's zero_division=nan).
    """
    return _point(recall, labels, scores, weights, threshold=threshold)


def sensitivity(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    threshold: threshold_metrics.Threshold = 0.5,
) -> Floats:
    """Sensitivity (findings,): `recall` by its clinical name."""
    return _point(sensitivity, labels, scores, weights, threshold=threshold)


def specificity(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    threshold: threshold_metrics.Threshold = 0.5,
) -> Floats:
    """Specificity (findings,): of the negatives, the part not called. Threshold as for `precision`.

    NaN without negatives.
    """
    return _point(specificity, labels, scores, weights, threshold=threshold)


def f1(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    threshold: threshold_metrics.Threshold = 0.5,
) -> Floats:
    """F1 (findings,): 2 TP / (2 TP + FP + FN). Threshold as for `precision`.

    0 where there are positives but no hit; NaN without positives, where scikit-learn may say 0.
    """
    return _point(f1, labels, scores, weights, threshold=threshold)


def ece(
    labels: npt.ArrayLike, scores: npt.ArrayLike, weights: npt.ArrayLike | None = None, *, bins: int = 15
) -> Floats:
    """Expected calibration error (findings,): mean over bins of |mean score - rate of positives|, by the cases in them.

    The bins are of equal width in [0, 1] and closed above (Guo et al., ICML 2017, section 2, eq. 3), here of the score
    of one finding rather than of the confidence of the top class. Small is good. NaN without known labels. Noise adds
    to it: it is above 0 for perfectly calibrated scores of few cases, and higher in resamples than in the cases
    themselves, so that its percentile intervals sit too high and may lie above the value. Raises ValueError for scores
    outside [0, 1] and for bins that are no whole number from 1.
    """
    return _point(ece, labels, scores, weights, bins=bins)


def brier(
    labels: npt.ArrayLike, scores: npt.ArrayLike, weights: npt.ArrayLike | None = None, *, scaled: bool = False
) -> Floats:
    """Brier score (findings,): mean of (score - label) squared; small is good, NaN without known labels.

    `scaled`: 1 - Brier / (p (1 - p)) with p the prevalence, which is 1 at best, 0 for the prevalence as every score,
    and negative below; NaN with one class only (Steyerberg et al., Epidemiology 2010, section on overall performance).
    Raises ValueError for scores outside [0, 1].
    """
    return _point(brier, labels, scores, weights, scaled=scaled)


_PREPARE: Mapping[Metric, Callable[..., Evaluate]] = MappingProxyType(
    {
        average_precision: ranking_metrics.average_precision,
        auroc: ranking_metrics.auroc,
        precision: threshold_metrics.precision,
        recall: threshold_metrics.recall,
        sensitivity: threshold_metrics.recall,
        specificity: threshold_metrics.specificity,
        f1: threshold_metrics.f1,
        ece: threshold_metrics.ece,
        brier: threshold_metrics.brier,
    }
)


def prepared(metric: Metric, labels: npt.ArrayLike, scores: npt.ArrayLike, options: Mapping[str, Any]) -> Evaluate:
    """A metric of this file with labels and scores worked into it, to be asked for many sets of counts or weights.

    `options` are the metric's keywords. Raises ValueError for arrays that cannot be and for another metric.
    """
    prepare = _PREPARE.get(metric)
    if prepare is None:
        raise ValueError(
            f"{metric} is not a metric here. Choose one of {', '.join(each.__name__ for each in _PREPARE)}."
        )
    return prepare(*checked_arrays(labels, scores), **{**_keyword_defaults(metric), **options})


def on_all(evaluate: Evaluate, n: int, weights: npt.ArrayLike | None) -> Floats:
    """A prepared metric on its n cases as they are (findings,)."""
    counts: Counts = np.ones(n, dtype=np.int64) if weights is None else checked_weights(weights, n)
    values: Floats = evaluate(counts[None])[0]
    return values


@dataclass(frozen=True, slots=True)
class Macro:
    """A mean over findings, each of equal weight: NaN where none is defined."""

    mean: float
    counted: int  # findings
    left_out: int  # findings for which the metric is undefined


def macro(values: npt.ArrayLike, findings: Sequence[str] | None = None, *, normal: bool = True) -> Macro:
    """The mean over the findings for which a metric is defined; with `normal=False` over all but the finding Normal.

    `values` are (findings,), NaN where undefined. Raises ValueError where `findings` does not name them one by one, or
    is missing although Normal is to be left out.
    """
    chosen = np.asarray(values, dtype=np.float64)
    if findings is not None and chosen.shape != (len(findings),):
        raise ValueError(f"There are {len(findings)} names of findings for values of shape {chosen.shape}.")
    if not normal:
        if findings is None:
            raise ValueError("Normal can only be left out where the findings are named.")
        chosen = chosen[np.array([finding != "Normal" for finding in findings], dtype=bool)]
    defined = chosen[~np.isnan(chosen)]
    mean = float(defined.mean()) if defined.size else float("nan")
    return Macro(mean, defined.size, chosen.size - defined.size)


def _keyword_defaults(metric: Metric) -> Mapping[str, Any]:
    """The defaults in a metric's signature, so that they are written once."""
    return getattr(metric, "__kwdefaults__", None) or {}


def _point(
    metric: Metric, labels: npt.ArrayLike, scores: npt.ArrayLike, weights: npt.ArrayLike | None, **options: object
) -> Floats:
    return on_all(prepared(metric, labels, scores, options), len(np.asarray(labels)), weights)

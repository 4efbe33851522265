"""Metrics of scores, finding by finding: arrays (n, findings) in, one number per finding out.

Labels are 1 (present), 0 (absent) or NaN (unknown): an unknown pair of case and finding is left out and never counted
as absent. Uncertain labels are a separate mask; see `explorer.core.uncertainty` for ways to count them. Scores are
finite. `weights` (n,), by default 1, say how much a case counts. A metric is NaN if undefined: without positives there
is no precision, recall or F1 (rather than 0), with one class no average precision and no AUROC. Otherwise the numbers
equal scikit-learn's, including ties. All are dimensionless and in [0, 1] unless stated. Invalid arrays raise
ValueError.
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
    """Average precision (findings,): sum of (R_k - R_(k-1)) P_k over the distinct scores, in descending order.

    R_k and P_k are recall and precision with all scores from the k-th up called positive; there is no interpolation.
    Chance level is the prevalence. NaN with one class, also where scikit-learn gives 1 for lack of negatives. Its mean
    over findings is mAP, the primary metric of CXR-LT.
    """
    return _point(average_precision, labels, scores, weights)


def auroc(labels: npt.ArrayLike, scores: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Floats:
    """Area under the ROC curve (findings,): the share of pairs in which the positive scores higher, ties one half.

    A pair's weight is the product of its weights. Chance level is 0.5. NaN with one class. Equals the trapezoidal area
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
    """Precision, or positive predictive value (findings,): the share of called cases that are positive.

    Called means score >= threshold; the threshold is one number, or one per finding, NaN for none, which makes the
    metric NaN. NaN without calls (scikit-learn's zero_division=nan), and without positives, where scikit-learn may give
    0.
    """
    return _point(precision, labels, scores, weights, threshold=threshold)


def recall(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    threshold: threshold_metrics.Threshold = 0.5,
) -> Floats:
    """Recall (findings,): the share of positives that are called. Threshold as for `precision`.

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
    """Specificity (findings,): the share of negatives that are not called. Threshold as for `precision`.

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

    0 if there are positives but no hit; NaN without positives, where scikit-learn may give 0.
    """
    return _point(f1, labels, scores, weights, threshold=threshold)


def ece(
    labels: npt.ArrayLike, scores: npt.ArrayLike, weights: npt.ArrayLike | None = None, *, bins: int = 15
) -> Floats:
    """Expected calibration error (findings,): case-weighted mean over bins of |mean score - rate of positives|.

    The bins have equal width in [0, 1] and are closed above (Guo et al., ICML 2017, section 2, eq. 3); they use the
    score of one finding rather than the confidence of the top class. Smaller is better. NaN without known labels. Noise
    adds to it: it is above 0 even for perfectly calibrated scores of few cases, and higher in resamples than in the
    original cases, so its percentile intervals are too high and may lie above the value. Raises ValueError for scores
    outside [0, 1], and unless `bins` is an integer of at least 1.
    """
    return _point(ece, labels, scores, weights, bins=bins)


def brier(
    labels: npt.ArrayLike, scores: npt.ArrayLike, weights: npt.ArrayLike | None = None, *, scaled: bool = False
) -> Floats:
    """Brier score (findings,): mean of (score - label) squared; smaller is better, NaN without known labels.

    `scaled`: 1 - Brier / (p (1 - p)), where p is the prevalence: at best 1, 0 for a constant score of p, negative if
    worse; NaN with one class (Steyerberg et al., Epidemiology 2010, section on overall performance). Raises ValueError
    for scores outside [0, 1].
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


def prepared_metric(
    metric: Metric, labels: npt.ArrayLike, scores: npt.ArrayLike, options: Mapping[str, Any]
) -> Evaluate:
    """Return a metric of this file bound to labels and scores, to evaluate for many sets of counts or weights.

    `options` are the metric's keywords. Raises ValueError for invalid arrays and unknown metrics.
    """
    prepare = _PREPARE.get(metric)
    if prepare is None:
        raise ValueError(
            f"{metric} is not a metric here. Choose one of {', '.join(each.__name__ for each in _PREPARE)}."
        )
    return prepare(*checked_arrays(labels, scores), **{**_keyword_defaults(metric), **options})


def on_original_cases(evaluate: Evaluate, n: int, weights: npt.ArrayLike | None) -> Floats:
    """Evaluate a prepared metric on its n original cases (findings,)."""
    counts: Counts = np.ones(n, dtype=np.int64) if weights is None else checked_weights(weights, n)
    values: Floats = evaluate(counts[None])[0]
    return values


@dataclass(frozen=True, slots=True)
class Macro:
    """A mean over findings, equally weighted: NaN if none is defined."""

    mean: float
    counted: int  # findings
    left_out: int  # findings for which the metric is undefined


def macro(values: npt.ArrayLike, findings: Sequence[str] | None = None, *, normal: bool = True) -> Macro:
    """Return the mean over findings with a defined metric; `normal=False` leaves out the finding Normal.

    `values` are (findings,), NaN if undefined. Raises ValueError if `findings` does not match, or is missing although
    Normal is to be left out.
    """
    chosen = np.asarray(values, dtype=np.float64)
    if findings is not None and chosen.shape != (len(findings),):
        raise ValueError(f"There are {len(findings)} names of findings for values of shape {chosen.shape}.")
    if not normal:
        if findings is None:
            raise ValueError("To leave out Normal, name the findings.")
        chosen = chosen[np.array([finding != "Normal" for finding in findings], dtype=bool)]
    defined = chosen[~np.isnan(chosen)]
    mean = float(defined.mean()) if defined.size else float("nan")
    return Macro(mean, defined.size, chosen.size - defined.size)


def _keyword_defaults(metric: Metric) -> Mapping[str, Any]:
    """Return the defaults in a metric's signature, which are stated only there."""
    return getattr(metric, "__kwdefaults__", None) or {}


def _point(
    metric: Metric, labels: npt.ArrayLike, scores: npt.ArrayLike, weights: npt.ArrayLike | None, **options: object
) -> Floats:
    return on_original_cases(prepared_metric(metric, labels, scores, options), len(np.asarray(labels)), weights)

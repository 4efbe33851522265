"""Measures the calibration of one model's scores of a finding, before and after cross-fitted recalibration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.one_finding.scores import FindingScores
from explorer.core.arrays import Evaluate, Floats
from explorer.metrics import metrics
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.calibration import Method, Scale, fit_curve, logits
from explorer.metrics.calibration_curves import NoCurve, sigmoid
from explorer.metrics.metrics import on_original_cases, prepared_metric
from explorer.metrics.reliability import Bin, reliability
from explorer.metrics.resamples import resamples_of

CALIBRATION_FOLDS = 5
DIAGRAM_BINS = 10  # equal-mass bins of the diagram; ECE uses 15 of equal width
CALIBRATION_METHODS: tuple[Method, ...] = ("platt", "isotonic")


@dataclass(frozen=True, slots=True)
class ScoreCalibration:
    """Calibration of scores "as scored" or after "platt" or "isotonic"; `reason` says why it is missing.

    `ece` and `brier` (scaled) each hold value, low and high; the bounds are NaN if undefined or not yet computed.
    """

    kind: str
    reason: str | None
    bins: tuple[Bin, ...]
    ece: tuple[float, float, float]
    brier: tuple[float, float, float]


def score_calibration(
    one: FindingScores, model: int, resamples: int = 0, seed: int = 0
) -> tuple[ScoreCalibration, ...]:
    """Return the calibration of raw scores, then after each method; with `resamples`, with intervals over patients.

    Calibrated scores are cross-fitted over five folds of patients. Intervals keep the fitted curves fixed. Films are
    not weighted.
    """
    kinds: dict[str, Floats | str] = {"as scored": _as_rates(one, model)}
    for method in CALIBRATION_METHODS:
        kinds[method] = cross_fitted_scores(one, model, method)
    return tuple(_calibrated(one, kind, rates, resamples, seed) for kind, rates in kinds.items())


def cross_fitted_scores(one: FindingScores, model: int, method: Method) -> Floats | str:
    """Return cross-fitted scores (n,), NaN if the label is unknown; or the reason why there are none."""
    rates = _as_rates(one, model)
    if isinstance(rates, str):
        return rates
    scale = one.scales[model]
    values = one.scores[model] if scale is None else scale * one.scores[model]
    kind: Scale = "score" if scale is None else "logit"
    found, fold = np.full(len(values), np.nan), patient_folds(one)  # no patient is in two folds
    for number in range(CALIBRATION_FOLDS):
        rest, here = np.flatnonzero(one.known & (fold != number)), np.flatnonzero(one.known & (fold == number))
        if not len(here):
            continue
        if not len(rest):
            return "too few patients for the folds"
        try:
            curve = fit_curve(method, one.labels[rest], values[rest], kind)
        except NoCurve as error:
            return f"no curve in a fold: {error}"
        found[here] = curve(logits(values[here], kind))
    return found


def patient_folds(one: FindingScores) -> NDArray[np.int64]:
    """Return each film's fold (n,): one per patient, stratified by patients with the finding."""
    patients, number = np.unique(one.patients, return_inverse=True)
    positive = np.zeros(len(patients), dtype=bool)
    positive[number[one.labels == 1]] = True
    shuffled = np.random.default_rng(0).permutation(len(patients))
    order = shuffled[np.argsort(~positive[shuffled], kind="stable")]
    fold = np.empty(len(patients), dtype=np.int64)
    fold[order] = np.arange(len(patients)) % CALIBRATION_FOLDS
    return np.asarray(fold[number], dtype=np.int64)


def _as_rates(one: FindingScores, model: int) -> Floats | str:
    """Return scores as probabilities, converting margins; or the reason why they are not probabilities."""
    if one.no_curve_reason:
        return one.no_curve_reason
    scores: Floats = one.scores[model]
    scale = one.scales[model]
    if scale is not None:
        return sigmoid(scale * scores)
    if ((scores < 0) | (scores > 1)).any():
        return "scores outside 0 to 1"
    return scores


def _calibrated(one: FindingScores, kind: str, rates: Floats | str, resamples: int, seed: int) -> ScoreCalibration:
    nothing = (np.nan, np.nan, np.nan)
    if isinstance(rates, str):
        return ScoreCalibration(kind, rates, (), nothing, nothing)
    labels, scores = one.labels[:, None], np.where(one.known, rates, 0.0)[:, None]
    (bins,) = reliability(labels, scores, DIAGRAM_BINS, "equal mass", one.patients)
    ece = _with_interval(one, prepared_metric(metrics.ece, labels, scores, {}), resamples, seed)
    brier = _with_interval(one, prepared_metric(metrics.brier, labels, scores, {"scaled": True}), resamples, seed)
    return ScoreCalibration(kind, None, bins, ece, brier)


def _with_interval(one: FindingScores, evaluate: Evaluate, resamples: int, seed: int) -> tuple[float, float, float]:
    point = float(on_original_cases(evaluate, len(one.labels), None)[0])
    if not resamples:
        return point, np.nan, np.nan
    drawn = resamples_of(len(one.labels), resamples, seed, one.patients, None)
    (units,) = drawn.units_with(one.known[:, None])
    return point, *percentile_interval(drawn.evaluate(evaluate)[:, 0], int(units))

"""Whether one model's scores of a finding are rates, before and after calibration on other patients' films."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.one_finding.scores import FindingScores
from explorer.core.arrays import Evaluate, Floats
from explorer.metrics import metrics
from explorer.metrics.bootstrap import interval
from explorer.metrics.calibration import Method, fit_calibration
from explorer.metrics.calibration_curves import sigmoid
from explorer.metrics.metrics import on_all, prepared
from explorer.metrics.reliability import Bin, reliability
from explorer.metrics.resamples import resamples_of

FOLDS = 5
BINS = 10  # of equal mass, in the diagram; ECE has its own 15 of equal width
METHODS: tuple[Method, ...] = ("platt", "isotonic")


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Scores of one kind: "as scored", "platt" or "isotonic"; `reason` says why there are none, and no bins.

    `ece` and `brier` (scaled) are value, low and high; the ends are NaN where they are still to come, or undefined.
    """

    kind: str
    reason: str | None
    bins: tuple[Bin, ...]
    ece: tuple[float, float, float]
    brier: tuple[float, float, float]


def calibration(one: FindingScores, model: int, resamples: int = 0, seed: int = 0) -> tuple[Calibrated, ...]:
    """The scores as they are, then calibrated by each method; with `resamples` the intervals over whole patients, too.

    A film's calibrated score is by a curve that was fitted on the films of other patients: five folds of patients, each
    scored by a curve of the other four. Intervals hold the curves fixed. Films count the same.
    """
    kinds: dict[str, Floats | str] = {"as scored": _as_rates(one, model)}
    for method in METHODS:
        kinds[method] = out_of_fold(one, model, method)
    return tuple(_calibrated(one, kind, rates, resamples, seed) for kind, rates in kinds.items())


def out_of_fold(one: FindingScores, model: int, method: Method) -> Floats | str:
    """Calibrated scores (n,), NaN where the label is unknown; or why there are none."""
    rates = _as_rates(one, model)
    if isinstance(rates, str):
        return rates
    scale = one.scales[model]
    values = one.scores[model] if scale is None else scale * one.scores[model]
    found, fold = np.full(len(values), np.nan), folds(one)
    for number in range(FOLDS):
        rest, here = np.flatnonzero(one.known & (fold != number)), np.flatnonzero(one.known & (fold == number))
        if not len(here):
            continue
        if not len(rest):
            return "fewer patients than folds"
        fitted = fit_calibration(
            method,
            one.labels[rest, None],
            values[rest, None],
            [one.finding],
            cohort="other folds",
            case_ids=one.patients[rest].tolist(),
            scale="score" if scale is None else "logit",
        )
        if fitted.curves[0].reason is not None:
            return f"no curve in a fold: {fitted.curves[0].reason}"
        found[here] = fitted.apply(values[here, None], one.patients[here].tolist())[
            :, 0
        ]  # refuses a patient of the fit
    return found


def folds(one: FindingScores) -> NDArray[np.int64]:
    """The fold (n,) of each film, all films of a patient in one; patients with the finding are dealt out evenly."""
    patients, number = np.unique(one.patients, return_inverse=True)
    positive = np.zeros(len(patients), dtype=bool)
    positive[number[one.labels == 1]] = True
    shuffled = np.random.default_rng(0).permutation(len(patients))
    order = shuffled[np.argsort(~positive[shuffled], kind="stable")]
    fold = np.empty(len(patients), dtype=np.int64)
    fold[order] = np.arange(len(patients)) % FOLDS
    return np.asarray(fold[number], dtype=np.int64)


def _as_rates(one: FindingScores, model: int) -> Floats | str:
    """Scores as they are, of margins their sigmoid; or why they are no rates."""
    if one.lacking:
        return one.lacking
    scores: Floats = one.scores[model]
    scale = one.scales[model]
    if scale is not None:
        return sigmoid(scale * scores)
    if ((scores < 0) | (scores > 1)).any():
        return "scores outside 0 to 1"
    return scores


def _calibrated(one: FindingScores, kind: str, rates: Floats | str, resamples: int, seed: int) -> Calibrated:
    nothing = (np.nan, np.nan, np.nan)
    if isinstance(rates, str):
        return Calibrated(kind, rates, (), nothing, nothing)
    labels, scores = one.labels[:, None], np.where(one.known, rates, 0.0)[:, None]
    (bins,) = reliability(labels, scores, BINS, "equal mass")
    ece = _with_interval(one, prepared(metrics.ece, labels, scores, {}), resamples, seed)
    brier = _with_interval(one, prepared(metrics.brier, labels, scores, {"scaled": True}), resamples, seed)
    return Calibrated(kind, None, bins, ece, brier)


def _with_interval(one: FindingScores, evaluate: Evaluate, resamples: int, seed: int) -> tuple[float, float, float]:
    point = float(on_all(evaluate, len(one.labels), None)[0])
    if not resamples:
        return point, np.nan, np.nan
    drawn = resamples_of(len(one.labels), resamples, seed, one.patients, None)
    (units,) = drawn.units_with(one.known[:, None])
    return point, *interval(drawn.evaluate(evaluate)[:, 0], int(units))

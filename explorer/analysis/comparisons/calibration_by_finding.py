"""Calibration of a model for all findings: ECE, slope and intercept as scored, and after Platt's calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import as_probabilities
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.one_finding.calibration import cross_fitted_scores
from explorer.analysis.one_finding.scores import FindingScores
from explorer.analysis.thresholds.carried import patient_ids
from explorer.core.arrays import Floats
from explorer.core.figures import Estimate
from explorer.metrics import metrics
from explorer.metrics.bias_corrected import IntervalKind, intervals_of
from explorer.metrics.calibration import Calibration
from explorer.metrics.calibration_line import CalibrationLine, calibration_line
from explorer.metrics.metrics import on_original_cases, prepared_metric
from explorer.metrics.resamples import resamples_of
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.chosen_thresholds import ChosenOn
    from explorer.store.store import Store

CalibratedBy = Literal["carried", "cross-fitted"]


class NoCalibration(Refusal):
    """Scores that have no calibration: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Calibration of one finding's scores; NaN if undefined, ECE's interval also if not yet computed."""

    ece: Estimate
    line: CalibrationLine


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """A finding: `films` have a known label, `positives` have it; `after` is None for a `reason`."""

    finding: str
    films: int
    positives: int
    raw: Calibrated
    after: Calibrated | None
    reason: str


@dataclass(frozen=True, slots=True)
class CalibrationByFinding:
    """A model's calibration on films, by finding.

    `by` says where the calibration comes from: carried, fitted on the films of `fitted`, or cross-fitted. `left_out`
    films are of patients that it was fitted on.
    """

    model: str
    rows: tuple[CalibrationRow, ...]
    by: CalibratedBy
    fitted: ChosenOn | None
    films: int
    patients: int
    left_out: int
    intervals: IntervalKind
    resamples: int


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationInput:
    """What a calibration is computed from: one model's scores, its films' patients, and a carried calibration."""

    joint: JointScores
    patients: tuple[str, ...]  # (n,)
    carried: Calibration | None
    fitted: ChosenOn | None


def calibration_input(store: Store, chosen: Slice, model: str, by: CalibratedBy | None) -> CalibrationInput:
    """Collect the scores; `by` None: the carried calibration, if any. Raises NoCalibration and the store's errors."""
    kept = store.chosen_thresholds(chosen.cohort, model)
    table = None if kept is None or by == "cross-fitted" else kept.calibration
    if by == "carried" and table is None:
        raise NoCalibration(
            f"No calibration of {model} was carried to {chosen.cohort}",
            "Carry one from validation films: `python -m explorer thresholds --help` says how (--from).",
        )
    joint = joint_scores(store, chosen, (model,))
    names = patient_ids(store, chosen.cohort)
    fit = None if table is None else Calibration.from_dict(dict(table))
    fitted = None if fit is None or kept is None else kept.about
    return CalibrationInput(joint, tuple(names[film] for film in joint.films), fit, fitted)


def calibration_by_finding(
    given: CalibrationInput, resamples: int = 0, seed: int = 0, *, intervals: IntervalKind = "percentile"
) -> CalibrationByFinding:
    """Measure the calibration; with `resamples`, with intervals of ECE over whole patients, curves held fixed.

    Films of patients that a carried calibration was fitted on are left out. Raises NoCalibration for scores that are
    not from 0 to 1, and if no film is left.
    """
    joint, every = given.joint, len(given.joint.films)
    names: Sequence[str] = given.patients
    if given.carried is not None:
        apart = ~given.carried.fitted_on.among(names)
        joint, names = joint.of(apart), [name for name, kept in zip(names, apart, strict=True) if kept]
    if not len(joint.films):
        raise NoCalibration(
            "The calibration was fitted on the patients of all these films", "Choose other films, such as split=test."
        )
    rates = _rates(joint)
    after, reasons = _carried(joint, given.carried, names) if given.carried else _cross_fitted(joint)
    raw_ece, after_ece = (_ece(joint, each, resamples, seed, intervals) for each in (rates, after))
    rows = tuple(
        CalibrationRow(
            finding=finding,
            films=int((~np.isnan(joint.labels[:, place])).sum()),
            positives=int((joint.labels[:, place] == 1).sum()),
            raw=Calibrated(raw_ece[place], calibration_line(joint.labels[:, place], rates[:, place], joint.patients)),
            after=None
            if reasons[place]
            else Calibrated(
                after_ece[place], calibration_line(joint.labels[:, place], after[:, place], joint.patients)
            ),
            reason=reasons[place],
        )
        for place, finding in enumerate(joint.findings)
    )
    return CalibrationByFinding(
        model=joint.models[0],
        rows=rows,
        by="carried" if given.carried else "cross-fitted",
        fitted=given.fitted,
        films=len(joint.films),
        patients=len(np.unique(joint.patients)),
        left_out=every - len(joint.films),
        intervals=intervals,
        resamples=resamples,
    )


def _rates(joint: JointScores) -> Floats:
    """Return the scores (n, findings) as probabilities."""
    rates = as_probabilities(joint.scores[0].astype(np.float64), joint.scales[0])
    if rates.min() < 0 or rates.max() > 1:
        raise NoCalibration(
            f"Scores of {joint.models[0]} are not from 0 to 1", "Calibration compares scores with rates."
        )
    return rates


def _carried(joint: JointScores, fit: Calibration, patients: Sequence[str]) -> tuple[Floats, list[str]]:
    """Return calibrated scores (n, findings) and, by finding, why there are none."""
    curves = {each.finding: (place, each) for place, each in enumerate(fit.curves)}
    found, reasons = np.full(joint.labels.shape, np.nan), []
    scale = joint.scales[0] or 1.0
    values = np.zeros((len(joint.films), len(fit.curves)))
    for column, finding in enumerate(joint.findings):
        if finding in curves:
            values[:, curves[finding][0]] = joint.scores[0, :, column].astype(np.float64) * scale
    calibrated = fit.apply(values, list(patients))
    for column, finding in enumerate(joint.findings):
        place, curve = curves.get(finding, (None, None))
        reasons.append("not calibrated" if curve is None else curve.reason or "")
        if place is not None:
            found[:, column] = calibrated[:, place]
    return found, reasons


def _cross_fitted(joint: JointScores) -> tuple[Floats, list[str]]:
    """Return scores calibrated by the curve of the other folds, and, by finding, why there are none."""
    found, reasons = np.full(joint.labels.shape, np.nan), []
    for column in range(len(joint.findings)):
        scores = cross_fitted_scores(FindingScores.of(joint, column, natural=False), 0, "platt")
        reasons.append(scores if isinstance(scores, str) else "")
        if not isinstance(scores, str):
            found[:, column] = scores
    return found, reasons


def _ece(joint: JointScores, rates: Floats, resamples: int, seed: int, kind: IntervalKind) -> list[Estimate]:
    """Return the ECE of each finding; films without a probability are left out."""
    labels = np.where(np.isnan(rates), np.nan, joint.labels)
    evaluate = prepared_metric(metrics.ece, labels, np.where(np.isnan(rates), 0, rates), {})
    points = on_original_cases(evaluate, len(labels), None)
    if not resamples:
        return [Estimate(float(point)) for point in points]
    drawn = resamples_of(len(labels), resamples, seed, joint.patients, None)
    low, high = intervals_of(kind, drawn.evaluate(evaluate), points, drawn.units_with(~np.isnan(labels)))
    return [Estimate(float(point), *ends) for point, *ends in zip(points, low.tolist(), high.tolist(), strict=True)]

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
from explorer.core.progress import OnShare, no_progress, sub_progress
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
SHARE_OF_POINTS = 0.1  # of the work with resamples
POINT_STEPS = ((0.0, 0.5), (0.5, 0.25), (0.75, 0.25))  # start and share of curves, and of lines as scored and after


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
    given: CalibrationInput,
    resamples: int = 0,
    seed: int = 0,
    *,
    intervals: IntervalKind = "percentile",
    on_progress: OnShare = no_progress,
) -> CalibrationByFinding:
    """Measure the calibration; with `resamples`, with intervals of ECE over whole patients, curves held fixed.

    `on_progress` receives the share done.
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
    points_share = SHARE_OF_POINTS if resamples else 1.0
    steps = [sub_progress(on_progress, at * points_share, width * points_share) for at, width in POINT_STEPS]
    after, reasons = _carried(joint, given.carried, names) if given.carried else _cross_fitted(joint, steps[0])
    raw_lines, after_lines = _lines(joint, rates, steps[1]), _lines(joint, after, steps[2])
    half = (1 - points_share) / 2
    raw_ece, after_ece = (
        _ece(joint, each, resamples, seed, intervals, sub_progress(on_progress, points_share + place * half, half))
        for place, each in enumerate((rates, after))
    )
    rows = tuple(
        CalibrationRow(
            finding=finding,
            films=int((~np.isnan(joint.labels[:, place])).sum()),
            positives=int((joint.labels[:, place] == 1).sum()),
            raw=Calibrated(raw_ece[place], raw_lines[place]),
            after=None if reasons[place] else Calibrated(after_ece[place], after_lines[place]),
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


def calibration_points(
    given: CalibrationInput, _resamples: int, _seed: int, on_progress: OnShare = no_progress
) -> CalibrationByFinding:
    """Measure the calibration without intervals, for a process that is given resamples. Raises NoCalibration."""
    return calibration_by_finding(given, on_progress=on_progress)


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


def _cross_fitted(joint: JointScores, on_progress: OnShare) -> tuple[Floats, list[str]]:
    """Return scores calibrated by the curve of the other folds, and, by finding, why there are none."""
    found, reasons = np.full(joint.labels.shape, np.nan), []
    for column in range(len(joint.findings)):
        on_progress(column / len(joint.findings))
        scores = cross_fitted_scores(FindingScores.of(joint, column, natural=False), 0, "platt")
        reasons.append(scores if isinstance(scores, str) else "")
        if not isinstance(scores, str):
            found[:, column] = scores
    return found, reasons


def _lines(joint: JointScores, rates: Floats, on_progress: OnShare) -> list[CalibrationLine]:
    """Return slope and intercept of each finding; undefined without probabilities."""
    found = []
    for column in range(len(joint.findings)):
        on_progress(column / len(joint.findings))
        found.append(calibration_line(joint.labels[:, column], rates[:, column], joint.patients))
    return found


def _ece(
    joint: JointScores, rates: Floats, resamples: int, seed: int, kind: IntervalKind, on_progress: OnShare
) -> list[Estimate]:
    """Return the ECE of each finding; films without a probability are left out."""
    labels = np.where(np.isnan(rates), np.nan, joint.labels)
    evaluate = prepared_metric(metrics.ece, labels, np.where(np.isnan(rates), 0, rates), {})
    points = on_original_cases(evaluate, len(labels), None)
    if not resamples:
        return [Estimate(float(point)) for point in points]
    drawn = resamples_of(len(labels), resamples, seed, joint.patients, None)
    low, high = intervals_of(kind, drawn.evaluate(evaluate, on_progress), points, drawn.units_with(~np.isnan(labels)))
    return [Estimate(float(point), *ends) for point, *ends in zip(points, low.tolist(), high.tolist(), strict=True)]

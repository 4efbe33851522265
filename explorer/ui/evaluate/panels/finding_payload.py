"""Converts a finding's thresholds to JSON: marks of each model, and every step of the draggable one."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from explorer.analysis.one_finding.calibration import ScoreCalibration
from explorer.analysis.one_finding.scores import FindingScores, OperatingMark
from explorer.core.arrays import or_none
from explorer.core.rates import Rate
from explorer.metrics.predictive_values import PredictiveValue
from explorer.metrics.sweep import Sweep
from explorer.ui.evaluate.panels.calibration_chart import CALIBRATION_NAMES
from explorer.ui.evaluate.panels.finding_asked import ThresholdPerformance
from explorer.ui.shared.panel_words import ValuePayload, bounds_payload


class StepsPayload(TypedDict):
    """A model's distinct scores in descending order, with the films called at each as the threshold, by label."""

    scores: list[float]
    hits: list[int]
    false_alarms: list[int]


class OperatingMarkPayload(TypedDict):
    """A threshold; `low` and `high` differ if it varies by fold. Without one, they are null and `reason` says why."""

    name: str
    low: float | None
    high: float | None
    reason: str | None
    in_sample: bool
    hits: int
    misses: int
    false_alarms: int
    correct_rejections: int
    sensitivity: ValuePayload
    specificity: ValuePayload
    precision: ValuePayload
    f1: float | None


class ThresholdPerformancePayload(TypedDict):
    """A hand-picked threshold with predictive values at a prevalence; null if undefined."""

    mark: OperatingMarkPayload
    prevalence: float | None
    ppv: ValuePayload | None
    npv: ValuePayload | None


class CalibrationPayload(TypedDict):
    """Calibration of one kind of scores: ECE and scaled Brier score; `reason` says why they are missing."""

    kind: str
    reason: str | None
    ece: ValuePayload
    brier: ValuePayload


def calibration_payload(each: ScoreCalibration) -> CalibrationPayload:
    """Return calibration figures as JSON, without the bins, which the chart shows."""
    return {
        "kind": CALIBRATION_NAMES[each.kind],
        "reason": each.reason,
        "ece": _figure(*each.ece),
        "brier": _figure(*each.brier),
    }


def steps_payload(one: FindingScores, model: int) -> StepsPayload:
    """Return unweighted counts at every threshold of a model."""
    sweep = Sweep.of(one.labels, one.scores[model])
    hits, false_alarms = (
        each[0].astype(int).tolist() for each in sweep.called(np.ones((1, len(one.labels)), dtype=np.int64))
    )
    return {"scores": sweep.thresholds.tolist(), "hits": hits, "false_alarms": false_alarms}


def mark_payload(mark: OperatingMark) -> OperatingMarkPayload:
    """Return a mark as JSON, with rates and intervals clustered by patient."""
    sensitivity, specificity = mark.point
    return {
        "name": mark.name,
        "low": mark.low,
        "high": mark.high,
        "reason": mark.reason,
        "in_sample": mark.in_sample,
        "hits": sensitivity.hits,
        "misses": sensitivity.rest.hits,
        "false_alarms": specificity.rest.hits,
        "correct_rejections": specificity.hits,
        "sensitivity": _rate(sensitivity),
        "specificity": _rate(specificity),
        "precision": _rate(mark.precision),
        "f1": mark.f1,
    }


def threshold_performance_payload(worth: ThresholdPerformance) -> ThresholdPerformancePayload:
    """Return a threshold's performance with predictive values as JSON."""
    values = worth.values
    return {
        "mark": mark_payload(worth.mark),
        "prevalence": worth.prevalence,
        "ppv": None if values is None else _predictive(values.ppv),
        "npv": None if values is None else _predictive(values.npv),
    }


def _figure(value: float, low: float, high: float) -> ValuePayload:
    return {"value": or_none(value), "low": or_none(low), "high": or_none(high)}


def _rate(rate: Rate) -> ValuePayload:
    return {"value": rate.value, **bounds_payload(rate.interval)}


def _predictive(value: PredictiveValue | None) -> ValuePayload | None:
    return None if value is None else {"value": value.value, **bounds_payload(value.interval)}

"""A finding's thresholds as the script gets them: marks of each model, and every step of the one that is dragged."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from explorer.analysis.one_finding.calibration import Calibrated
from explorer.analysis.one_finding.scores import FindingScores, Mark
from explorer.core.arrays import or_none
from explorer.core.rates import Rate
from explorer.metrics.predictive_values import PredictiveValue
from explorer.metrics.sweep import Sweep
from explorer.ui.evaluate.panels.calibration_chart import KINDS
from explorer.ui.evaluate.panels.finding_asked import Worth
from explorer.ui.shared.panel_words import ValuePayload, bounds_payload


class StepsPayload(TypedDict):
    """The distinct scores of a model, falling, with the films that are called from there up, by label."""

    scores: list[float]
    hits: list[int]
    false_alarms: list[int]


class MarkPayload(TypedDict):
    """A threshold: `low` and `high` differ where a model has one by fold; null without one, and `reason` says why."""

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


class WorthPayload(TypedDict):
    """A threshold that was settled, with predictive values at a prevalence; null where they are undefined."""

    mark: MarkPayload
    prevalence: float | None
    ppv: ValuePayload | None
    npv: ValuePayload | None


class CalibratedPayload(TypedDict):
    """Scores of one kind, with ECE and scaled Brier score; `reason` says why there are none."""

    kind: str
    reason: str | None
    ece: ValuePayload
    brier: ValuePayload


def calibrated_payload(each: Calibrated) -> CalibratedPayload:
    """The figures; bins are in the chart."""
    return {"kind": KINDS[each.kind], "reason": each.reason, "ece": _figure(*each.ece), "brier": _figure(*each.brier)}


def steps_payload(one: FindingScores, model: int) -> StepsPayload:
    """Films are counted, whatever each stands for."""
    sweep = Sweep.of(one.labels, one.scores[model])
    hits, false_alarms = (
        each[0].astype(int).tolist() for each in sweep.called(np.ones((1, len(one.labels)), dtype=np.int64))
    )
    return {"scores": sweep.thresholds.tolist(), "hits": hits, "false_alarms": false_alarms}


def mark_payload(mark: Mark) -> MarkPayload:
    """The mark with its rates and their Wilson intervals."""
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


def worth_payload(worth: Worth) -> WorthPayload:
    """The threshold with what a call is worth."""
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

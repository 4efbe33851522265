"""Calibration of all findings: ECE, slope and intercept of the reference, as scored and after Platt's calibration."""

from __future__ import annotations

from functools import partial
from typing import TypedDict, get_args

from explorer.analysis.comparisons.calibration_by_finding import (
    Calibrated,
    CalibratedBy,
    CalibrationByFinding,
    CalibrationRow,
    calibration_by_finding,
    calibration_input,
)
from explorer.analysis.comparisons.calibration_table import (
    by_positives,
    calibration_notes,
    calibration_table,
    calibration_title,
)
from explorer.core.arrays import or_none
from explorer.core.figures import Estimate
from explorer.core.result_table import ResultTable
from explorer.ui.evaluate.filter_choices import OptionPayload
from explorer.ui.evaluate.panels.in_background import in_background
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload

BY_WORD = "calibrated"
WAYS: tuple[CalibratedBy, ...] = get_args(CalibratedBy)


class CalibratedPayload(TypedDict):
    """ECE, slope and intercept of one finding."""

    ece: ValuePayload
    slope: ValuePayload
    intercept: ValuePayload


class CalibrationRowPayload(TypedDict):
    """A finding; `after` is null for a `reason`."""

    finding: str
    films: int
    positives: int
    raw: CalibratedPayload
    after: CalibratedPayload | None
    reason: str


class CalibrationPanelPayload(TypedDict):
    """The panel's data; `rows` start with the most positives. `ways` has one entry if no calibration was carried."""

    model: str
    by: CalibratedBy
    ways: list[OptionPayload]
    few: int
    rows: list[CalibrationRowPayload]


def _found(request: PanelRequest) -> tuple[CalibrationByFinding, dict[str, str], bool]:
    """Return the calibration, the address words, and whether a calibration was carried here."""
    store, films, state = request.services.store, request.subject.chosen, request.state
    model = request.subject.models[request.subject.reference]
    kept = store.chosen_thresholds(films.cohort, model)
    carried = kept is not None and kept.calibration is not None
    by: CalibratedBy = "carried" if carried and state.get(BY_WORD) != "cross-fitted" else "cross-fitted"
    kind = request.subject.intervals
    words: dict[str, str] = {BY_WORD: by} if carried and by == "cross-fitted" else {}
    given = calibration_input(store, films, model, by)

    def prepare() -> partial[CalibrationByFinding]:
        return partial(calibration_by_finding, given, intervals=kind)

    found = in_background(request, ("calibration", model, by, kind), prepare)
    return found or calibration_by_finding(given, intervals=kind), words, carried


def _content(request: PanelRequest) -> PanelContent:
    found, words, carried = _found(request)
    payload: CalibrationPanelPayload = {
        "model": found.model,
        "by": found.by,
        "ways": [{"word": each, "name": each} for each in WAYS if carried or each == "cross-fitted"],
        "few": FEW_POSITIVES,
        "rows": [_row(each) for each in by_positives(found)],
    }
    notes = calibration_notes(found, simulated=request.services.simulated(request.subject.chosen.cohort))
    title = calibration_title(found, request.subject.chosen)
    return PanelContent(title, tuple(notes), dict(payload), computing=not found.resamples, words=words)


def _row(row: CalibrationRow) -> CalibrationRowPayload:
    return {
        "finding": row.finding,
        "films": row.films,
        "positives": row.positives,
        "raw": _calibrated(row.raw),
        "after": None if row.after is None else _calibrated(row.after),
        "reason": row.reason,
    }


def _calibrated(figures: Calibrated) -> CalibratedPayload:
    line = figures.line
    return {"ece": _value(figures.ece), "slope": _value(line.slope), "intercept": _value(line.intercept)}


def _value(figure: Estimate) -> ValuePayload:
    return {"value": or_none(figure.value), "low": or_none(figure.low), "high": or_none(figure.high)}


def _table(request: PanelRequest) -> ResultTable:
    found, _, _ = _found(request)
    chosen = request.subject.chosen
    return calibration_table(found, chosen, simulated=request.services.simulated(chosen.cohort))


CALIBRATION_PANEL = Panel("calibration", "Calibration of all findings", _content, _table)

"""Calibration of all findings: ECE, slope and intercept of the reference, as scored and after Platt's calibration."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypedDict, get_args

from explorer.analysis.comparisons.calibration_by_finding import (
    Calibrated,
    CalibratedBy,
    CalibrationByFinding,
    CalibrationRow,
    NoCalibration,
    calibration_by_finding,
    calibration_input,
    calibration_points,
)
from explorer.analysis.comparisons.calibration_table import (
    by_positives,
    calibration_notes,
    calibration_of,
    calibration_table,
    calibration_title,
)
from explorer.analysis.leaderboard.joint_scores import compared_films
from explorer.core.arrays import or_none
from explorer.core.figures import Estimate
from explorer.core.result_table import ResultTable
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice
from explorer.ui.evaluate.filter_choices import OptionPayload
from explorer.ui.evaluate.panels.in_background import background_left, in_background
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload

if TYPE_CHECKING:
    from explorer.store.store import Store

BY_WORD = "calibrated"
AT_ONCE = 100_000  # pairs of films and findings: figures of more take seconds, and are computed in the background
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
    """The panel's data; `rows` start with the most positives, and are empty while those of many films are computed.

    `ways` has one entry if no calibration was carried.
    """

    model: str
    by: CalibratedBy
    ways: list[OptionPayload]
    few: int
    rows: list[CalibrationRowPayload]


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is known: `found` is None while the figures of many films are computed, in about `left` seconds."""

    found: CalibrationByFinding | None
    model: str
    by: CalibratedBy
    carried: bool
    left: float | None


def _answer(request: PanelRequest) -> _Answer:
    """Return the calibration, with intervals if they are ready; otherwise start computing what is not."""
    store, films, state = request.services.store, request.subject.chosen, request.state
    model, kind = request.subject.models[request.subject.reference], request.subject.intervals
    kept = store.chosen_thresholds(films.cohort, model)
    carried = kept is not None and kept.calibration is not None
    by: CalibratedBy = "carried" if carried and state.get(BY_WORD) != "cross-fitted" else "cross-fitted"
    fitted = repr(kept.about) if kept is not None else ""
    given = partial(calibration_input, store, films, model, by)

    def computed(
        name: Hashable, work: Callable[..., CalibrationByFinding]
    ) -> tuple[CalibrationByFinding | None, float | None]:
        key = (name, model, by, fitted)
        return in_background(request, key, lambda: partial(work, given()), reports=True), background_left(request, key)

    points: CalibrationByFinding | None = None
    many = _pairs(store, films, model, store.version(films.cohort, model)) > AT_ONCE
    if many:
        points, left = computed("calibration points", calibration_points)
        if points is None:
            return _Answer(None, model, by, carried, left)
    found, left = computed(("calibration", kind), partial(calibration_by_finding, intervals=kind))
    found = found or points or calibration_by_finding(given(), intervals=kind)
    return _Answer(found, model, by, carried, left)


@cached_per_owner(32)
def _pairs(store: Store, films: Slice, model: str, _version: str) -> int:
    """Return the number of pairs of films and findings."""
    compared = compared_films(store, films, (model,))
    return len(compared.films) * len(compared.findings)


def _content(request: PanelRequest) -> PanelContent:
    answer, chosen = _answer(request), request.subject.chosen
    found = answer.found
    about = request.services.store.cohort(chosen.cohort)
    payload: CalibrationPanelPayload = {
        "model": answer.model,
        "by": answer.by,
        "ways": [{"word": each, "name": each} for each in WAYS if answer.carried or each == "cross-fitted"],
        "few": FEW_POSITIVES,
        "rows": [] if found is None else [_row(each) for each in by_positives(found)],
    }
    return PanelContent(
        calibration_of(answer.model, chosen, about) if found is None else calibration_title(found, chosen, about),
        () if found is None else tuple(calibration_notes(found, about)),
        dict(payload),
        computing=found is None or not found.resamples,
        words={BY_WORD: answer.by} if answer.carried and answer.by == "cross-fitted" else {},
        done=int(found is not None),
        left=answer.left,
    )


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
    found, chosen = _answer(request).found, request.subject.chosen
    if found is None:
        raise NoCalibration("The calibration is being computed", "Save it once the table is shown.")
    return calibration_table(found, chosen, request.services.store.cohort(chosen.cohort))


CALIBRATION_PANEL = Panel("calibration", "Calibration of all findings", _content, _table)

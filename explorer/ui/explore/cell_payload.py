"""The findings x centers table as the script gets it."""

from __future__ import annotations

from typing import TypedDict

from explorer.analysis.cell_intervals import Interval
from explorer.analysis.intervals_job import Progress
from explorer.analysis.performance_table import Cell, Center, FindingLine, Gap, PerformanceTable
from explorer.core.findings import FrequencyGroup
from explorer.core.in_sample import MEANINGS, Origin
from explorer.reading.finding_json import RateAnswer, rate_payload
from explorer.store.filter_kinds import as_word
from explorer.ui.explore.panel_words import ValuePayload, bounds, center_word


class CenterPayload(TypedDict):
    """A column; `origin` and its `meaning` are null where the model's training is unknown."""

    id: str | None
    name: str
    films: int
    labelled: bool
    origin: Origin | None
    meaning: str | None


class NaturalPayload(TypedDict):
    """Average precision at natural prevalence."""

    value: float


class PrecisionPayload(TypedDict):
    """Average precision, and the prevalence that chance reaches; `natural` is null where films have no weights."""

    value: float | None
    chance: float | None
    natural: NaturalPayload | None


class ShiftPayload(TypedDict):
    """The scores at a center without labels; `difference` of the median is to that of the labeled films."""

    films: int
    median: float
    difference: float | None


class CellPayload(TypedDict):
    """A finding at a center; `center` is null for all of them together."""

    center: str | None
    positives: int
    negatives: int
    sensitivity: RateAnswer
    specificity: RateAnswer
    precision: PrecisionPayload
    shift: ShiftPayload | None


class GapSidePayload(TypedDict):
    """One side of a gap, by the center's name, and how many positives it rests on."""

    center: str
    n: int
    value: float | None


class GapPayload(TypedDict):
    """The largest difference of sensitivity between two centers."""

    value: float
    high: GapSidePayload
    low: GapSidePayload


class LinePayload(TypedDict):
    """A finding: all centers together, and each; `word` is the address's for it."""

    finding: str
    word: str
    group: FrequencyGroup | None
    pooled: CellPayload
    cells: list[CellPayload]
    gap: GapPayload | None


class TablePayload(TypedDict):
    """The table; `pending`: average precision is still to come."""

    centers: list[CenterPayload]
    lines: list[LinePayload]
    pending: bool


class IntervalPayload(ValuePayload):
    """Average precision or shift of a cell with its interval, also at natural prevalence."""

    finding: str
    center: str | None
    natural: ValuePayload | None


class IntervalsPayload(TypedDict):
    """The intervals that are known by now."""

    done: list[IntervalPayload]
    complete: bool


def table_payload(table: PerformanceTable) -> TablePayload:
    """Centers and lines; what is computed in the background comes with `progress_payload`."""
    cohort = table.chosen.cohort
    return {
        "centers": [_center(cohort, center) for center in table.centers],
        "lines": [_line(cohort, line) for line in table.lines],
        "pending": table.points_pending,
    }


def progress_payload(cohort: str, progress: Progress) -> IntervalsPayload:
    """The intervals of average precision that are known by now."""
    done: list[IntervalPayload] = [
        {
            "finding": as_word(finding),
            "center": center_word(cohort, center),
            **_interval(each),
            "natural": None if each.natural is None else _interval(each.natural),
        }
        for (finding, center), each in progress.done.items()
    ]
    return {"done": done, "complete": progress.complete}


def _interval(known: Interval) -> ValuePayload:
    return {"value": known.value, **bounds(known.interval)}


def _center(cohort: str, center: Center) -> CenterPayload:
    return {
        "id": center_word(cohort, center.name),
        "name": center.name,
        "films": center.films,
        "labelled": center.labelled,
        "origin": center.origin,
        "meaning": MEANINGS[center.origin] if center.origin else None,
    }


def _line(cohort: str, line: FindingLine) -> LinePayload:
    return {
        "finding": line.finding,
        "word": as_word(line.finding),
        "group": line.group,
        "pooled": _cell(cohort, line.pooled),
        "cells": [_cell(cohort, cell) for cell in line.cells],
        "gap": _gap(line.gap),
    }


def _cell(cohort: str, cell: Cell) -> CellPayload:
    shift = cell.shift
    return {
        "center": center_word(cohort, cell.center),
        "positives": cell.positives,
        "negatives": cell.negatives,
        "sensitivity": rate_payload(cell.sensitivity),
        "specificity": rate_payload(cell.specificity),
        "precision": {
            "value": cell.average_precision,
            "chance": cell.prevalence,
            "natural": None if cell.natural is None else {"value": cell.natural},
        },
        "shift": None
        if shift is None
        else {"films": shift.films, "median": shift.median, "difference": shift.difference},
    }


def _gap(gap: Gap | None) -> GapPayload | None:
    return None if gap is None else {"value": gap.value, "high": _side(gap.high), "low": _side(gap.low)}


def _side(cell: Cell) -> GapSidePayload:
    return {"center": cell.center, "n": cell.sensitivity.n, "value": cell.sensitivity.value}

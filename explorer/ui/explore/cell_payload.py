"""The table of findings by centers, for the script."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TypedDict

from explorer.analysis.intervals.intervals_job import IntervalsProgress
from explorer.analysis.performance.cell_intervals import CellInterval
from explorer.analysis.performance.performance_table import (
    CHANCE_AUROC,
    FindingLine,
    PerformanceCell,
    PerformanceTable,
    TableCenter,
)
from explorer.analysis.performance.two_sides import CenterGap, SliceMeasure
from explorer.core.findings import FrequencyGroup
from explorer.core.in_sample import ORIGIN_MEANINGS, Origin
from explorer.reading.finding_json import RateAnswer, rate_payload
from explorer.store.filter_kinds import as_word
from explorer.ui.shared.panel_words import (
    DifferencePayload,
    ValuePayload,
    bounds_payload,
    center_word,
    difference_payload,
)


class CenterPayload(TypedDict):
    """A column; `origin` and its `meaning` are null if the model's training data is unknown."""

    id: str | None
    name: str
    films: int
    labelled: bool
    origin: Origin | None
    meaning: str | None


class NaturalPayload(TypedDict):
    """Average precision at natural prevalence, and that prevalence, which is its chance level."""

    value: float
    chance: float


class PrecisionPayload(TypedDict):
    """Average precision and its chance level, the prevalence; `natural` is null if films have no weights."""

    value: float | None
    chance: float | None
    natural: NaturalPayload | None


class AurocPayload(TypedDict):
    """AUROC and its chance level."""

    value: float | None
    chance: float


class ShiftPayload(TypedDict):
    """The scores at a center without labels; `difference` is their median minus that of the labeled films."""

    films: int
    median: float
    difference: float | None


class CellPayload(TypedDict):
    """A finding at a center; `center` is null for all centers together."""

    center: str | None
    positives: int
    negatives: int
    sensitivity: RateAnswer
    specificity: RateAnswer
    precision: PrecisionPayload
    auroc: AurocPayload
    shift: ShiftPayload | None


class GapPayload(DifferencePayload):
    """The difference between two centers: the second of `centers` minus the first."""

    centers: tuple[str, str]


class RankingGapsPayload(TypedDict):
    """For average precision and for AUROC, the two centers that differ most."""

    precision: GapPayload
    auroc: GapPayload


class GapsPayload(RankingGapsPayload):
    """The same for every measure; those of rates are complete, the others get their intervals later."""

    sensitivity: GapPayload
    specificity: GapPayload


class FindingLinePayload(TypedDict):
    """A finding at all centers together and at each. `word` is its address word; `unseen`: it belongs to Task 2."""

    finding: str
    word: str
    group: FrequencyGroup | None
    unseen: bool
    pooled: CellPayload
    cells: list[CellPayload]
    gaps: GapsPayload | None


class TablePayload(TypedDict):
    """The table of findings by centers.

    `between`: the centers compared in pairs, empty if there are not two; `pending`: average precision is not computed
    yet.
    """

    between: list[str]
    centers: list[CenterPayload]
    lines: list[FindingLinePayload]
    pending: bool


class NaturalIntervalPayload(ValuePayload):
    """Average precision at natural prevalence with its interval, and that prevalence, which is its chance level."""

    chance: float | None


class IntervalPayload(ValuePayload):
    """A cell's average precision or shift, average precision at natural prevalence, and AUROC, with intervals."""

    finding: str
    center: str | None
    natural: NaturalIntervalPayload | None
    auroc: ValuePayload | None


class FindingGapsPayload(TypedDict):
    """A finding's gaps of average precision and AUROC, with intervals."""

    finding: str
    gaps: RankingGapsPayload


class IntervalsPayload(TypedDict):
    """Computed intervals; `complete`: no others are pending."""

    done: list[IntervalPayload]
    gaps: list[FindingGapsPayload]
    complete: bool


def table_payload(table: PerformanceTable) -> TablePayload:
    """Centers and lines; `progress_payload` adds what is computed in the background."""
    cohort = table.chosen.cohort
    return {
        "between": list(table.between),
        "centers": [_center(cohort, center) for center in table.centers],
        "lines": [_line(cohort, line) for line in table.lines],
        "pending": table.points_pending,
    }


def progress_payload(cohort: str, progress: IntervalsProgress, known: Set[str] = frozenset()) -> IntervalsPayload:
    """The computed intervals of average precision, AUROC and gaps, but of findings whose words are in `known`.

    Once all are computed the gaps have marks, which are adjusted over all: then every finding's gaps come again.
    """
    done: list[IntervalPayload] = [
        {
            "finding": as_word(finding),
            "center": center_word(cohort, center),
            **_interval(each),
            "natural": None if each.natural is None else {**_interval(each.natural), "chance": each.natural.chance},
            "auroc": None if each.auroc is None else _interval(each.auroc),
        }
        for (finding, center), each in progress.done.items()
        if as_word(finding) not in known
    ]
    gaps: list[FindingGapsPayload] = [
        {"finding": as_word(finding), "gaps": _ranking_gaps(each)}
        for finding, each in progress.gaps.items()
        if each and (progress.complete or as_word(finding) not in known)
    ]
    return {"done": done, "gaps": gaps, "complete": progress.complete}


def _interval(known: CellInterval) -> ValuePayload:
    return {"value": known.value, **bounds_payload(known.interval)}


def _center(cohort: str, center: TableCenter) -> CenterPayload:
    return {
        "id": center_word(cohort, center.name),
        "name": center.name,
        "films": center.films,
        "labelled": center.labelled,
        "origin": center.origin,
        "meaning": ORIGIN_MEANINGS[center.origin] if center.origin else None,
    }


def _line(cohort: str, line: FindingLine) -> FindingLinePayload:
    return {
        "finding": line.finding,
        "word": as_word(line.finding),
        "group": line.group,
        "unseen": line.unseen,
        "pooled": _cell(cohort, line.pooled),
        "cells": [_cell(cohort, cell) for cell in line.cells],
        "gaps": _gaps(line.gaps) if line.gaps else None,
    }


def _cell(cohort: str, cell: PerformanceCell) -> CellPayload:
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
            "natural": None
            if cell.natural is None
            else {"value": cell.natural.value, "chance": cell.natural.prevalence},
        },
        "auroc": {"value": cell.auroc, "chance": CHANCE_AUROC},
        "shift": None
        if shift is None
        else {"films": shift.films, "median": shift.median, "difference": shift.difference},
    }


def _gaps(gaps: Mapping[SliceMeasure, CenterGap]) -> GapsPayload:
    return {
        "sensitivity": _gap(gaps["sensitivity"]),
        "specificity": _gap(gaps["specificity"]),
        **_ranking_gaps(gaps),
    }


def _ranking_gaps(gaps: Mapping[SliceMeasure, CenterGap]) -> RankingGapsPayload:
    return {"precision": _gap(gaps["average precision"]), "auroc": _gap(gaps["AUROC"])}


def _gap(gap: CenterGap) -> GapPayload:
    return {**difference_payload(gap.difference), "centers": (gap.first, gap.second)}

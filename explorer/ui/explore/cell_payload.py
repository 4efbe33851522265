"""The findings x centers table as the script gets it."""

from __future__ import annotations

from explorer.analysis.cell_intervals import Interval
from explorer.analysis.intervals_job import Progress
from explorer.analysis.performance_table import Cell, Center, FindingLine, Gap, Table
from explorer.core.in_sample import MEANINGS
from explorer.reading.finding_json import rate_payload
from explorer.store.filter_kinds import as_word
from explorer.ui.explore.panel_words import Json, bounds, center_word


def table_payload(table: Table) -> Json:
    """Centers and lines; what is computed in the background comes with `progress_payload`."""
    cohort = table.chosen.cohort
    return {
        "centers": [_center(cohort, center) for center in table.centers],
        "lines": [_line(cohort, line) for line in table.lines],
        "pending": table.points_pending,
    }


def progress_payload(cohort: str, progress: Progress) -> Json:
    """The intervals of average precision that are known by now."""
    done = [
        {"finding": as_word(finding), "center": center_word(cohort, center), **_interval(each)}
        | {"natural": None if each.natural is None else _interval(each.natural)}
        for (finding, center), each in progress.done.items()
    ]
    return {"done": done, "complete": progress.complete}


def _interval(known: Interval) -> Json:
    return {"value": known.value} | bounds(known.interval)


def _center(cohort: str, center: Center) -> Json:
    return {
        "id": center_word(cohort, center.name),
        "name": center.name,
        "films": center.films,
        "labelled": center.labelled,
        "origin": center.origin,
        "meaning": center.origin and MEANINGS[center.origin],
    }


def _line(cohort: str, line: FindingLine) -> Json:
    return {
        "finding": line.finding,
        "word": as_word(line.finding),
        "group": line.group,
        "pooled": _cell(cohort, line.pooled),
        "cells": [_cell(cohort, cell) for cell in line.cells],
        "gap": _gap(line.gap),
    }


def _cell(cohort: str, cell: Cell) -> Json:
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


def _gap(gap: Gap | None) -> Json | None:
    """The largest difference of sensitivity between two centers, and how many positives it rests on."""
    if gap is None:
        return None
    sides = {"high": gap.high, "low": gap.low}
    return {"value": gap.value} | {
        name: {"center": cell.center, "n": cell.sensitivity.n, "value": cell.sensitivity.value}
        for name, cell in sides.items()
    }

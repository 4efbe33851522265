"""Writes the leaderboard for programs: one row per group of findings, model and metric."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypedDict

from explorer.analysis.leaderboard.columns import BOARD_COLUMNS, exported_cells
from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES, BoardMeasure
from explorer.analysis.leaderboard.means import Winner
from explorer.analysis.leaderboard.report import MEAN_NAMES, BoardReport, board_notes, board_title
from explorer.core.arrays import or_none
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE, Cells
from explorer.core.figures import outside_interval
from explorer.core.version import version


class BoardAnswer(TypedDict):
    """The leaderboard as JSON; a figure is null if undefined, an interval also if `resamples` is 0."""

    tailscope_version: str
    use: str
    title: str
    notes: list[str]
    resamples: int
    reference: str
    rows: list[dict[str, str | float | None]]
    winners: list[Winner]


def board_json(report: BoardReport) -> str:
    """Return the leaderboard as JSON text."""
    return json.dumps(board_answer(report), indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def board_answer(report: BoardReport) -> BoardAnswer:
    """Return the leaderboard as plain values."""
    board = report.board
    return {
        "tailscope_version": version(),
        "use": NOT_FOR_MEDICAL_USE,
        "title": board_title(report),
        "notes": list(board_notes(report)),
        "resamples": board.resamples,
        "reference": board.models[report.reference],
        "rows": list(board_rows(report)),
        "winners": list(board.winners),
    }


def board_rows(report: BoardReport) -> Iterator[Cells]:
    """Yield a row for each group of findings, metric and model, in the report's order of models."""
    for part in range(len(report.board.parts)):
        for measure in BOARD_MEASURES:
            yield from _rows(report, part, measure)


def _rows(report: BoardReport, place: int, measure: BoardMeasure) -> Iterator[Cells]:
    board = report.board
    part, means = board.parts[place], board.means[place, measure]
    compared = (
        [(column, column.figures(report, place, measure)) for column in BOARD_COLUMNS] if len(board.models) > 1 else []
    )
    for model in report.rows:
        low, high = means.interval(model) or (None, None)
        yield {
            "cohort": report.chosen.cohort,
            "center": part.center,
            "findings": part.name,
            "model": board.models[model],
            "metric": MEAN_NAMES[measure],
            "value": or_none(means.point[model]),
            "ci_low": low,
            "ci_high": high,
            "ci_contains_value": None
            if low is None
            else "no"
            if outside_interval(means.point[model], low, high)
            else "yes",
            "findings_counted": len(means.counted),
            "findings_left_out": len(part.members) - len(means.counted),
            "resamples_incomplete": means.incomplete,
            "films": part.films,
            "positives": part.positives,
            "positives_fewest": board.fewest(place, measure),
            "reference": board.models[report.reference],
            **dict.fromkeys(name for column in BOARD_COLUMNS for name in column.exported),
            **{name: cell for column, all_of in compared for name, cell in exported_cells(column, all_of[model])},
            "weighted": "natural" if report.natural else "no",
        }

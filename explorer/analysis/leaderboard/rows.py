"""The leaderboard for programs: a row for each group of findings, model and metric."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypedDict

from explorer.analysis.leaderboard.columns import COLUMNS, exported_cells
from explorer.analysis.leaderboard.joint_metrics import MEASURES, Measure
from explorer.analysis.leaderboard.means import Winner
from explorer.analysis.leaderboard.report import MEANS, BoardReport, notes, title
from explorer.core.arrays import or_none
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE, Cells
from explorer.core.figures import outside_interval
from explorer.core.version import version


class BoardAnswer(TypedDict):
    """The board: null where a figure is undefined, or its interval is still to come (`resamples` is 0)."""

    tailscope_version: str
    use: str
    title: str
    notes: list[str]
    resamples: int
    reference: str
    rows: list[dict[str, str | float | None]]
    winners: list[Winner]


def as_json(report: BoardReport) -> str:
    """The board as JSON: null where a figure is undefined."""
    return json.dumps(board_answer(report), indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def board_answer(report: BoardReport) -> BoardAnswer:
    """The board as plain values, for programs."""
    board = report.board
    return {
        "tailscope_version": version(),
        "use": NOT_FOR_MEDICAL_USE,
        "title": title(report),
        "notes": list(notes(report)),
        "resamples": board.resamples,
        "reference": board.models[report.reference],
        "rows": list(rows_of(report)),
        "winners": list(board.winners),
    }


def rows_of(report: BoardReport) -> Iterator[Cells]:
    """A row for each part, metric and model, the models in the order of the report."""
    for part in range(len(report.board.parts)):
        for measure in MEASURES:
            yield from _rows(report, part, measure)


def _rows(report: BoardReport, place: int, measure: Measure) -> Iterator[Cells]:
    board = report.board
    part, means = board.parts[place], board.means[place, measure]
    compared = [(column, column.figures(report, place, measure)) for column in COLUMNS] if len(board.models) > 1 else []
    for model in report.rows:
        low, high = means.interval(model) or (None, None)
        yield {
            "cohort": report.chosen.cohort,
            "center": part.center,
            "findings": part.name,
            "model": board.models[model],
            "metric": MEANS[measure],
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
            **dict.fromkeys(name for column in COLUMNS for name in column.exported),
            **{name: cell for column, all_of in compared for name, cell in exported_cells(column, all_of[model])},
            "weighted": "natural" if report.natural else "no",
        }

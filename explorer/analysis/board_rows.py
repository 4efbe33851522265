"""The leaderboard for programs: a row for each group of findings, model and metric."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypedDict

from explorer.analysis.board_report import MEANS, BoardReport, notes, title
from explorer.analysis.joint_metrics import MEASURES, Measure
from explorer.core.arrays import or_none
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE, Cells, csv_text
from explorer.core.figures import lies_beside
from explorer.core.version import version


class WinnerAnswer(TypedDict):
    """Who is best at a finding by AP, ties broken by AUROC; `p_first`: how often the first of them is it."""

    finding: str
    frequency_group: str | None
    films: int
    positives: int
    models: list[str]
    AP: float | None
    p_first: float | None


class BoardAnswer(TypedDict):
    """The board: null where a figure is undefined, or its interval is still to come (`resamples` is 0)."""

    tailscope_version: str
    use: str
    title: str
    notes: list[str]
    resamples: int
    reference: str
    rows: list[dict[str, str | float | None]]
    winners: list[WinnerAnswer]


def as_csv(report: BoardReport) -> str:
    """The board as CSV; cells are blank where a figure is undefined, or its interval is not there."""
    rows = list(rows_of(report))
    return csv_text(list(rows[0]), rows)


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
        "winners": [
            {
                "finding": each.finding,
                "frequency_group": each.group,
                "films": each.films,
                "positives": each.positives,
                "models": [board.models[place] for place in each.models],
                "AP": each.value,
                "p_first": each.share,
            }
            for each in board.winners
        ],
    }


def rows_of(report: BoardReport) -> Iterator[Cells]:
    """A row for each part, metric and model, the models in the order of the report."""
    for part in range(len(report.board.parts)):
        for measure in MEASURES:
            yield from _rows(report, part, measure)


def _rows(report: BoardReport, place: int, measure: Measure) -> Iterator[Cells]:
    board = report.board
    part, means = board.parts[place], board.means[place, measure]
    less, order = board.against(place, measure, report.reference), board.order(place, measure)
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
            "ci_contains_value": None if low is None else "no" if lies_beside(means.point[model], low, high) else "yes",
            "findings_counted": len(means.counted),
            "findings_left_out": len(part.members) - len(means.counted),
            "resamples_incomplete": means.incomplete,
            "films": part.films,
            "positives": part.positives,
            "positives_fewest": board.fewest(place, measure),
            "reference": board.models[report.reference],
            "difference": or_none(less.value[model]),
            "difference_low": or_none(less.low[model]),
            "difference_high": or_none(less.high[model]),
            "p": or_none(less.p[model]),
            "p_adjusted": or_none(less.adjusted[model]),
            "p_first": or_none(order.first[model]) if len(board.models) > 1 else None,
            "weighted": "natural" if report.natural else "no",
        }

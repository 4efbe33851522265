"""Writes the leaderboard as a table in one of five formats."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from explorer.analysis.leaderboard.columns import BOARD_COLUMNS, BoardColumn, BoardFigure
from explorer.analysis.leaderboard.groups import BoardPart
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.means import Board
from explorer.analysis.leaderboard.report import MEAN_NAMES, BoardReport, board_notes, board_title
from explorer.analysis.leaderboard.rows import board_json, board_rows
from explorer.cohorts.counted import Counted, cases_text, counted_by
from explorer.core.figures import UNDEFINED, difference_text, figure_text, p_text, share_text
from explorer.core.result_table import ResultTable, table_in
from explorer.core.text_grid import TextGrid
from explorer.metrics.joint_means import JointMeans

METRIC_BLOCKS: tuple[tuple[BoardMeasure, ...], ...] = (("AP", "AUROC", "ECE"), ("F1", "precision", "recall"))


def format_board(name: str, report: BoardReport) -> str:
    """Return the report as `text`, `csv`, `json`, `markdown` or `latex`. Raises KeyError for another format."""
    return board_json(report) if name == "json" else table_in(name, board_table(report))


def board_table(report: BoardReport) -> ResultTable:
    """Return the report as the table that all formats are written from."""
    return ResultTable(
        board_title(report),
        tuple(board_notes(report)),
        (*board_grids(report), _winners(report)),
        tuple(board_rows(report)),
    )


def board_grids(report: BoardReport) -> Iterator[TextGrid]:
    """Yield two grids per part; the first includes the mAP difference from the reference, its p, and P(first)."""
    for place, part in enumerate(report.board.parts):
        for block in METRIC_BLOCKS:
            yield _grid(report, place, part, block)


def _grid(report: BoardReport, place: int, part: BoardPart, block: Sequence[BoardMeasure]) -> TextGrid:
    board = report.board
    columns = [[_figure(board.means[place, measure], model) for model in report.rows] for measure in block]
    header = ["model", *(MEAN_NAMES[measure] for measure in block)]
    if "AP" in block and board.resamples and len(board.models) > 1:
        compared = [_compared(report, place, column) for column in BOARD_COLUMNS]
        header += [heading for headings, _ in compared for heading in headings]
        columns += [cells for _, written in compared for cells in written]
    names = [board.models[model] for model in report.rows]
    rows = tuple(zip(names, *columns, strict=True))
    return TextGrid(_part_title(board, counted_by(report.cohort), place, block), tuple(header), rows)


def _compared(report: BoardReport, place: int, column: BoardColumn) -> tuple[list[str], list[list[str]]]:
    """Return a comparison column's headings and cells; the p of a difference is in a separate column."""
    figures = column.figures(report, place, "AP")
    shown = [figures[model] for model in report.rows]
    names = {"mean": MEAN_NAMES["AP"], "reference": report.board.models[report.reference]}
    heading = column.printed.format_map(names)
    if column.unit == "share":
        return [heading], [["" if each is None or each["value"] is None else _share(each["value"]) for each in shown]]
    differences = ["reference" if each is None else difference_text(*_ends(each)) for each in shown]
    p = ["" if each is None or each["p_adjusted"] is None else p_text(each["p_adjusted"]) for each in shown]
    return [heading, "p"], [differences, p]


def _ends(figure: BoardFigure) -> tuple[float, float, float]:
    """Return value, low and high, NaN if missing."""
    value, low, high = (math.nan if each is None else each for each in (figure["value"], figure["low"], figure["high"]))
    return value, low, high


def part_name(part: BoardPart) -> str:
    """Return the name of a group of findings, with its center if it has one."""
    return part.name if part.center is None else f"{part.name} at {part.center}"


def _part_title(board: Board, unit: Counted, place: int, block: Sequence[BoardMeasure]) -> str:
    """Return a block's title with its counts; metrics that are over other findings state their own."""
    part, first = board.parts[place], block[0]
    title = f"{part_name(part)}: {counted_words(board, place, first)}"
    title += f", {cases_text(part.films, unit)}, fewest positives {board.fewest(place, first):,}"
    if incomplete := board.means[place, first].incomplete if board.resamples else 0:
        title += f", {incomplete:,} of {board.resamples:,} resamples without one of the findings"
    counted = board.means[place, first].counted
    for measure in block[1:]:
        if board.means[place, measure].counted != counted:
            title += (
                f"; {MEAN_NAMES[measure]}: {counted_words(board, place, measure)}, {board.fewest(place, measure):,}"
            )
    return title


def counted_words(board: Board, place: int, measure: BoardMeasure) -> str:
    """Return how many findings a measure's mean counts: `22 findings`, `10 of 22 findings`."""
    counted, members = len(board.means[place, measure].counted), len(board.parts[place].members)
    return f"{members} findings" if counted == members else f"{counted} of {members} findings"


def _figure(means: JointMeans, model: int) -> str:
    return figure_text(float(means.point[model]), *(means.interval(model) or (math.nan, math.nan)))


def _share(value: float) -> str:
    return "" if value != value else share_text(value)


def _winners(report: BoardReport) -> TextGrid:
    header = ("finding", "group", "n+", "best model", "AP", "P(first)")
    return TextGrid("best by finding (AP, ties broken by AUROC)", header, tuple(_winner_rows(report)))


def _winner_rows(report: BoardReport) -> Iterator[tuple[str, ...]]:
    for each in report.board.winners:
        best = ", ".join(each["models"]) or UNDEFINED
        value = "" if each["AP"] is None else share_text(each["AP"], 3)
        share = "" if each["p_first"] is None else share_text(each["p_first"])
        yield (each["finding"], each["frequency_group"] or "", f"{each['positives']:,}", best, value, share)

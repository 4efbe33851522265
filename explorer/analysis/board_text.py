"""The leaderboard for people: aligned text, Markdown and LaTeX."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence

from explorer.analysis.board_parts import Part
from explorer.analysis.board_report import MEANS, BoardReport, notes, title
from explorer.analysis.joint_metrics import Measure
from explorer.analysis.leaderboard import Board
from explorer.analysis.result_table import ResultTable, table_in
from explorer.core.figures import UNDEFINED, difference_text, figure_text, p_text, share_text
from explorer.core.text_grid import Grid, aligned
from explorer.core.visible_text import visible
from explorer.metrics.joint_means import JointMeans

BLOCKS: tuple[tuple[Measure, ...], ...] = (("AP", "AUROC", "ECE"), ("F1", "precision", "recall"))
WIDTH = 100  # of sentences; tables are as wide as their names and figures


def as_text(report: BoardReport) -> str:
    """The board as aligned text."""
    lines = [title(report) + "."]
    for sentence in notes(report):
        lines += textwrap.wrap(sentence, WIDTH)
    for grid in (*grids(report), _winners(report)):
        lines += ["", grid.title, *aligned(grid)]
    return "\n".join(map(visible, lines)) + "\n"


def as_markdown(report: BoardReport) -> str:
    """The board as Markdown."""
    return table_in("markdown", _table(report))


def as_latex(report: BoardReport) -> str:
    """The board as LaTeX, one float for each group of findings and block of metrics."""
    return table_in("latex", _table(report))


def _table(report: BoardReport) -> ResultTable:
    return ResultTable(title(report), tuple(notes(report)), (*grids(report), _winners(report)), ())


def grids(report: BoardReport) -> Iterator[Grid]:
    """Two grids for each part; the first has the difference of mAP to the reference, its p, and P(first)."""
    for place, part in enumerate(report.board.parts):
        for block in BLOCKS:
            yield _grid(report, place, part, block)


def _grid(report: BoardReport, place: int, part: Part, block: Sequence[Measure]) -> Grid:
    board = report.board
    columns = [[_figure(board.means[place, measure], model) for model in report.rows] for measure in block]
    header = ["model", *(MEANS[measure] for measure in block)]
    if "AP" in block and board.resamples and len(board.models) > 1:
        header += [f"mAP less {board.models[report.reference]}", "p", "P(first)"]
        columns += _differences(report, place)
    names = [board.models[model] for model in report.rows]
    rows = tuple(zip(names, *columns, strict=True))
    return Grid(_part_title(board, place, block), tuple(header), rows)


def _differences(report: BoardReport, place: int) -> list[list[str]]:
    less, order = report.board.against(place, "AP", report.reference), report.board.order(place, "AP")
    differences = [
        "reference"
        if model == report.reference
        else difference_text(less.value[model], less.low[model], less.high[model])
        for model in report.rows
    ]
    p = ["" if math.isnan(less.adjusted[model]) else p_text(less.adjusted[model]) for model in report.rows]
    return [differences, p, [_share(order.first[model]) for model in report.rows]]


def part_name(part: Part) -> str:
    """A group of findings, and the center it is at."""
    return part.name if part.center is None else f"{part.name} at {part.center}"


def _part_title(board: Board, place: int, block: Sequence[Measure]) -> str:
    """What the means of a block are of; metrics that count other findings are named with theirs."""
    part, first = board.parts[place], block[0]
    title = f"{part_name(part)}: {counted_words(board, place, first)}"
    title += f", {part.films:,} films, fewest positives {board.fewest(place, first):,}"
    if incomplete := board.means[place, first].incomplete if board.resamples else 0:
        title += f", {incomplete:,} of {board.resamples:,} resamples without one of the findings"
    counted = board.means[place, first].counted
    for measure in block[1:]:
        if board.means[place, measure].counted != counted:
            title += f"; {MEANS[measure]}: {counted_words(board, place, measure)}, {board.fewest(place, measure):,}"
    return title


def counted_words(board: Board, place: int, measure: Measure) -> str:
    """How many findings of a part the mean of a measure counts: `22 findings`, `10 of 22 findings`."""
    counted, members = len(board.means[place, measure].counted), len(board.parts[place].members)
    return f"{members} findings" if counted == members else f"{counted} of {members} findings"


def _figure(means: JointMeans, model: int) -> str:
    return figure_text(float(means.point[model]), *(means.interval(model) or (math.nan, math.nan)))


def _share(value: float) -> str:
    return "" if value != value else share_text(value)


def _winners(report: BoardReport) -> Grid:
    header = ("finding", "group", "n+", "best model", "AP", "P(first)")
    return Grid("best by finding (AP, ties broken by AUROC)", header, tuple(_winner_rows(report)))


def _winner_rows(report: BoardReport) -> Iterator[tuple[str, ...]]:
    for each in report.board.winners:
        best = ", ".join(report.board.models[place] for place in each.models) or UNDEFINED
        value = "" if each.value is None else share_text(each.value, 3)
        share = "" if each.share is None else share_text(each.share)
        yield (each.finding, each.group or "", f"{each.positives:,}", best, value, share)

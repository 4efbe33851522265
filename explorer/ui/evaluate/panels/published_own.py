"""A model's own column beside a printed table: its figures on the visitor's films, which are another test set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.means import Board
from explorer.analysis.leaderboard.report import BoardReport
from explorer.core.arrays import or_none
from explorer.core.finding_relations import relation_of
from explorer.core.findings import TASKS
from explorer.core.rates import Rate
from explorer.core.word_lists import quantity
from explorer.published.printed_table import OwnColumn, PrintedTable

_MEASURES: Mapping[str, BoardMeasure] = MappingProxyType(
    {"mAP": "AP", "AUROC": "AUROC", "F1": "F1", "Precision": "precision", "Recall": "recall"}
)


@dataclass(frozen=True, slots=True)
class OwnFigure:
    """A figure with its interval, None if undefined or not yet computed, and what it was counted on, in words."""

    value: float
    low: float | None
    high: float | None
    counted: str


OwnFigures = Mapping[str, OwnFigure]  # by row of the printed table
NO_SUCH_FIGURE = "No column of your own: a classifier's scores have no such figure."


def own_figures(table: PrintedTable, report: BoardReport) -> OwnFigures:
    """Return the reference's figures by row; empty if the films or groups allow none."""
    if table.own is None:
        return {}
    return dict(_WAYS[table.own](table, report))


def why_none(table: PrintedTable, report: BoardReport) -> str:
    """Return why a table has no column for the model, and what to do, if anything helps."""
    if table.own is None:
        return NO_SUCH_FIGURE
    if table.own == "group means" and report.chosen.source != "paper":
        return "No column of your own: the groups differ. Choose the groups of the CXR-LT 2026 paper above."
    return "No column of your own: too few of these findings have labels and scores here."


def _by_finding(table: PrintedTable, report: BoardReport) -> Iterator[tuple[str, OwnFigure]]:
    measure: BoardMeasure = "AUROC" if table.own == "AUROC" else "AP"
    board, model = report.board, report.reference
    figures = board.by_finding[measure]
    for row, place in _shared_findings(table, board):
        value, low, high = (or_none(part[model, place]) for part in (figures.point, figures.low, figures.high))
        if value is not None:
            yield row, OwnFigure(value, low, high, f"n+ {board.positives[place]:,} of {board.known[place]:,}")


def _positive_labels(table: PrintedTable, report: BoardReport) -> Iterator[tuple[str, OwnFigure]]:
    """Yield the share of films labeled present, as percentages like the printed ones."""
    board = report.board
    for row, place in _shared_findings(table, board):
        rate = Rate(board.positives[place], board.known[place])
        if rate.value is not None and rate.interval is not None:
            low, high = rate.interval
            yield row, OwnFigure(100 * rate.value, 100 * low, 100 * high, f"n {rate.n:,}")


def _shared_findings(table: PrintedTable, board: Board) -> Iterator[tuple[str, int]]:
    """Yield each row that is a finding of the films, by whatever name, with the finding's index."""
    for row in table.rows:
        for place, finding in enumerate(board.findings):
            known = relation_of(row, finding)
            if row == finding or (known is not None and known.relation == "same as"):
                yield row, place
                break


def _means(table: PrintedTable, report: BoardReport) -> Iterator[tuple[str, OwnFigure]]:
    """Yield the means of the table's task, if the films have at least half of its findings."""
    board = report.board
    asked = TASKS[table.task or "seen"]
    if 2 * len(set(board.findings) & set(asked)) < len(asked):
        return
    place = next((at for at, part in enumerate(board.parts) if part.kind == table.task and not part.center), None)
    if place is not None:
        for row, measure in _MEASURES.items():
            if (figure := _mean(board, place, measure, report.reference)) is not None:
                yield row, figure


def _group_means(table: PrintedTable, report: BoardReport) -> Iterator[tuple[str, OwnFigure]]:
    """Yield the mean AP of each frequency group of the paper; the normal group is the finding Normal."""
    if report.chosen.source != "paper":
        return
    board = report.board
    for place, part in enumerate(board.parts):
        if part.kind == "group" and part.center is None and part.name in table.rows:
            if (figure := _mean(board, place, "AP", report.reference)) is not None:
                yield part.name, figure


def _mean(board: Board, place: int, measure: BoardMeasure, model: int) -> OwnFigure | None:
    means = board.means[place, measure]
    value = or_none(means.point[model])
    if value is None:
        return None
    low, high = means.interval(model) or (None, None)
    fewest = f"n+ from {board.fewest(place, measure):,}"
    return OwnFigure(value, low, high, f"{quantity(len(means.counted), 'finding')}, {fewest}")


_WAYS: Mapping[OwnColumn, Callable[[PrintedTable, BoardReport], Iterator[tuple[str, OwnFigure]]]] = MappingProxyType(
    {
        "AP": _by_finding,
        "AUROC": _by_finding,
        "means": _means,
        "group means": _group_means,
        "positive labels": _positive_labels,
    }
)

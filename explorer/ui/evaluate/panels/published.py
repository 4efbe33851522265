"""Published: the papers' own tables, with the reference model as one more column, and calculations from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypedDict

from explorer.analysis.leaderboard.report import BoardReport, board_title, interval_note
from explorer.core.csv_table import Cells
from explorer.core.figures import figure_text, fixed, interval_text, share_text, share_texts, signed
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.metrics.best_of_tries import luck_of_models
from explorer.published.catalog import CALCULATED, CHECKS, as_result, printed_tables
from explorer.published.checks.check_figure import CheckFigure
from explorer.published.checks.statements import all_statements
from explorer.published.printed_table import PERCENT_DECIMALS, PrintedTable, Unit, beside_text, value_text
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.panels.published_figures import CheckFigurePayload, figure_payloads
from explorer.ui.evaluate.panels.published_own import NO_SUCH_FIGURE, OwnFigure, OwnFigures, own_figures, why_none
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.links import LinkState
from models.refusal import Refusal

TABLE_WORD = "table"  # address word of the shown table
FIRST_TABLE = "2026-main-1"
STATEMENTS = "statements"
ANOTHER_SET = "another test set"
_UNKNOWN = "The link names a published table that is not among these. It was ignored."


class TableChoicePayload(TypedDict):
    """A selectable table or calculation, and the paper that it is listed under."""

    word: str
    name: str
    paper: str


class PrintedCellPayload(TypedDict):
    """A figure as text, and what stands beside it: its interval, its count; empty if not printed."""

    value: str
    beside: str


class OwnCellPayload(TypedDict):
    """A figure of the visitor's model, its interval and its counts as text; `pending`: no interval yet."""

    value: str
    beside: str
    counted: str
    pending: bool


class GridPayload(TypedDict):
    """A table: headings, and rows of a name and cells.

    `behind` has the words of the printed tables behind each row, `own` a cell per row, null if there is no such figure.
    `figures` stand below it.
    """

    caption: str
    heads: list[str]
    names: list[str]
    cells: list[list[PrintedCellPayload]]
    behind: list[list[str]] | None
    own: list[OwnCellPayload | None] | None
    figures: list[CheckFigurePayload]


class PublishedTablePayload(TypedDict):
    """The panel's data; `own` names the model of the own column, empty without one, and `why` says why not.

    `films` are those of the own column, `simulated` if so. `printed` is false for calculations, whose cells are text;
    `behind` are the printed tables behind all of one, and `figures` stand above its tables.
    """

    tables: list[TableChoicePayload]
    table: str
    printed: bool
    behind: list[str]
    source: str
    own: str
    films: str
    simulated: bool
    why: str
    plotly: str
    figures: list[CheckFigurePayload]
    grids: list[GridPayload]


def _content(request: PanelRequest) -> PanelContent:
    word, complaints = requested_table(request.state)
    report, why = _report(request, word)
    return _shown(word, complaints, report, why)


def without_cohort(state: LinkState) -> PanelContent:
    """Return the panel for a machine without a cohort: the tables as printed."""
    word, complaints = requested_table(state)
    return _shown(word, complaints, None, "No column of your own: there is no cohort with scores on this machine.")


def requested_table(state: LinkState) -> tuple[str, tuple[str, ...]]:
    """Return the address's table, by default the first, and complaints."""
    sent = state.get(TABLE_WORD)
    if not sent:
        return FIRST_TABLE, ()
    if isinstance(sent, str) and (sent in printed_tables() or sent in CHECKS):
        return sent, ()
    return FIRST_TABLE, (_UNKNOWN,)


def _report(request: PanelRequest, word: str) -> tuple[BoardReport | None, str]:
    """Return the leaderboard if the table can have a column of its models; otherwise why it cannot, if that matters."""
    needs = word == "luck" or (word in printed_tables() and printed_tables()[word].own is not None)
    if not needs:
        return None, "" if word in CHECKS else NO_SUCH_FIGURE
    try:
        return request.report(), ""
    except Refusal as refusal:  # films without labels, or models that cannot be compared: the paper's figures stay
        return None, f"No column of your own. {refusal}"


def _shown(word: str, complaints: tuple[str, ...], report: BoardReport | None, why: str) -> PanelContent:
    table = printed_tables().get(word)
    result = CHECKS[word].make() if table is None else as_result(table)
    own = {} if table is None or report is None else own_figures(table, report)
    if table is not None and report is not None and not own:
        why = why_none(table, report)
    figures = CHECKS[word].figures() if table is None else ()
    if table is not None:
        grids = [_grid(table, own)]
    else:
        folded = {each.cells.title for each in figures}  # tables that a figure has below it
        shown = [each for each in result.grids if each.title not in folded]
        grids = [_text_grid(word, each, figures) for each in (*shown, *_luck_grids(word, report))]
    payload: PublishedTablePayload = {
        "tables": _choices(),
        "table": word,
        "printed": table is not None,
        "behind": list(CHECKS[word].tables) if table is None else [],
        "source": result.title,
        "own": report.board.models[report.reference] if own and report is not None else "",
        "films": _films(report) if own and report is not None else "",
        "simulated": report is not None and report.simulated,
        "why": why,
        "plotly": PLOTLY,
        "figures": figure_payloads(figures, ""),
        "grids": grids,
    }
    words = {} if word == FIRST_TABLE else {TABLE_WORD: word}
    computing = report is not None and not report.board.resamples
    title = f"{result.title}: {table.title}" if table is not None else result.title
    notes = tuple(_notes(result, report if own else None))
    return PanelContent(title, notes, dict(payload), computing, words, complaints, of_films=False)


def _films(report: BoardReport) -> str:
    """Return which films the own column is counted on: `films of phantom, PA films: 1,000 films of 900 patients`."""
    return board_title(report).partition(" on ")[2]


def _choices() -> list[TableChoicePayload]:
    """Return the tables by paper, then the calculations."""
    return [
        *(TableChoicePayload(word=name, name=each.title, paper=each.paper) for name, each in printed_tables().items()),
        *(TableChoicePayload(word=name, name=each.title, paper=CALCULATED) for name, each in CHECKS.items()),
    ]


def _grid(table: PrintedTable, own: OwnFigures) -> GridPayload:
    shown = [[table.cells.get((row, column)) for column in table.columns] for row in table.rows]
    return {
        "caption": table.title,
        "heads": [table.corner, *table.columns],
        "names": list(table.rows),
        "cells": [
            [{"value": value_text(cell, table.unit), "beside": beside_text(cell)} for cell in row] for row in shown
        ],
        "behind": None,
        "own": [_own_cell(own.get(row), table.unit) for row in table.rows] if own else None,
        "figures": [],
    }


def _own_cell(figure: OwnFigure | None, unit: Unit) -> OwnCellPayload | None:
    if figure is None:
        return None
    ends = () if figure.low is None or figure.high is None else (figure.low, figure.high)
    value, *reach = _texts(unit, figure.value, *ends)
    beside = interval_text(*reach) if reach else ""
    return {"value": value, "beside": beside, "counted": figure.counted, "pending": not reach}


def _texts(unit: Unit, value: float, *ends: float) -> tuple[str, ...]:
    if unit != "percent":
        return share_texts(value, *ends, digits=3)
    return f"{fixed(value, PERCENT_DECIMALS)} %", *(fixed(each, PERCENT_DECIMALS) for each in ends)


def _text_grid(word: str, grid: TextGrid, figures: Sequence[CheckFigure]) -> GridPayload:
    """Return a calculation's table and the figures below it.

    The table of a paper's statements has the printed tables behind each.
    """
    behind = [list(each.tables) for each in all_statements() if each.paper == grid.title]
    return {
        "caption": grid.title,
        "heads": list(grid.header),
        "names": [row[0] for row in grid.rows],
        "cells": [[{"value": cell, "beside": ""} for cell in row[1:]] for row in grid.rows],
        "behind": behind if word == STATEMENTS else None,
        "own": None,
        "figures": figure_payloads(figures, grid.title),
    }


def _luck_grids(word: str, report: BoardReport | None) -> Iterator[TextGrid]:
    """Yield the luck of the compared models on their own films; its cells wait for the resamples."""
    if word != "luck" or report is None or len(report.board.models) < 2:
        return
    board, means = report.board, report.board.means[0, "AP"]
    found = luck_of_models(means.samples)
    if found is None and board.resamples:
        return
    best = int(means.point.argmax())
    lead = signed(float(means.point.max() - means.point.mean()))
    header = ("best by mAP", "models", "films", "its lead over their mean", "expected by luck", "95 % stay below")
    row = (board.models[best], f"{len(board.models)}", f"{board.films:,}")
    cells = (lead, "computing", "computing") if found is None else (lead, signed(found.expected), signed(found.limit))
    simulated = ", SIMULATED" if report.simulated else ""
    yield TextGrid(
        f"Your models{simulated}: were all equally good, how far would the best lead?", header, ((*row, *cells),)
    )


def _notes(result: ResultTable, report: BoardReport | None) -> Iterator[str]:
    yield from result.notes
    if report is None:
        return
    if report.simulated:
        yield "The films of the right column are SIMULATED."
    name = report.board.models[report.reference]
    yield f"Other films and another prevalence: do not rank {name} with the paper's figures."
    if report.board.resamples:
        yield interval_note(report.board.resamples)


def _table(request: PanelRequest) -> ResultTable:
    """Return the printed table with the own column, or the calculation."""
    word, _ = requested_table(request.state)
    report, _ = _report(request, word)
    table = printed_tables().get(word)
    if table is None:
        result = CHECKS[word].make()
        return replace(result, grids=(*result.grids, *_luck_grids(word, report)))
    result = as_result(table)
    own = {} if report is None else own_figures(table, report)
    if report is None or not own:
        return result
    name = f"{report.board.models[report.reference]} ({ANOTHER_SET}{', SIMULATED' if report.simulated else ''})"
    (grid,) = result.grids
    rows = tuple((*row, _own_text(own.get(row[0]), table.unit)) for row in grid.rows)
    added: list[Cells] = [
        {
            "paper": "own model",
            "table": _films(report),
            table.corner: row,
            "column": name,
            "value": figure.value,
            "ci_low": figure.low,
            "ci_high": figure.high,
            "n": None,
        }
        for row, figure in own.items()
    ]
    notes = (*_notes(result, report), f"{name}: {_films(report)}.")
    return ResultTable(
        result.title, notes, (replace(grid, header=(*grid.header, name), rows=rows),), (*result.rows, *added)
    )


def _own_text(figure: OwnFigure | None, unit: Unit) -> str:
    if figure is None:
        return ""
    if unit == "percent":
        value, *reach = _texts(unit, figure.value, figure.low or 0, figure.high or 0)
        return f"{value} {interval_text(*reach)}, {figure.counted}"
    if figure.low is None or figure.high is None:
        return f"{share_text(figure.value, 3)}, {figure.counted}"
    return f"{figure_text(figure.value, figure.low, figure.high)}, {figure.counted}"


PUBLISHED_PANEL = Panel("published", "Published", _content, _table, without_cohort)

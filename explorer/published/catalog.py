"""What the room offers by name: printed tables and calculations from them, for every format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from explorer.core.csv_table import Cells
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import suggestion
from explorer.published.challenge_tables import challenge_tables
from explorer.published.checks import (
    balance,
    gold_standard,
    label_bounds,
    luck,
    oracle,
    statement_figures,
    statements,
)
from explorer.published.checks.check_figure import CheckFigure
from explorer.published.printed_table import PrintedTable, cell_text
from explorer.published.transcribed_tables import transcribed_tables
from models.refusal import Refusal

CALCULATED = "Calculated from the tables"


@dataclass(frozen=True, slots=True)
class Check:
    """A calculation: its title, the functions that make it and its figures, and the printed tables behind all of it.

    Statements name theirs one by one.
    """

    title: str
    make: Callable[[], ResultTable]
    figures: Callable[[], tuple[CheckFigure, ...]]
    tables: tuple[str, ...] = ()


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "statements": Check(statements.TITLE, statements.statements, statement_figures.statement_figures),
        "oracle": Check(oracle.TITLE, oracle.oracle, oracle.oracle_figures, oracle.TABLES),
        "luck": Check(luck.TITLE, luck.luck, luck.luck_figures, luck.TABLES),
        "bounds": Check(
            label_bounds.TITLE, label_bounds.label_bounds, label_bounds.bounds_figures, label_bounds.TABLES
        ),
        "gold-standard": Check(
            gold_standard.TITLE, gold_standard.gold_standard, gold_standard.gold_standard_figures, gold_standard.TABLES
        ),
        "balance": Check(balance.TITLE, balance.balance, balance.balance_figures, balance.TABLES),
    }
)


class WrongTable(Refusal):
    """No published table has this name: `detail` suggests others."""


@cache
def printed_tables() -> Mapping[str, PrintedTable]:
    """Return every printed table by name: 2026, 2023, CheXpert, REVEAL-CXR."""
    return MappingProxyType({each.name: each for each in (*challenge_tables(), *transcribed_tables())})


def listed() -> ResultTable:
    """Return the list of names: tables with their paper, place and title, then calculations from them."""
    rows = [(each.name, each.paper, each.source, each.title) for each in printed_tables().values()]
    rows += [(name, CALCULATED, "", each.title) for name, each in CHECKS.items()]
    grid = TextGrid("Tables", ("name", "paper", "place", "title"), tuple(rows))
    cells: list[Cells] = [dict(zip(grid.header, row, strict=True)) for row in rows]
    return ResultTable("", ("Print one: python -m explorer published NAME.",), (grid,), tuple(cells))


def result_named(name: str) -> ResultTable:
    """Return the table or calculation of this name, in any case. Raises WrongTable."""
    wanted = name.casefold()
    if wanted in CHECKS:
        return CHECKS[wanted].make()
    if wanted in printed_tables():
        return as_result(printed_tables()[wanted])
    raise WrongTable(f"Unknown table {name!r}", suggestion(name, (*printed_tables(), *CHECKS)))


def as_result(table: PrintedTable) -> ResultTable:
    """Return the table for the writer of all formats; CSV has one row per cell, with paper and table."""
    rows = tuple(
        (row, *(cell_text(table.cells.get((row, column)), table.unit) for column in table.columns))
        for row in table.rows
    )
    grid = TextGrid(table.title, (table.corner, *table.columns), rows)
    title = f"{table.paper}, {table.source}"
    return ResultTable(title, (f"Measured on {table.films}.", *table.notes), (grid,), tuple(_rows(table)))


def _rows(table: PrintedTable) -> Iterator[Cells]:
    for (row, column), cell in table.cells.items():
        yield {
            "paper": table.paper,
            "table": table.source,
            table.corner: row,
            "column": column,
            "value": cell.value,
            "ci_low": cell.low,
            "ci_high": cell.high,
            "n": cell.n,
        }

"""What the room offers by name: printed tables and calculations from them, for every format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from explorer.core.csv_table import Cells
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import suggestion
from explorer.published.challenge_tables import challenge_tables
from explorer.published.printed_table import PrintedTable, cell_text
from explorer.published.transcribed_tables import transcribed_tables
from models.refusal import Refusal


class WrongTable(Refusal):
    """No published table has this name: `detail` suggests others."""


@cache
def printed_tables() -> Mapping[str, PrintedTable]:
    """Return every printed table by name: 2026, 2023, CheXpert, REVEAL-CXR."""
    return MappingProxyType({each.name: each for each in (*challenge_tables(), *transcribed_tables())})


def listed() -> ResultTable:
    """Return the list of names, each with its paper, place and title."""
    rows = [(each.name, each.paper, each.source, each.title) for each in printed_tables().values()]
    grid = TextGrid("Tables", ("name", "paper", "place", "title"), tuple(rows))
    cells: list[Cells] = [dict(zip(grid.header, row, strict=True)) for row in rows]
    return ResultTable("", ("Print one: python -m explorer published NAME.",), (grid,), tuple(cells))


def result_named(name: str) -> ResultTable:
    """Return the table of this name, in any case. Raises WrongTable."""
    found = printed_tables().get(name.casefold())
    if found is None:
        raise WrongTable(f"Unknown table {name!r}", suggestion(name, printed_tables()))
    return as_result(found)


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

"""Figures of the printed tables, for calculations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from explorer.published.challenge_tables import MEAN_ROW, challenge_tables
from explorer.published.checks.check_figure import FigurePoint
from explorer.published.printed_table import PrintedTable, in_order
from explorer.published.transcribed_tables import transcribed_tables


@cache
def _by_name() -> Mapping[str, PrintedTable]:
    return MappingProxyType({each.name: each for each in (*challenge_tables(), *transcribed_tables())})


def table(name: str) -> PrintedTable:
    """Return a printed table. Raises KeyError for others."""
    return _by_name()[name]


def row_values(name: str, row: str) -> dict[str, float]:
    """Return a row's figures by column, in order. Raises KeyError for others."""
    found = table(name)
    return {column: found.cells[row, column].value for column in found.columns if (row, column) in found.cells}


def findings_of(name: str) -> tuple[str, ...]:
    """Return a table's rows without the mean."""
    return tuple(row for row in table(name).rows if row != MEAN_ROW)


def best_columns(name: str, row: str) -> tuple[float, tuple[str, ...]]:
    """Return a row's largest figure and the columns that have it."""
    values = row_values(name, row)
    most = max(values.values())
    return most, tuple(column for column, value in values.items() if value == most)


def figure_point(name: str, row: str, column: str) -> FigurePoint | None:
    """Return a printed figure with its interval, for a chart; None if it is not printed."""
    cell = table(name).cells.get((row, column))
    return None if cell is None else FigurePoint(cell.value, cell.low, cell.high)


def source_words(names: Sequence[str]) -> str:
    """Return where figures come from: `CXR-LT 2023, Table 2 (77,110 films); Table 3 (406 films)`."""
    found = [table(name) for name in names]
    papers = in_order([each.paper for each in found])
    return ". ".join(
        f"{paper}, {'; '.join(in_order([f'{each.source} ({each.films})' for each in found if each.paper == paper]))}"
        for paper in papers
    )

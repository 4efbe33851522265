"""How the files of `messy` are written from clean grids of cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass

from tests.explorer.tabular.small_tables import Grid


def written(grid: Grid, separator: str = ",", ends: str = "\n", quoting: int = csv.QUOTE_MINIMAL) -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=separator, lineterminator=ends, quoting=quoting).writerows(grid)
    return file.getvalue()


def cells(grid: Grid, change: Callable[[str], str], columns: slice | int = slice(1, None)) -> Grid:
    """The grid with other cells below the header, in some columns."""
    header, *rows = [list(row) for row in grid]
    chosen = range(len(header))[columns] if isinstance(columns, slice) else [columns]
    for row in rows:
        for place in chosen:
            row[place] = change(row[place])
    return [header, *rows]


def named(grid: Grid, old: str, new: str) -> Grid:
    return [[new if cell == old else cell for cell in grid[0]], *grid[1:]]


def comma(cell: str) -> str:
    return cell.replace(".", ",")


@dataclass(frozen=True)
class Messy:
    """Two files. `notes` are the facts of each note on them, in order, or `refused` those of the refusal.

    ` ... ` separates the facts of one sentence.
    """

    name: str
    labels: str | bytes | None = None  # None: as they should be
    scores: str | bytes | None = None
    notes: tuple[str, ...] = ()
    refused: str = ""
    logits: bool = False


def words(grid: Grid, **said: str) -> Grid:
    """Labels as words: one, zero, minus and blank, by name."""
    meant = {"1": said.get("one", "1"), "0": said.get("zero", "0"), "-1": said.get("minus", "-1")}
    return cells(grid, lambda cell: meant.get(cell, said.get("blank", "")), slice(4, None))

"""A table of results with notes for its reader, written as aligned text, Markdown, LaTeX or CSV.

Every table of figures that is shown or saved is described as a `ResultTable` and written here.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from explorer.core.csv_table import Cells, csv_text
from explorer.core.figures import OUTSIDE_MARK, OUTSIDE_NOTE
from explorer.core.markup import markdown
from explorer.core.text_grid import LATEX_NEEDS, TextGrid, aligned, latex_float, markdown_table
from explorer.core.visible_text import visible

WIDTH = 100  # of sentences in text; tables are as wide as necessary


@dataclass(frozen=True, slots=True)
class ResultTable:
    """`grids` are for people; `rows` are for programs: one name per column, unrounded figures, blank if undefined.

    `notes` are sentences on what was counted; an empty `title` is omitted.
    """

    title: str
    notes: tuple[str, ...]
    grids: tuple[TextGrid, ...]
    rows: tuple[Cells, ...]


def table_in(name: str, table: ResultTable) -> str:
    """Return the table as `text`, `markdown`, `latex` or `csv`, ending with a line break. Raises KeyError for others.

    If a cell has the mark of an interval that excludes its figure, a note explains it.
    """
    marked = any(cell.endswith(f"]{OUTSIDE_MARK}") for grid in table.grids for row in grid.rows for cell in row)
    if marked and OUTSIDE_NOTE not in table.notes:
        table = replace(table, notes=(*table.notes, OUTSIDE_NOTE))
    return _FORMATS[name](table)


def _text(table: ResultTable) -> str:
    lines = [f"{table.title}."] if table.title else []
    for sentence in table.notes:
        lines += textwrap.wrap(sentence, WIDTH)
    for grid in table.grids:
        lines += ["", grid.title, *aligned(grid)]
        for note in grid.notes:
            lines += textwrap.wrap(note, WIDTH, subsequent_indent="  ")
    return "\n".join(map(visible, lines)) + "\n"


def _csv(table: ResultTable) -> str:
    return csv_text(list(table.rows[0]) if table.rows else [], table.rows)


def _markdown(table: ResultTable) -> str:
    blocks = [
        f"{markdown(table.title)}." if table.title else "",
        "\n".join(f"- {markdown(each)}" for each in table.notes),
    ]
    for grid in table.grids:
        blocks += [f"## {markdown(grid.title)}", markdown_table(grid), *map(markdown, grid.notes)]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _latex(table: ResultTable) -> str:
    lines = [LATEX_NEEDS, *(f"% {each}" for each in ([f"{table.title}."] if table.title else []) + list(table.notes))]
    for grid in table.grids:
        lines += ["", *latex_float(grid)]
    return "\n".join(lines) + "\n"


_FORMATS: Mapping[str, Callable[[ResultTable], str]] = MappingProxyType(
    {"text": _text, "csv": _csv, "markdown": _markdown, "latex": _latex}
)

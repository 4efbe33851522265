"""Tables in GitHub's Markdown."""

from __future__ import annotations

import re

from explorer.cli.formats.figure import long_figure
from explorer.cli.formats.grid import ALL, COUNTS, Grid, GridRow, grids
from explorer.cli.formats.sentences import about
from explorer.evaluation.metric_table import MetricTable

SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&^$])")


def escape(text: str) -> str:
    """Text that Markdown shows as it is, in a table's cell too. Figures need none: `0.5* [0.4, 0.6]` is not markup."""
    return SPECIAL.sub(r"\\\1", text)


def render(table: MetricTable) -> str:
    """The table as Markdown."""
    blocks = ["\n".join(f"- {escape(sentence)}" for sentence in about(table))]
    for grid in grids(table, [ALL], long_figure):
        blocks += [f"## {escape(grid.title)}", _table(grid), *(escape(note) for note in grid.notes)]
    return "\n\n".join(blocks) + "\n"


def _table(grid: Grid) -> str:
    rows = [grid.header, *((_name(row), *row.cells[1:]) for row in grid.rows)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|---|" + "--:|" * len(COUNTS) + "---|" * (len(grid.header) - len(COUNTS) - 1))
    return "\n".join(lines)


def _name(row: GridRow) -> str:
    return "\N{NO-BREAK SPACE}" * (2 * row.indent) + escape(row.cells[0])

"""Tables in GitHub's Markdown."""

from __future__ import annotations

from explorer.cli.formats.grid import ALL, COUNTS, Grid, GridRow, grids, long_figure
from explorer.cli.formats.sentences import about
from explorer.core.markup import markdown as escape
from explorer.evaluation.metric_table import MetricTable


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

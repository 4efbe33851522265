"""Aligned text, 100 columns wide where names allow it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from explorer.cli.formats.grid import BLOCKS, COUNTS, Grid, grids, short_figure, shortest_figure
from explorer.cli.formats.sentences import about
from explorer.evaluation.metric_table import MetricTable

WIDTH = 100


def render(table: MetricTable) -> str:
    """The table as text."""
    paragraphs = [line for sentence in about(table) for line in textwrap.wrap(sentence, WIDTH)]
    for grid, narrow in zip(grids(table, BLOCKS, short_figure), grids(table, BLOCKS, shortest_figure), strict=True):
        lines = list(_lines(grid))
        paragraphs += ["", *(lines if max(map(len, lines)) <= WIDTH else _lines(narrow))]
    return "\n".join(paragraphs) + "\n"


def _lines(grid: Grid) -> Iterator[str]:
    yield grid.title
    rows = [grid.header, *((" " * row.indent + row.cells[0], *row.cells[1:]) for row in grid.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for place, row in enumerate(rows):
        name, counts, figures = row[0], row[1 : len(COUNTS) + 1], row[len(COUNTS) + 1 :]
        cells = [name.ljust(widths[0]), *(each.rjust(width) for each, width in zip(counts, widths[1:], strict=False))]
        cells += [each.ljust(width) for each, width in zip(figures, widths[len(COUNTS) + 1 :], strict=True)]
        yield " ".join(cells).rstrip()
        if place == 0:
            yield "-" * min(WIDTH, sum(widths) + len(widths) - 1)
    for note in grid.notes:
        yield from textwrap.wrap(note, WIDTH, subsequent_indent="  ")

"""Aligned text, 100 columns wide where names allow it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from explorer.cli.formats.grid import BLOCKS, COUNTS, Grid, grids
from explorer.cli.formats.sentences import about
from explorer.core.rates import share_texts
from explorer.evaluation.lines import MetricEstimate
from explorer.evaluation.metric_table import MetricTable

WIDTH = 100


def render(table: MetricTable) -> str:
    """The table as text."""
    paragraphs = [line for sentence in about(table) for line in textwrap.wrap(sentence, WIDTH)]
    for grid in grids(table, BLOCKS, _figure):
        paragraphs += ["", *_lines(grid)]
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


def _figure(estimate: MetricEstimate, mark: str) -> str:
    """`.585 [.540-.621]`; the mark takes the place of the space, so that columns stay narrow."""
    known = (each for each in (estimate.value, estimate.low, estimate.high) if each is not None)
    figure, *ends = map(_short, share_texts(*known, digits=3))
    interval = "-".join(ends) or "no interval"
    return f"{figure}{mark or ' '}[{interval}]"


def _short(text: str) -> str:
    """A number from 0 to 1 without the zero before its decimals; 1 has one less instead."""
    return text[1:] if text.startswith("0") else text[:-1]

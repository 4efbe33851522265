"""Formats a table of texts for people: aligned, Markdown, LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from explorer.core.figures import MINUS
from explorer.core.markup import latex, markdown

LATEX_NEEDS = r"% Needs \usepackage{booktabs} and, where a name has \textquotedbl, \usepackage[T1]{fontenc}."


@dataclass(frozen=True, slots=True)
class TextGrid:
    """Rows of texts under a header, with a title.

    The first column is left-aligned, the next `counts` are right-aligned, the others left-aligned. `indented` are the
    indices of rows that belong to a row above them. `notes` explain marks in the cells. `gap` is the number of blanks
    between columns of aligned text.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    counts: int = 0
    indented: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()
    gap: int = 2


def aligned(grid: TextGrid) -> Iterator[str]:
    """Yield lines with aligned columns and a rule below the header."""
    rows = [grid.header, *_escaped_rows(grid, " ", str)]
    lines = in_columns(rows, grid.counts, grid.gap)
    yield next(lines)
    yield "-" * (sum(_widths(rows)) + grid.gap * (len(grid.header) - 1))
    yield from lines


def in_columns(rows: Sequence[Sequence[str]], counts: int = 0, gap: int = 2) -> Iterator[str]:
    """Yield each row as a line with aligned columns; `counts` and `gap` are as in a TextGrid."""
    widths = _widths(rows)
    sides = [str.ljust, *[str.rjust] * counts, *[str.ljust] * len(widths)]
    for row in rows:
        cells = (put(cell, width) for cell, width, put in zip(row, widths, sides, strict=False))
        yield (" " * gap).join(cells).rstrip()


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def markdown_table(grid: TextGrid) -> str:
    """Return the table in Markdown, without its title and notes."""
    sides = ["---", *["--:"] * grid.counts, *["---"] * (len(grid.header) - grid.counts - 1)]
    lines = [map(_cell, grid.header), sides, *_escaped_rows(grid, "\N{NO-BREAK SPACE}" * 2, _cell)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """Escape a cell unless it is a figure: `0.5 [0.4\N{EN DASH}0.6]` is not markup."""
    return text if text[:1] in f"+{MINUS}<>0123456789" else markdown(text)


def latex_float(grid: TextGrid) -> list[str]:
    """Return the lines of a LaTeX float, which needs the packages in `LATEX_NEEDS`."""
    columns = "l" + "r" * grid.counts + "l" * (len(grid.header) - grid.counts - 1)
    return [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex(grid.title)}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(map(latex, grid.header)) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in _escaped_rows(grid, r"\quad ", latex)),
        r"\bottomrule",
        r"\end{tabular}",
        *(rf"\par\footnotesize {latex(note)}" for note in grid.notes),
        r"\end{table}",
    ]


def _escaped_rows(grid: TextGrid, indent: str, escape: Callable[[str], str]) -> Iterator[list[str]]:
    """Yield the rows in a markup, with `indent` before indented names."""
    for place, row in enumerate(grid.rows):
        name, *cells = map(escape, row)
        yield [indent * (place in grid.indented) + name, *cells]

"""A table of texts as people read it: aligned, Markdown, LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from explorer.core.figures import MINUS
from explorer.core.markup import latex, markdown

LATEX_NEEDS = r"% Needs \usepackage{booktabs} and, where a name has \textquotedbl, \usepackage[T1]{fontenc}."


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of texts under their header, with a title.

    The first column is left; the next `counts` are counts, which stand at the right; the others are left. `indented`
    are the places of rows that are members of a row above them. `notes` say what marks in the cells mean. `gap` is how
    many blanks part the columns of aligned text.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    counts: int = 0
    indented: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()
    gap: int = 2


def aligned(grid: Grid) -> Iterator[str]:
    """Lines of columns as wide as their widest text, a rule below the header."""
    rows = [grid.header, *_named(grid, " ", str)]
    lines = in_columns(rows, grid.counts, grid.gap)
    yield next(lines)
    yield "-" * (sum(_widths(rows)) + grid.gap * (len(grid.header) - 1))
    yield from lines


def in_columns(rows: Sequence[Sequence[str]], counts: int = 0, gap: int = 2) -> Iterator[str]:
    """Each row as a line of columns as wide as their widest text; `counts` and `gap` as a Grid has them."""
    widths = _widths(rows)
    sides = [str.ljust, *[str.rjust] * counts, *[str.ljust] * len(widths)]
    for row in rows:
        cells = (put(cell, width) for cell, width, put in zip(row, widths, sides, strict=False))
        yield (" " * gap).join(cells).rstrip()


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def markdown_table(grid: Grid) -> str:
    """The table in Markdown, without its title and its notes."""
    sides = ["---", *["--:"] * grid.counts, *["---"] * (len(grid.header) - grid.counts - 1)]
    lines = [map(_cell, grid.header), sides, *_named(grid, "\N{NO-BREAK SPACE}" * 2, _cell)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """Figures need no escapes: `0.5 [0.4\N{EN DASH}0.6]` is not markup."""
    return text if text[:1] in f"+{MINUS}<>0123456789" else markdown(text)


def latex_float(grid: Grid) -> list[str]:
    """The lines of a LaTeX float; it needs what `LATEX_NEEDS` says."""
    columns = "l" + "r" * grid.counts + "l" * (len(grid.header) - grid.counts - 1)
    return [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex(grid.title)}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(map(latex, grid.header)) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in _named(grid, r"\quad ", latex)),
        r"\bottomrule",
        r"\end{tabular}",
        *(rf"\par\footnotesize {latex(note)}" for note in grid.notes),
        r"\end{table}",
    ]


def _named(grid: Grid, indent: str, written: Callable[[str], str]) -> Iterator[list[str]]:
    """The rows in a markup, `indent` before the names of those that are indented."""
    for place, row in enumerate(grid.rows):
        name, *cells = map(written, row)
        yield [indent * (place in grid.indented) + name, *cells]

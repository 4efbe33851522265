"""A table of texts as people read it: aligned, Markdown, LaTeX."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.core.figures import MINUS
from explorer.core.markup import latex, markdown

LATEX_NEEDS = r"% Needs \usepackage{booktabs} and, where a name has \textquotedbl, \usepackage[T1]{fontenc}."


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of texts under their header, with a title."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def aligned(grid: Grid) -> Iterator[str]:
    """Lines of columns as wide as their widest text, a rule below the header."""
    rows = [grid.header, *grid.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for place, row in enumerate(rows):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        if place == 0:
            yield "-" * (sum(widths) + 2 * len(widths) - 2)


def markdown_table(grid: Grid) -> str:
    """The table in Markdown, without its title."""
    lines = [list(map(_cell, grid.header)), ["---"] * len(grid.header), *(list(map(_cell, row)) for row in grid.rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """Figures need no escapes: `0.5 [0.4\N{EN DASH}0.6]` is not markup."""
    return text if text[:1] in f"+{MINUS}<>0123456789" else markdown(text)


def latex_float(grid: Grid) -> list[str]:
    """The lines of a LaTeX float; it needs what `LATEX_NEEDS` says."""
    return [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex(grid.title)}}}",
        rf"\begin{{tabular}}{{{'l' * len(grid.header)}}}",
        r"\toprule",
        " & ".join(map(latex, grid.header)) + r" \\",
        r"\midrule",
        *(" & ".join(map(latex, row)) + r" \\" for row in grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]

"""Tables in LaTeX."""

from __future__ import annotations

from explorer.cli.formats.grid import BLOCKS, COUNTS, Grid, grids, long_figure
from explorer.cli.formats.sentences import about
from explorer.core.markup import latex as escape
from explorer.evaluation.metric_table import MetricTable


def render(table: MetricTable) -> str:
    """The table as LaTeX, one float for each center and block of metrics."""
    lines = [r"% Needs \usepackage{booktabs} and, where a name has \textquotedbl, \usepackage[T1]{fontenc}."]
    lines += [f"% {sentence}" for sentence in about(table)]
    for grid in grids(table, BLOCKS, long_figure):
        lines += ["", *_float(grid)]
    return "\n".join(lines) + "\n"


def _float(grid: Grid) -> list[str]:
    columns = "l" + "r" * len(COUNTS) + "l" * (len(grid.header) - len(COUNTS) - 1)
    rows = [
        ((r"\quad " if row.indent else "") + escape(row.cells[0]), *map(escape, row.cells[1:])) for row in grid.rows
    ]
    return [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape(grid.title)}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(map(escape, grid.header)) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        *(rf"\par\footnotesize {escape(note)}" for note in grid.notes),
        r"\end{table}",
    ]

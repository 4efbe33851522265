"""The leaderboard for people: aligned text, Markdown and LaTeX."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.analysis.board_parts import Part
from explorer.analysis.board_report import MEANS, BoardReport, notes, title
from explorer.analysis.joint_metrics import Measure
from explorer.core.markup import latex, markdown
from explorer.core.visible_text import visible
from explorer.metrics.joint_means import JointMeans

BLOCKS: tuple[tuple[Measure, ...], ...] = (("AP", "AUROC", "ECE"), ("F1", "precision", "recall"))
WIDTH = 100  # of sentences; tables are as wide as their names and figures


@dataclass(frozen=True, slots=True)
class Grid:
    """Some metrics of one group of findings by model."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def as_text(report: BoardReport) -> str:
    """The board as aligned text."""
    lines = [title(report) + "."]
    for sentence in notes(report):
        lines += textwrap.wrap(sentence, WIDTH)
    for grid in grids(report):
        lines += ["", grid.title, *_aligned([grid.header, *grid.rows])]
    lines += ["", "best by finding (AP, ties broken by AUROC)", *_aligned([_WINNERS, *_winners(report)])]
    return "\n".join(map(visible, lines)) + "\n"


def as_markdown(report: BoardReport) -> str:
    """The board as Markdown."""
    blocks = [f"{markdown(title(report))}.", "\n".join(f"- {markdown(sentence)}" for sentence in notes(report))]
    for grid in grids(report):
        blocks += [f"## {markdown(grid.title)}", _markdown_table(grid.header, grid.rows)]
    blocks += ["## best by finding (AP, ties broken by AUROC)", _markdown_table(_WINNERS, _winners(report))]
    return "\n\n".join(blocks) + "\n"


def as_latex(report: BoardReport) -> str:
    """The board as LaTeX, one float for each group of findings and block of metrics."""
    lines = [r"% Needs \usepackage{booktabs} and, where a name has \textquotedbl, \usepackage[T1]{fontenc}."]
    lines += [f"% {sentence}" for sentence in (f"{title(report)}.", *notes(report))]
    for grid in grids(report):
        lines += ["", *_float(grid)]
    lines += ["", *_float(Grid("best by finding (AP, ties broken by AUROC)", _WINNERS, tuple(_winners(report))))]
    return "\n".join(lines) + "\n"


def grids(report: BoardReport) -> Iterator[Grid]:
    """Two grids for each part; the first has the difference of mAP to the reference, its p, and P(first)."""
    for place, part in enumerate(report.board.parts):
        for block in BLOCKS:
            yield _grid(report, place, part, block)


def _grid(report: BoardReport, place: int, part: Part, block: Sequence[Measure]) -> Grid:
    board = report.board
    columns = [[_figure(board.means[place, measure], model) for model in report.rows] for measure in block]
    header = ["model", *(MEANS[measure] for measure in block)]
    if "AP" in block and board.resamples and len(board.models) > 1:
        header += [f"mAP less {board.models[report.reference]}", "p", "P(first)"]
        columns += _differences(report, place)
    names = [board.models[model] for model in report.rows]
    rows = tuple(zip(names, *columns, strict=True))
    return Grid(_part_title(part, board.means[place, block[0]]), tuple(header), rows)


def _differences(report: BoardReport, place: int) -> list[list[str]]:
    less, order = report.board.against(place, "AP", report.reference), report.board.order(place, "AP")
    differences = [
        "reference" if model == report.reference else _signed(less.value[model], less.low[model], less.high[model])
        for model in report.rows
    ]
    p = ["" if less.adjusted[model] != less.adjusted[model] else f"{less.adjusted[model]:.3f}" for model in report.rows]
    return [differences, p, [_share(order.first[model]) for model in report.rows]]


def _part_title(part: Part, means: JointMeans) -> str:
    name = part.name if part.center is None else f"{part.name} at {part.center}"
    counted, members = len(means.counted), len(part.members)
    findings = f"{members} findings" if counted == members else f"{counted} of {members} findings"
    return f"{name}: {findings}, {part.films:,} films, fewest positives {part.fewest:,}"


def _figure(means: JointMeans, model: int) -> str:
    value, reach = means.point[model], means.interval(model)
    if value != value:
        return "undefined"
    return f"{value:.3f}" if reach is None else f"{value:.3f} [{reach[0]:.3f}, {reach[1]:.3f}]"


def _signed(value: float, low: float, high: float) -> str:
    if value != value:
        return "undefined"
    return f"{value:+.3f}" if low != low else f"{value:+.3f} [{low:+.3f}, {high:+.3f}]"


def _share(value: float) -> str:
    return "" if value != value else f"{value:.2f}"


_WINNERS = ("finding", "group", "n+", "best model", "AP", "P(first)")


def _winners(report: BoardReport) -> Iterator[tuple[str, ...]]:
    for each in report.board.winners:
        best = ", ".join(report.board.models[place] for place in each.models) or "undefined"
        value = "" if each.value is None else f"{each.value:.3f}"
        share = "" if each.share is None else f"{each.share:.2f}"
        yield (each.finding, each.group or "", f"{each.positives:,}", best, value, share)


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for place, row in enumerate(rows):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        if place == 0:
            yield "-" * (sum(widths) + 2 * len(widths) - 2)


def _markdown_table(header: Sequence[str], rows: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]]) -> str:
    lines = [list(map(_cell, header)), ["---"] * len(header), *(list(map(_cell, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """Figures need no escapes: `0.5 [0.4, 0.6]` is not markup."""
    return text if text[:1] in "+-0123456789" else markdown(text)


def _float(grid: Grid) -> list[str]:
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

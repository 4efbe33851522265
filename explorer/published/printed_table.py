"""A table as a paper prints it: named rows and columns, and a cell for each figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from explorer.core.figures import figure_text, fixed, interval_text, share_text, share_texts

Unit = Literal["share", "percent", "count"]
# What a model of one's own is compared by: a metric by finding, means by metric or frequency group, or the labels.
OwnColumn = Literal["AP", "AUROC", "means", "group means", "positive labels"]

NOT_PRINTED = ""
PERCENT_DECIMALS = 2


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """A printed figure; `low` and `high` are its 95 % interval, `n` its count; None if not printed."""

    value: float
    low: float | None = None
    high: float | None = None
    n: int | None = None


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table with where it stands (`paper`, `source`) and what it was measured on (`films`).

    `corner` names what a row is. `cells` are by row and column; a missing one is not printed or cannot be read for
    sure. `task` tells the findings that means refer to, "seen" or "unseen". `own` says what a column for another model
    would hold; None if no model can have one.
    """

    name: str
    title: str
    paper: str
    source: str
    films: str
    corner: str
    unit: Unit
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], PrintedCell]
    own: OwnColumn | None = None
    task: Literal["seen", "unseen"] | None = None
    notes: tuple[str, ...] = ()


def in_order(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names without repeats, in order of first appearance."""
    return tuple(dict.fromkeys(names))


def value_text(cell: PrintedCell | None, unit: Unit) -> str:
    """Return the figure without its interval: `0.585`, `8.86 %`, `49`; empty if there is none."""
    if cell is None:
        return NOT_PRINTED
    if unit == "percent":
        return f"{fixed(cell.value, PERCENT_DECIMALS)} %"
    return f"{round(cell.value):,}" if unit == "count" else share_text(cell.value, 3)


def beside_text(cell: PrintedCell | None) -> str:
    """Return what belongs beside the figure: its interval, or the count it refers to; empty if neither is printed."""
    if cell is None:
        return NOT_PRINTED
    if cell.low is not None and cell.high is not None:
        return interval_text(*share_texts(cell.value, cell.low, cell.high, digits=3)[1:])
    return "" if cell.n is None else f"n {cell.n:,}"


def cell_text(cell: PrintedCell | None, unit: Unit) -> str:
    """Return the figure with what belongs beside it: `0.585 [0.540\N{EN DASH}0.621]`, `8.86 %, n 16,627`."""
    if cell is not None and cell.low is not None and cell.high is not None:
        return figure_text(cell.value, cell.low, cell.high)
    return ", ".join(filter(None, (value_text(cell, unit), beside_text(cell))))

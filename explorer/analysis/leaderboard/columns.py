"""The columns of the leaderboard that compare models, each one entry: figures, words, names in files, order.

Page, text, Markdown, LaTeX, CSV and JSON all follow: a new column is one more entry of COLUMNS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

from explorer.analysis.leaderboard.joint_metrics import SMALL_IS_GOOD, Measure
from explorer.analysis.leaderboard.report import BoardReport
from explorer.core.arrays import or_none


class ComparedFigure(TypedDict):
    """A figure of a model; None what it does not have, is undefined, or still to come. `p_adjusted`: over the rows."""

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    p_adjusted: float | None


# How a figure is written: a difference has its sign, interval and adjusted p, a share has its decimals alone.
FigureUnit = Literal["difference", "share"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardColumn:
    """`key` is its word in an address, `title` its heading on the page with a `note` below, `printed` that in a text.

    `figures` are by model, in the board's order: None of the model that others are compared with. `best` is the figure
    that stands first when the column sorts: the largest, or what is good by the metric. `exported` are its columns in
    CSV and JSON, with the part of the figure that each has.
    """

    key: str
    unit: FigureUnit
    title: str  # {reference} stands for the name of the model that others are compared with
    printed: str  # {mean} for the metric
    note: str = ""
    best: Literal["largest", "good"] = "largest"
    figures: Callable[[BoardReport, int, Measure], list[ComparedFigure | None]]
    exported: Mapping[str, Literal["value", "low", "high", "p", "p_adjusted"]]

    def falls(self, measure: Measure) -> bool:
        """Whether the best figure is the largest."""
        return self.best == "largest" or measure not in SMALL_IS_GOOD


def _first(report: BoardReport, place: int, measure: Measure) -> list[ComparedFigure | None]:
    shares = report.board.order(place, measure).first
    return [{"value": or_none(each), "low": None, "high": None, "p": None, "p_adjusted": None} for each in shares]


def _differences(report: BoardReport, place: int, measure: Measure) -> list[ComparedFigure | None]:
    less = report.board.against(place, measure, report.reference)
    return [
        None
        if model == report.reference
        else {
            "value": or_none(less.value[model]),
            "low": or_none(less.low[model]),
            "high": or_none(less.high[model]),
            "p": or_none(less.p[model]),
            "p_adjusted": or_none(less.adjusted[model]),
        }
        for model in range(len(report.board.models))
    ]


DIFFERENCE = BoardColumn(
    key="difference",
    unit="difference",
    title="difference to {reference}",
    printed="{mean} less {reference}",
    note="p adjusted",
    best="good",
    figures=_differences,
    exported={
        "difference": "value",
        "difference_low": "low",
        "difference_high": "high",
        "p": "p",
        "p_adjusted": "p_adjusted",
    },
)
FIRST = BoardColumn(
    key="first", unit="share", title="P(first)", printed="P(first)", figures=_first, exported={"p_first": "value"}
)
COLUMNS = (DIFFERENCE, FIRST)  # in the order of files; the page has them the other way round


def exported_cells(column: BoardColumn, figure: ComparedFigure | None) -> Iterator[tuple[str, float | None]]:
    """The names and values that files have of a figure."""
    for name, part in column.exported.items():
        yield name, None if figure is None else figure[part]

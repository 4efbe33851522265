"""Defines the leaderboard's comparison columns: figures, headings, file columns and sort order.

Page, text, Markdown, LaTeX, CSV and JSON are all derived from these entries: a new column needs just one more entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

from explorer.analysis.leaderboard.joint_metrics import LOWER_IS_BETTER, BoardMeasure
from explorer.analysis.leaderboard.report import BoardReport
from explorer.core.arrays import or_none


class BoardFigure(TypedDict):
    """A model's figure; None if inapplicable, undefined or not yet computed. `p_adjusted` is adjusted over the rows."""

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    p_adjusted: float | None


# A difference is written with sign, interval and adjusted p; a share as a plain decimal.
FigureUnit = Literal["difference", "share"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardColumn:
    """A column's headings, figures and file columns.

    `key` names it in an address; `title` is its heading on the page, above `note`; `printed` its heading in text.
    `figures` returns one figure per model, None for the reference. `best` says which figure sorts first: the largest,
    or the better one by the metric. `exported` maps columns in CSV and JSON to the part of the figure they hold.
    """

    key: str
    unit: FigureUnit
    title: str  # {reference} is replaced by the reference model's name
    printed: str  # {mean} is replaced by the metric
    note: str = ""
    best: Literal["largest", "good"] = "largest"
    figures: Callable[[BoardReport, int, BoardMeasure], list[BoardFigure | None]]
    exported: Mapping[str, Literal["value", "low", "high", "p", "p_adjusted"]]

    def falls(self, measure: BoardMeasure) -> bool:
        """Return whether the best figure is the largest."""
        return self.best == "largest" or measure not in LOWER_IS_BETTER


def _first(report: BoardReport, place: int, measure: BoardMeasure) -> list[BoardFigure | None]:
    shares = report.board.order(place, measure).first
    return [{"value": or_none(each), "low": None, "high": None, "p": None, "p_adjusted": None} for each in shares]


def _differences(report: BoardReport, place: int, measure: BoardMeasure) -> list[BoardFigure | None]:
    difference = report.board.against(place, measure, report.reference)
    return [
        None
        if model == report.reference
        else {
            "value": or_none(difference.value[model]),
            "low": or_none(difference.low[model]),
            "high": or_none(difference.high[model]),
            "p": or_none(difference.p[model]),
            "p_adjusted": or_none(difference.adjusted[model]),
        }
        for model in range(len(report.board.models))
    ]


DIFFERENCE_COLUMN = BoardColumn(
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
FIRST_COLUMN = BoardColumn(
    key="first", unit="share", title="P(first)", printed="P(first)", figures=_first, exported={"p_first": "value"}
)
BOARD_COLUMNS = (DIFFERENCE_COLUMN, FIRST_COLUMN)  # in file order; the page shows them reversed


def exported_cells(column: BoardColumn, figure: BoardFigure | None) -> Iterator[tuple[str, float | None]]:
    """Yield a figure's column names and values for files."""
    for name, part in column.exported.items():
        yield name, None if figure is None else figure[part]

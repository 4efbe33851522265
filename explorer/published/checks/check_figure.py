"""What a figure of a calculation shows, apart from how it is drawn, and its cells as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from explorer.core.figures import difference_text, figure_text, fixed, share_text, signed
from explorer.core.text_grid import TextGrid

Scale = Literal["share", "difference"]  # differences are printed with their sign
NO_POINT = ""


@dataclass(frozen=True, slots=True)
class FigurePoint:
    """A value; `low` and `high` are its 95 % interval or bounds. With `high` alone, 95 % of values stay below it."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class FigureSeries:
    """Points of one kind, in the order of a chart's rows or places; None where there is no figure."""

    name: str
    points: tuple[FigurePoint | None, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across a chart at a value of its axis, with its words."""

    value: float
    words: str


@dataclass(frozen=True, slots=True)
class SeriesChart:
    """Series with a point at each place. `corner` says what a place is, `axis` what the values are."""

    corner: str
    places: tuple[str, ...] | tuple[int, ...]
    series: tuple[FigureSeries, ...]
    axis: str
    scale: Scale = "share"
    marks: tuple[Mark, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the places as text."""
        return tuple(f"{each}" for each in self.places)


class RowsChart(SeriesChart):
    """A row for each place, with a point of each series: dots, paired dots, intervals."""

    __slots__ = ()


class LinesChart(SeriesChart):
    """A line for each series over places: names, or numbers on a logarithmic axis; intervals are bands."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """A point with what it is."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ScatterSeries:
    """Points of one kind."""

    name: str
    points: tuple[ScatterPoint, ...]


@dataclass(frozen=True, slots=True)
class ScatterChart:
    """Two figures of each thing against each other, and a straight line, y = intercept + slope x, with its words.

    `named`: names stand beside the points.
    """

    corner: str
    x_axis: str
    y_axis: str
    series: tuple[ScatterSeries, ...]
    slope: float
    intercept: float
    line: str
    named: bool


Chart = RowsChart | LinesChart | ScatterChart


@dataclass(frozen=True, slots=True)
class CheckFigure:
    """A chart with its title, what it `says` with the main number, and the printed `tables` behind it.

    `name` is for files. `cells` are the figures drawn, as a table. `under` is the title of the calculation's table that
    the figure stands below; it stands above all if empty.
    """

    name: str
    title: str
    says: str
    chart: Chart
    tables: tuple[str, ...]
    cells: TextGrid = field(default_factory=lambda: TextGrid("", (), ()))
    under: str = ""

    def grid(self) -> TextGrid:
        """Return the table of the cells: the calculation's own if it has one, else one made from the chart."""
        return self.cells if self.cells.header else _grid(self.title, self.chart)


def point_text(point: FigurePoint | None, scale: Scale) -> str:
    """Return a point with its interval: `0.585 [0.540\N{EN DASH}0.621]`, `+0.017, 95 % below +0.034`; empty if none."""
    if point is None:
        return NO_POINT
    if point.low is None or point.high is None:
        value = signed(point.value) if scale == "difference" else share_text(point.value, 3)
        return value if point.high is None else f"{value}, 95 % below {signed(point.high)}"
    text = difference_text if scale == "difference" else figure_text
    return text(point.value, point.low, point.high)


def _grid(title: str, chart: Chart) -> TextGrid:
    if isinstance(chart, ScatterChart):
        rows = tuple(
            (each.name, fixed(each.x, 3), fixed(each.y, 3)) for series in chart.series for each in series.points
        )
        return TextGrid(title, (chart.corner, chart.x_axis, chart.y_axis), rows)
    return TextGrid(title, (chart.corner, *(each.name for each in chart.series)), tuple(_rows(chart)))


def _rows(chart: SeriesChart) -> Iterator[tuple[str, ...]]:
    for place, name in enumerate(chart.names):
        yield name, *(point_text(series.points[place], chart.scale) for series in chart.series)

"""Draws the figures of calculations from printed tables: rows of points, lines, and scatter plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explorer.core.figures import fixed
from explorer.published.checks.check_figure import (
    Chart,
    FigurePoint,
    FigureSeries,
    LinesChart,
    Mark,
    RowsChart,
    ScatterChart,
    ScatterPoint,
    SeriesChart,
    point_text,
)
from explorer.ui.shared.chart_look import (
    EXTRA_MODEL_COLOR,
    MODEL_COLORS,
    SMALL_FONT,
    Plotly,
    axis,
    chart_text,
    error_bars,
    layout,
)
from explorer.ui.shared.row_chart import MARK_PX, NARROW_PX, ROW_PX, legend_layout, named_rows, top_px
from explorer.ui.shared.theme import MUTED, PAGE, TEXT

HEIGHT = 360  # px
OFFSET = 0.18  # of a row: two points with intervals stand apart
INTERVAL_ROW_PX = 28  # of a row of two such points
BAND_ALPHA = "26"  # a color's last two hexadecimal digits
MARK_PLACES = (0.01, 0.45)  # of the width: words of neighboring lines stand apart
NAME_WIDTH, NAME_HEIGHT = 0.06, 0.1  # of the points' extent: room for a name beside a point
_TICKS = {"share": ".2~f", "difference": "+.2~f"}
_MARK_LINE = {"color": MUTED, "dash": "dot", "width": 1}


def check_chart(chart: Chart) -> Plotly:
    """Return data and layouts for `Plotly.react`; `narrow` is the layout for small windows."""
    if isinstance(chart, RowsChart):
        return _rows(chart)
    return _lines(chart) if isinstance(chart, LinesChart) else _scatter(chart)


def _rows(chart: RowsChart) -> Plotly:
    intervals = any(point and point.low is not None for series in chart.series for point in series.points)
    paired = len(chart.series) == 2
    shifts = (OFFSET, -OFFSET) if paired and intervals else (0.0,) * len(chart.series)
    looks = ("circle-open", "circle") if paired else ("circle",) * len(chart.series)
    traces = [_joints(chart)] if paired and not intervals else []
    for place, series in enumerate(chart.series):
        color = MODEL_COLORS[place]
        values, low, high = _parts(series.points)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": chart_text(series.name),
                "x": values,
                "y": [shifts[place] - line for line in range(len(chart.places))],
                "marker": {"symbol": looks[place], "color": color, "size": 10 if looks[place] != "circle" else 7},
                "error_x": error_bars(values, low, high, color),
                "hovertext": _hovers(series, chart),
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        )
    return named_rows(
        traces,
        chart.names,
        axis(chart.axis, tickformat=_TICKS[chart.scale]),
        [*_values(chart), *(mark.value for mark in chart.marks)],
        legend=[each.name for each in chart.series] if paired else (),
        marks=bool(chart.marks),
        row_px=INTERVAL_ROW_PX if paired and intervals else ROW_PX,
        shapes=[_line(mark.value, mark.value, "x") for mark in chart.marks],
        annotations=[*_mark_words(chart)],
    )


def _values(chart: RowsChart) -> Iterator[float]:
    """Yield all values and ends of intervals."""
    for series in chart.series:
        for part in _parts(series.points):
            yield from (value for value in part if value is not None)


def _joints(chart: RowsChart) -> Plotly:
    """Return thin lines between the two points of each row."""
    one, other = (_parts(series.points)[0] for series in chart.series)
    rows = range(len(chart.places))
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [value for row in rows for value in (one[row], other[row], None)],
        "y": [value for row in rows for value in (-row, -row, None)],
        "line": {"color": MUTED, "width": 1},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _mark_words(chart: RowsChart) -> Iterator[Plotly]:
    """Yield the words above the lines, on the side with more room; those of two lines stand outside both."""
    values = [*_values(chart)]
    middle = (min(values) + max(values)) / 2
    for place, mark in enumerate(chart.marks):
        right = mark.value < middle if len(chart.marks) == 1 else place > 0
        sides = {"x": mark.value, "xanchor": "left" if right else "right", "y": 1, "yref": "paper", "yanchor": "bottom"}
        yield {"text": chart_text(mark.words), "showarrow": False, "font": SMALL_FONT, **sides}


def _line(start: float, end: float, along: str) -> Plotly:
    """Return a dotted line across the chart at a value of one axis."""
    across = "y" if along == "x" else "x"
    ends = {f"{along}0": start, f"{along}1": end, f"{across}0": 0, f"{across}1": 1, f"{across}ref": "paper"}
    return {"type": "line", **ends, "line": _MARK_LINE}


def _lines(chart: LinesChart) -> Plotly:
    traces: list[Plotly] = []
    for place, series in enumerate(chart.series):
        color = MODEL_COLORS[place]
        traces += [*_bands(chart, series, color), _curve(chart, series, color)]
    numbers = [each for each in chart.places if isinstance(each, int)]
    log = {"type": "log", "tickvals": numbers, "ticktext": [f"{each:,}" for each in numbers]}
    names = [each.name for each in chart.series]
    return _figure(
        traces,
        names,
        xaxis=axis(chart.corner, **(log if numbers else {"type": "category"})),
        yaxis=axis(chart.axis, tickformat=_TICKS[chart.scale]),
        shapes=[_line(mark.value, mark.value, "y") for mark in chart.marks],
        annotations=[*_beside_lines(chart.marks)],
    )


def _curve(chart: LinesChart, series: FigureSeries, color: str) -> Plotly:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": chart_text(series.name),
        "x": [*chart.places],
        "y": _parts(series.points)[0],
        "line": {"color": color, "width": 2},
        "marker": {"color": color, "size": 7},
        "hovertext": _hovers(series, chart),
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _bands(chart: LinesChart, series: FigureSeries, color: str) -> Iterator[Plotly]:
    """Yield the area up to the upper ends, from the lower ones or, without these, from the line."""
    known = [
        (x, point) for x, point in zip(chart.places, series.points, strict=True) if point and point.high is not None
    ]
    if not known:
        return
    below = [point.value if point.low is None else point.low for _, point in known]
    yield {
        "type": "scatter",
        "mode": "lines",
        "x": [x for x, _ in known] + [x for x, _ in reversed(known)],
        "y": [point.high for _, point in known] + below[::-1],
        "fill": "toself",
        "fillcolor": color + BAND_ALPHA,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _beside_lines(marks: Sequence[Mark]) -> Iterator[Plotly]:
    """Yield the words on each line, those of neighbors apart."""
    for place, mark in enumerate(sorted(marks, key=lambda each: each.value)):
        sides = {"x": MARK_PLACES[place % 2], "xref": "paper", "xanchor": "left", "y": mark.value, "yanchor": "bottom"}
        yield {"text": chart_text(mark.words), "showarrow": False, "bgcolor": PAGE, "font": SMALL_FONT, **sides}


def _scatter(chart: ScatterChart) -> Plotly:
    xs = [point.x for series in chart.series for point in series.points]
    traces: list[Plotly] = [_straight(chart, min(xs), max(xs))]
    for place, series in enumerate(chart.series):
        named = {
            "text": [chart_text(each.name) for each in series.points],
            "textposition": [_name_side(each, series.points) for each in series.points],
        }
        traces.append(
            {
                "type": "scatter",
                "mode": "markers+text" if chart.named else "markers",
                "name": chart_text(series.name),
                "x": [each.x for each in series.points],
                "y": [each.y for each in series.points],
                **(named if chart.named else {}),
                "textfont": {"color": TEXT},
                "cliponaxis": False,
                "marker": {"color": MODEL_COLORS[place], "size": 8 if chart.named else 5},
                "hovertext": [
                    f"<b>{chart_text(each.name)}</b><br>{chart.x_axis} {fixed(each.x, 3)}<br>"
                    f"{chart.y_axis} {fixed(each.y, 3)}"
                    for each in series.points
                ],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        )
    names = [chart.line, *(each.name for each in chart.series)]
    axes = {"xaxis": axis(chart.x_axis, tickformat=".2~f"), "yaxis": axis(chart.y_axis, tickformat=".2~f")}
    return _figure(traces, names, **axes)


def _name_side(point: ScatterPoint, points: Sequence[ScatterPoint]) -> str:
    """Return on which side of a point its name has room."""
    wide = max(each.x for each in points) - min(each.x for each in points)
    high = max(each.y for each in points) - min(each.y for each in points)
    crowded = any(
        0 < each.x - point.x < NAME_WIDTH * wide and abs(each.y - point.y) < NAME_HEIGHT * high for each in points
    )
    return "middle left" if crowded else "middle right"


def _straight(chart: ScatterChart, start: float, end: float) -> Plotly:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": chart_text(chart.line),
        "x": [start, end],
        "y": [chart.intercept + chart.slope * each for each in (start, end)],
        "line": {"color": EXTRA_MODEL_COLOR, "dash": "dot", "width": 2},
        "hoverinfo": "skip",
    }


def _figure(traces: list[Plotly], names: Sequence[str], **more: object) -> Plotly:
    """Return the figure with a legend along its top edge, for wide and narrow windows."""
    wide, narrow = (
        layout(
            height=HEIGHT,
            margin={"l": 58, "r": 28, "t": top_px(names, width) + MARK_PX // 2, "b": 48},
            **legend_layout(names),
            **more,
        )
        for width in (float("inf"), NARROW_PX)
    )
    return {"data": traces, "layout": wide, "narrow": narrow}


def _parts(points: Sequence[FigurePoint | None]) -> tuple[list[float | None], list[float | None], list[float | None]]:
    """Return values, lower and upper ends."""
    return (
        [None if each is None else each.value for each in points],
        [None if each is None else each.low for each in points],
        [None if each is None else each.high for each in points],
    )


def _hovers(series: FigureSeries, chart: SeriesChart) -> list[str]:
    return [
        f"<b>{chart_text(name)}</b><br>{chart_text(series.name)}<br>{point_text(point, chart.scale)}"
        for name, point in zip(chart.names, series.points, strict=True)
    ]

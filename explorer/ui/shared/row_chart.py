"""Layouts of charts with named rows and of charts with a legend, for wide and for narrow windows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer.ui.shared.chart_look import SMALL_FONT, Plotly, axis, chart_text, layout, tick_text

ROW_PX, NAME_PX = 20, 18  # a row; what its name adds where it stands above the points
NAME_ABOVE = 0.44  # of a narrow row: how far its name stands above its points
PADDING = 0.04  # of the span of values
BESIDE_PX, CHAR_PX = 14, 6.7  # between name and axis; a character of 12 px type, on average
NARROW_PX = 342  # inside a phone's window
LEGEND_LINE_PX, LEGEND_KEY_PX, MARK_PX, BELOW_PX = 22, 44, 18, 44


def named_rows(
    data: Sequence[Plotly],
    names: Sequence[str],
    xaxis: Plotly,
    span: Sequence[float],
    *,
    legend: Sequence[str] = (),
    marks: bool = False,
    row_px: int = ROW_PX,
    annotations: Sequence[Plotly] = (),
    **more: object,
) -> Plotly:
    """Return a figure with a row for each name, downwards at y = 0, -1, -2 ...

    `layout` has the names beside the rows; `narrow`, for small windows, has them above the rows. `legend` holds the
    names in the legend, `marks` leaves room above the rows for words, and `more` has plotly's own keys. `span` holds
    all values on the axis, so that both layouts have the same.
    """
    ticks = [tick_text(name) for name in names]
    left = BESIDE_PX + math.ceil(CHAR_PX * max(map(len, ticks), default=0))
    wide_top, narrow_top = (top_px(legend, width) + MARK_PX * marks for width in (math.inf, NARROW_PX))
    beside = axis(
        "",
        range=[0.5 - len(names), 0.5],
        tickvals=[-line for line in range(len(names))],
        ticktext=ticks,
    )
    above = axis("", range=[0.6 - len(names), 0.6], showticklabels=False, showgrid=False)
    shared = {"xaxis": {**xaxis, "range": _padded(span)}, **legend_layout(legend), **more}
    words = [_name_above(name, line) for line, name in enumerate(names)]
    return {
        "data": list(data),
        "layout": layout(
            height=wide_top + BELOW_PX + row_px * len(names),
            margin={"l": left, "r": 16, "t": wide_top, "b": BELOW_PX},
            yaxis=beside,
            annotations=list(annotations),
            **shared,
        ),
        "narrow": layout(
            height=narrow_top + BELOW_PX + (row_px + NAME_PX) * len(names),
            margin={"l": 8, "r": 16, "t": narrow_top, "b": BELOW_PX},
            yaxis=above,
            **{**shared, "annotations": [*annotations, *words]},
        ),
    }


def _name_above(name: str, line: int) -> Plotly:
    """Return a name above its row. As a label of the axis inside the plot, it would hide those of the other axis."""
    place = {"x": 0, "xref": "paper", "xanchor": "left", "y": NAME_ABOVE - line, "yanchor": "middle"}
    return {"text": chart_text(name), "showarrow": False, "font": SMALL_FONT, **place}


def _padded(values: Sequence[float]) -> list[float]:
    """Return the ends of an axis that shows all values with some room on both sides."""
    least, most = min(values, default=0.0), max(values, default=1.0)
    room = PADDING * ((most - least) or 1.0)
    return [least - room, most + room]


def top_px(legend: Sequence[str], width: float) -> int:
    """Return the margin above a chart of this width (px) whose legend has these names."""
    if not legend:
        return 8
    total = sum(LEGEND_KEY_PX + CHAR_PX * len(name) for name in legend)
    return 8 + LEGEND_LINE_PX * max(1, math.ceil(total / width))


def legend_layout(names: Sequence[str]) -> Plotly:
    """Return plotly's keys for a legend in lines along the top edge, or for none."""
    if not names:
        return {"showlegend": False}
    place = {"x": 0, "xanchor": "left", "y": 1, "yref": "container", "yanchor": "top"}
    return {"showlegend": True, "legend": {"orientation": "h", **place, "font": SMALL_FONT}}

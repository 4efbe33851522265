"""Lays out small charts in rows on one scale, each with its name above it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from explorer.ui.shared.chart_look import SMALL_FONT, Plotly, axis, chart_text, layout
from explorer.ui.shared.row_chart import legend_layout, top_px
from explorer.ui.shared.theme import MUTED

WIDE_COLUMNS, NARROW_COLUMNS = 5, 2
CELL_PX, GAP_PX = 92, 40  # a small chart, and the room for its name above it


def small_charts(
    traces: Sequence[Plotly],
    titles: Sequence[str],
    xaxis: Mapping[str, object],
    yaxis: Mapping[str, object],
    legend: Sequence[str] = (),
) -> Plotly:
    """Return a figure with layouts for wide and narrow windows. `traces` name their axes with `axis_number`."""
    wide, narrow = (_grid_layout(titles, xaxis, yaxis, legend, each) for each in (WIDE_COLUMNS, NARROW_COLUMNS))
    return {"data": list(traces), "layout": wide, "narrow": narrow}


def axis_number(place: int) -> str:
    """Return plotly's number of the axes of a small chart, empty for the first."""
    return "" if place == 0 else str(place + 1)


def _grid_layout(
    titles: Sequence[str],
    xaxis: Mapping[str, object],
    yaxis: Mapping[str, object],
    legend: Sequence[str],
    columns: int,
) -> Plotly:
    rows = math.ceil(len(titles) / columns)
    height = rows * (CELL_PX + GAP_PX)
    axes: Plotly = {}
    names = []
    for place, title in enumerate(titles):
        row, column = divmod(place, columns)
        x = [(column + 0.04) / columns, (column + 0.96) / columns]
        top = 1 - (row * (CELL_PX + GAP_PX) + GAP_PX * 0.5) / height
        y = [top - CELL_PX / height, top]
        number, last = axis_number(place), place + columns >= len(titles)
        axes[f"xaxis{number}"] = axis("", domain=x, anchor=f"y{number}", showticklabels=last, **xaxis)
        axes[f"yaxis{number}"] = axis(
            "",
            domain=y,
            anchor=f"x{number}",
            nticks=4,
            showticklabels=column == 0,
            zeroline=True,
            zerolinecolor=MUTED,
            zerolinewidth=1,
            **yaxis,
        )
        names.append(
            {
                "text": chart_text(title),
                "x": x[0],
                "xref": "paper",
                "xanchor": "left",
                "y": y[1],
                "yref": "paper",
                "yanchor": "bottom",
                "showarrow": False,
                "font": SMALL_FONT,
            }
        )
    above = top_px(legend, math.inf) if legend else 4
    margin = {"l": 52, "r": 12, "t": above, "b": 28}
    return layout(height=height + 28 + above, margin=margin, annotations=names, **legend_layout(legend), **axes)

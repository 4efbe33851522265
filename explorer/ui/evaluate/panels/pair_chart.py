"""Charts two models' differences by finding with 95 % intervals, most positives on top."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer.analysis.comparisons.finding_differences import FindingDifferences, PairMeasure
from explorer.core.arrays import or_none
from explorer.core.figures import difference_text
from explorer.ui.shared.chart_look import (
    EXTRA_MODEL_COLOR,
    MODEL_COLORS,
    Plotly,
    axis,
    chart_text,
    error_bars,
    tick_text,
)
from explorer.ui.shared.row_chart import named_rows
from explorer.ui.shared.theme import MUTED

BEYOND_CHANCE = 0.05  # adjusted p
_ZERO: Plotly = {
    "type": "line",
    "x0": 0,
    "x1": 0,
    "y0": 0,
    "y1": 1,
    "yref": "paper",
    "line": {"color": MUTED, "width": 1},
}


def pair_chart(found: FindingDifferences, measure: PairMeasure, order: Sequence[int]) -> Plotly:
    """Return data and layout for `Plotly.react`; differences beyond chance are colored by the leading model."""
    differences = found.differences[measure]
    values, low, high = (
        [or_none(each[place]) for place in order] for each in (differences.value, differences.low, differences.high)
    )
    rows = list(zip(order, values, low, high, strict=True))
    colors = [_color(float(differences.adjusted[place]), value) for place, value, _, _ in rows]
    trace: Plotly = {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": [-line for line in range(len(order))],
        "marker": {"color": colors, "size": 7},
        "error_x": error_bars(values, low, high, MUTED),
        "hovertext": [_hover(found, measure, place, *figure) for place, *figure in rows],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
    }
    reference, model = map(tick_text, found.models)
    ends = (each for part in (values, low, high) for each in part)
    return named_rows(
        [trace],
        [found.findings[place] for place in order],
        axis(f"{measure}: {model} less {reference}", tickformat="+.2f"),
        [0.0, *(each for each in ends if each is not None)],
        shapes=[_ZERO],
    )


def _color(adjusted: float, value: float | None) -> str:
    """Return the color of the model that leads, gray if the difference may be chance."""
    if value is None or not adjusted < BEYOND_CHANCE:
        return EXTRA_MODEL_COLOR
    return MODEL_COLORS[1 if value > 0 else 0]


def _hover(found: FindingDifferences, measure: PairMeasure, place: int, *ends: float | None) -> str:
    figure = difference_text(*(math.nan if each is None else each for each in ends))
    name = chart_text(found.findings[place])
    return f"<b>{name}</b><br>{measure} {figure}<br>n+ {found.positives[place]:,} of {found.known[place]:,}"

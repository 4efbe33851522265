"""Charts Six metrics at a glance: a radar for the profile, dots with intervals for differences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.analysis.leaderboard.six_metrics import OrientedMean
from explorer.core.arrays import or_none
from explorer.ui.evaluate.panels.model_colors import ColorPayload
from explorer.ui.shared.chart_look import (
    SMALL_FONT,
    OptionalValues,
    Plotly,
    axis,
    chart_text,
    error_bars,
    hover_figure,
    layout,
)
from explorer.ui.shared.theme import HAIRLINE, MUTED

HEIGHT = 460  # px
MODEL_SPREAD = 0.6  # share of a metric's height over which models are spread
_TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]


def glance_chart(metrics: Sequence[OrientedMean], models: Sequence[ColorPayload]) -> Plotly:
    """Return data and layout for `Plotly.react`; figures are in the order of `models`; only colored ones are drawn."""
    drawn = [place for place, model in enumerate(models) if not model["further"]]
    shifts = np.linspace(-MODEL_SPREAD / 2, MODEL_SPREAD / 2, len(drawn)) if len(drawn) > 1 else np.zeros(1)
    radars = [_radar(metrics, models[place], place) for place in drawn]
    dots = [_dots(metrics, models[place], place, float(shift)) for place, shift in zip(drawn, shifts, strict=True)]
    return {"data": [*radars, *dots], "layout": _layout(metrics)}


def _radar(metrics: Sequence[OrientedMean], model: ColorPayload, place: int) -> Plotly:
    names = [each.name for each in metrics]
    values = [or_none(each.value[place]) for each in metrics]
    return _of_model(metrics, model, place) | {
        "type": "scatterpolar",
        "mode": "lines+markers",
        "r": [*values, values[0]],
        "theta": [*names, names[0]],
        "line": {"color": model["color"], "width": 1.5},
        "marker": {"color": model["color"], "size": 4},
    }


def _dots(metrics: Sequence[OrientedMean], model: ColorPayload, place: int, shift: float) -> Plotly:
    values, low, high = (_of(metrics, part, place) for part in ("value", "low", "high"))
    return _of_model(metrics, model, place) | {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": [row + shift for row in range(len(metrics))],
        "marker": {"color": model["color"], "size": 6},
        "error_x": error_bars(values, low, high, model["color"]),
        "showlegend": False,
    }


def _of_model(metrics: Sequence[OrientedMean], model: ColorPayload, place: int) -> Plotly:
    name = chart_text(model["name"])
    texts = [_hover_text(each, name, place) for each in metrics]
    return {
        "name": name,
        "legendgroup": name,
        "hovertext": [*texts, texts[0]],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _of(metrics: Sequence[OrientedMean], part: str, place: int) -> OptionalValues:
    return [or_none(getattr(each, part)[place]) for each in metrics]


def _hover_text(metric: OrientedMean, name: str, place: int) -> str:
    ends = (or_none(each[place]) for each in (metric.value, metric.low, metric.high))
    return f"<b>{name}</b><br>{metric.name} {hover_figure(*ends)}"


def _layout(metrics: Sequence[OrientedMean]) -> Plotly:
    return layout(
        height=HEIGHT,
        margin={"l": 76, "r": 16, "t": 88, "b": 44},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.12, "yanchor": "bottom", "font": SMALL_FONT},
        polar={
            "domain": {"x": [0, 0.4], "y": [0, 1]},  # leaves room for the names of the corners
            "bgcolor": "rgba(0,0,0,0)",
            "radialaxis": axis(
                "", range=[0, 1], tickvals=_TICKS[1:], tickformat=".1f", angle=60, tickangle=60, tickfont=SMALL_FONT
            ),
            "angularaxis": {
                "rotation": 90,
                "direction": "clockwise",
                "gridcolor": HAIRLINE,
                "linecolor": HAIRLINE,
                "tickfont": {"color": MUTED},
            },
        },
        xaxis=axis("mean over the findings", domain=[0.6, 1], range=[0, 1.01], tickvals=_TICKS, tickformat=".1f"),
        yaxis=axis(
            "",
            range=[len(metrics) - 0.5, -0.5],  # first on top
            tickvals=list(range(len(metrics))),
            ticktext=[each.name for each in metrics],
            showgrid=False,
        ),
    )

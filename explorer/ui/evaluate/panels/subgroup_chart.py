"""Charts Subgroups: each model's difference between subgroup and other films, one row per subgroup."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from explorer.analysis.comparisons.subgroups import SubgroupComparison
from explorer.core.arrays import or_none
from explorer.core.figures import difference_text
from explorer.ui.evaluate.panels.model_colors import ColorPayload
from explorer.ui.shared.chart_look import SMALL_FONT, Plotly, axis, chart_text, error_bars, layout, tick_text
from explorer.ui.shared.theme import HAIRLINE, MUTED

MODEL_PX, ROW_PADDING_PX = 9, 22  # px per colored model, and around a subgroup's models
MODEL_SPREAD = 0.5  # share of a row's height over which colored models are spread
MAX_NAME_CHARS = 30  # characters of a name


def subgroup_chart(every: Sequence[SubgroupComparison], mean: str, models: Sequence[ColorPayload]) -> Plotly:
    """Return data and layout for `Plotly.react`, the first subgroup on top."""
    gray = [place for place, model in enumerate(models) if model["further"]]
    color = [place for place, model in enumerate(models) if not model["further"]]
    shifts = np.linspace(MODEL_SPREAD / 2, -MODEL_SPREAD / 2, len(color)) if len(color) > 1 else np.zeros(1)
    traces = [_model(every, mean, models[place], place, 0.0) for place in gray]
    traces += [
        _model(every, mean, models[place], place, float(shift)) for place, shift in zip(color, shifts, strict=True)
    ]
    return {"data": traces, "layout": _layout(every, mean, len(color))}


def _model(every: Sequence[SubgroupComparison], mean: str, model: ColorPayload, place: int, shift: float) -> Plotly:
    parts = [(each.difference.value, each.difference.low, each.difference.high) for each in every]
    values, low, high = ([or_none(part[end][place]) for part in parts] for end in range(3))
    name = chart_text(model["name"])
    trace: Plotly = {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": values,
        "y": [shift - line for line in range(len(every))],
        "marker": {"color": model["color"], "size": 4 if model["further"] else 6},
        "hovertext": [_hover(each, mean, name, *ends) for each, *ends in zip(every, values, low, high, strict=True)],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": not model["further"],
    }
    if not model["further"]:
        trace["error_x"] = error_bars(values, low, high, model["color"])
    return trace


def _hover(each: SubgroupComparison, mean: str, name: str, *ends: float | None) -> str:
    figure = difference_text(*(math.nan if each is None else each for each in ends))
    return f"<b>{name}</b><br>{mean} {figure}<br>{chart_text(_name(each))}: n {each.films:,} against {each.others:,}"


def _name(each: SubgroupComparison) -> str:
    name = f"{each.subgroup.by}: {each.subgroup.name}"
    return name if len(name) <= MAX_NAME_CHARS else f"{name[: MAX_NAME_CHARS - 1]}\u2026"


def _layout(every: Sequence[SubgroupComparison], mean: str, models: int) -> Plotly:
    lines = len(every)
    return layout(
        height=96 + lines * (ROW_PADDING_PX + MODEL_PX * models),
        margin={"l": 196, "r": 12, "t": 40, "b": 44},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "font": SMALL_FONT},
        xaxis=axis(f"{mean}: subgroup minus the other films", tickformat="+.2f"),
        yaxis=axis(
            "",
            range=[0.5 - lines, 0.5],
            tickvals=[-line for line in range(lines)],
            ticktext=[tick_text(_name(each)) for each in every],
            showgrid=False,
        ),
        shapes=[_across(0.5 - first) for first in _starts(every)[1:]]
        + [{"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper", "line": {"color": MUTED, "width": 1}}],
    )


def _starts(every: Sequence[SubgroupComparison]) -> list[int]:
    """Return the first row of each property that defines subgroups."""
    runs = [len(list(members)) for _, members in groupby(every, key=lambda each: each.subgroup.by)]
    return [sum(runs[:place]) for place in range(len(runs))]


def _across(y: float) -> Plotly:
    return {
        "type": "line",
        "x0": 0,
        "x1": 1,
        "xref": "paper",
        "y0": y,
        "y1": y,
        "line": {"color": HAIRLINE, "width": 1},
    }

"""Charts Head to tail: a line per model over the findings, with their positives below (CXR-LT 2026, Figure 1b)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from explorer.analysis.leaderboard.groups import NOT_GROUPED
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.means import FindingFigures
from explorer.core.arrays import or_none
from explorer.core.figures import ratio_text
from explorer.core.findings import TASKS, FrequencyGroup
from explorer.ui.evaluate.panels.model_colors import ColorPayload
from explorer.ui.shared.chart_look import (
    SMALL_FONT,
    Plotly,
    axis,
    chart_text,
    error_bars,
    hover_figure,
    layout,
    tick_text,
)
from explorer.ui.shared.theme import HAIRLINE, MUTED

HEIGHT = 600  # px
MODEL_SPREAD = 0.5  # share of a finding's width over which colored models are spread


@dataclass(frozen=True, slots=True)
class TailLine:
    """A finding with its labeled films and positives; the most frequent finding has `ratio` times as many."""

    finding: str
    group: FrequencyGroup | None
    films: int
    positives: int
    ratio: float | None

    @property
    def band(self) -> str:
        """The group heading."""
        return "unseen" if self.finding in TASKS["unseen"] else self.group or NOT_GROUPED


def tail_chart(
    lines: Sequence[TailLine], measure: BoardMeasure, models: Sequence[ColorPayload], figures: FindingFigures
) -> Plotly:
    """Return data and layout for `Plotly.react`; `figures` (models, findings) follow the order of models and lines."""
    positives: Plotly = {
        "type": "bar",
        "x": list(range(len(lines))),
        "y": [line.positives or None for line in lines],
        "yaxis": "y2",
        "marker": {"color": MUTED},
        "hovertext": [_hover_text(line) for line in lines],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
    }
    gray = [place for place, model in enumerate(models) if model["further"]]
    color = [place for place, model in enumerate(models) if not model["further"]]
    shifts = np.linspace(-MODEL_SPREAD / 2, MODEL_SPREAD / 2, len(color)) if len(color) > 1 else np.zeros(1)
    traces = [_model(lines, measure, models[place], figures, place, 0.0) for place in gray]
    traces += [
        _model(lines, measure, models[place], figures, place, float(each))
        for place, each in zip(color, shifts, strict=True)
    ]
    return {"data": [*traces, positives], "layout": _layout(lines, measure)}


def _model(
    lines: Sequence[TailLine],
    measure: BoardMeasure,
    model: ColorPayload,
    figures: FindingFigures,
    place: int,
    shift: float,
) -> Plotly:
    values, low, high = ([or_none(each) for each in part[place]] for part in (figures.point, figures.low, figures.high))
    name, drawn = chart_text(model["name"]), {"color": model["color"]}
    trace: Plotly = {
        "type": "scatter",
        "mode": "lines" if model["further"] else "lines+markers",
        "name": name,
        "x": [each + shift for each in range(len(lines))],
        "y": values,
        "line": drawn | {"width": 1},
        "hovertext": [
            _figure(line, measure, name, *ends) for line, *ends in zip(lines, values, low, high, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": not model["further"],
    }
    if not model["further"]:
        trace |= {
            "marker": {"color": model["color"], "size": 6},
            "error_y": error_bars(values, low, high, model["color"]),
        }
    return trace


def _figure(line: TailLine, measure: BoardMeasure, name: str, *ends: float | None) -> str:
    of_films = f"{chart_text(line.finding)}: n+ {line.positives:,} of {line.films:,}"
    return f"<b>{name}</b><br>{measure} {hover_figure(*ends)}<br>{of_films}"


def _hover_text(line: TailLine) -> str:
    ratio = "" if line.ratio is None else f"<br>imbalance {ratio_text(line.ratio)}"
    return f"<b>{chart_text(line.finding)}</b><br>n+ {line.positives:,} of {line.films:,}{ratio}"


def _layout(lines: Sequence[TailLine], measure: BoardMeasure) -> Plotly:
    bands = list(_bands(lines))
    return layout(
        height=HEIGHT,
        margin={"l": 52, "r": 12, "t": 56, "b": 176},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.06, "yanchor": "bottom", "font": SMALL_FONT},
        bargap=0.4,
        xaxis=axis(
            "",
            range=[-0.6, len(lines) - 0.4],
            tickvals=list(range(len(lines))),
            ticktext=[tick_text(line.finding) for line in lines],
            tickangle=-50,
            showgrid=False,
            anchor="y2",
        ),
        yaxis=axis(measure, range=[0, 1.02], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1], tickformat=".1f", domain=[0.3, 1]),
        yaxis2=axis("n+", type="log", domain=[0, 0.22], dtick=1, range=[0, _top(lines)]),
        shapes=[
            {
                "type": "line",
                "x0": first - 0.5,
                "x1": first - 0.5,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "line": {"color": HAIRLINE, "width": 1},
            }
            for _, first, _ in bands[1:]
        ],
        annotations=[
            {
                "text": chart_text(name),
                "x": (first + last) / 2,
                "y": 1.0,
                "yref": "paper",
                "yanchor": "bottom",
                "showarrow": False,
                "font": SMALL_FONT,
            }
            for name, first, last in bands
        ],
    )


def _top(lines: Sequence[TailLine]) -> float:
    """Return the upper end of the log axis, as a power of 10."""
    return max(1.0, math.log10(max(line.positives for line in lines) or 1))


def _bands(lines: Sequence[TailLine]) -> Iterator[tuple[str, int, int]]:
    """Yield each group of consecutive findings as (heading, first index, last index)."""
    start = 0
    for band, members in groupby(lines, key=lambda line: line.band):
        count = len(list(members))
        yield band, start, start + count - 1
        start += count

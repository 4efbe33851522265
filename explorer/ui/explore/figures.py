"""Figures of Explore, built with plotly in the page's look and drawn by its script."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from explorer.core.figures import figure_text, share_text, significant
from explorer.core.findings import FrequencyGroup
from explorer.ui.explore.label_places import LETTER_PX, LabeledPoint, label_positions
from explorer.ui.explore.label_places import TEXT_LINE_PX as TEXT_LINE
from explorer.ui.shared.chart_look import SMALL_FONT, Plotly, axis, chart_text, error_bars, layout
from explorer.ui.shared.panel_words import FEW_POSITIVES, OptionalInterval
from explorer.ui.shared.theme import ACCENT, MUTED, TEXT

CHANCE, CHANCE_POINTS = "chance", 40
MARGIN = {"l": 52, "r": 12, "b": 44}  # px
LINE_PX, LEGEND_ROW_PX, LEGEND_PADDING_PX = 17, 19, 10  # px: title line, legend row, plotly's padding around the legend
LEGEND_TEXT_PX, LEGEND_SYMBOL_PX = 62, 45  # px: text and symbol of a legend entry
# Head to tail: color and shape, brighter for rarer. None: the source has no group for the finding.
_MARKS: Mapping[FrequencyGroup | None, tuple[str, str]] = MappingProxyType(
    {
        FrequencyGroup.COMMON: ("#8b98a7", "circle"),
        FrequencyGroup.MEDIUM: ("#a5a2e8", "square"),
        FrequencyGroup.RARE: ("#f0e442", "diamond"),
        FrequencyGroup.VERY_RARE: ("#ff9ec4", "triangle-up"),
        FrequencyGroup.NORMAL: ("#d9e1ea", "cross"),
        None: ("#8b98a7", "x"),
    }
)


@dataclass(frozen=True, slots=True)
class PrevalencePoint:
    """A finding: its prevalence among labeled films, and its average precision."""

    finding: str
    word: str  # in addresses
    group: FrequencyGroup | None
    positives: int
    films: int  # with a known label
    value: float  # average precision
    interval: OptionalInterval

    @property
    def prevalence(self) -> float:
        """The chance level of average precision."""
        return self.positives / self.films


def prevalence_scatter(
    points: Sequence[PrevalencePoint], title: str, width: int, height: int, chosen: str | None
) -> Plotly:
    """Average precision against prevalence: data and layout for `Plotly.react`, `width` x `height` px.

    The finding `chosen` is highlighted. Each point needs a positive and a negative film.
    """
    import plotly.graph_objects as go  # takes 0.4 s and is needed only for this figure

    inner = width - MARGIN["l"] - MARGIN["r"]
    lines = textwrap.wrap(title, max(24, (width - 8) // 7))
    shown = [(group, [point for point in points if point.group is group]) for group in _MARKS]
    named = [(group, members) for group, members in shown if members]
    rows = math.ceil(len(named) / max(1, inner // (LEGEND_TEXT_PX + LEGEND_SYMBOL_PX)))
    legend = rows * LEGEND_ROW_PX + LEGEND_PADDING_PX
    top = len(lines) * LINE_PX + legend + 16
    frame = _Frame(_range([point.prevalence for point in points]), _top(points), (inner, height - top - MARGIN["b"]))
    labels = _labels(sorted(points, key=lambda point: (point.finding != chosen, -point.value)), frame)
    traces = [_chance(frame), *(_group(group, members, labels, chosen) for group, members in named)]
    layout = _layout(lines, (len(lines) - 1) * LINE_PX + legend + 4, frame, height) | {"margin": MARGIN | {"t": top}}
    figure: Plotly = go.Figure(data=traces, layout=layout).to_plotly_json()
    return figure


@dataclass(frozen=True, slots=True)
class _Frame:
    """The axes: powers of 10 across, average precision from 0 to `top`, and their size in px."""

    across: tuple[float, float]
    top: float
    size: tuple[int, int]

    def x(self, fraction: float) -> float:
        low, high = self.across
        return (math.log10(fraction) - low) / (high - low) * self.size[0]

    def y(self, value: float) -> float:
        return (1 - value / self.top) * self.size[1]


def _group(
    group: FrequencyGroup | None, members: list[PrevalencePoint], shown: Mapping[str, str], chosen: str | None
) -> Plotly:
    color, shape = _MARKS[group]
    marked = [point.finding == chosen for point in members]
    known = [point.interval or (point.value, point.value) for point in members]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "cliponaxis": False,  # do not clip a mark at average precision 1
        "name": group or "no group",
        "x": [point.prevalence for point in members],
        "y": [point.value for point in members],
        "customdata": [point.word for point in members],
        "text": [chart_text(point.finding) if point.finding in shown else "" for point in members],
        "textposition": [shown.get(point.finding, "middle right") for point in members],
        "textfont": {"size": 12, "color": [TEXT if on else MUTED for on in marked]},
        "hovertext": [_hover_text(point) for point in members],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "color": color,
            "symbol": [shape if point.positives >= FEW_POSITIVES else f"{shape}-open" for point in members],
            "size": [13 if on else 9 for on in marked],
            "opacity": 1,
            "line": {"color": [ACCENT if on else color for on in marked], "width": [3 if on else 1 for on in marked]},
        },
        "error_y": error_bars(
            [point.value for point in members],
            [low for low, _ in known],
            [high for _, high in known],
            color,
        ),
    }


def _hover_text(point: PrevalencePoint) -> str:
    figure = figure_text(point.value, *(point.interval or ()), digits=2)
    computing = "" if point.interval else " interval computing"
    return (
        f"<b>{chart_text(point.finding)}</b><br>AP {figure}{computing}<br>"
        f"chance {share_text(point.prevalence, 3)}: n+ {point.positives:,} of {point.films:,}"
    )


def _chance(frame: _Frame) -> Plotly:
    low, high = frame.across[0], min(frame.across[1], math.log10(frame.top))
    steps = [10 ** (low + (high - low) * i / (CHANCE_POINTS - 1)) for i in range(CHANCE_POINTS)]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "chance",
        "showlegend": False,
        "x": steps,
        "y": steps,
        "line": {"color": MUTED, "width": 1, "dash": "dot"},
        "hoverinfo": "skip",
    }


def _range(fractions: Sequence[float]) -> tuple[float, float]:
    """The ends of the logarithmic axis as powers of 10, with room for the marks."""
    if not fractions:
        return -3.0, 0.0
    low, high = math.log10(min(fractions)), math.log10(max(fractions))
    room = max(0.12, 0.08 * (high - low))
    return low - room, min(high + room, 0.05)


def _top(points: Sequence[PrevalencePoint]) -> float:
    """The upper end of average precision: the next fifth above all points, with room for a mark."""
    highest = max([point.interval[1] if point.interval else point.value for point in points], default=1.0)
    return min(1.0, math.ceil(highest * 5) / 5) + 0.02


def _labels(points: Sequence[PrevalencePoint], frame: _Frame) -> dict[str, str]:
    marks = []
    for point in points:
        low, high = point.interval or (point.value, point.value)
        place = frame.x(point.prevalence), frame.y(point.value)
        marks.append(LabeledPoint(point.finding, *place, high=frame.y(high), low=frame.y(low)))
    end = _chance_end(frame)
    x, y = frame.x(end), frame.y(end)
    return label_positions(marks, frame.size, [(x - LETTER_PX * len(CHANCE), y - TEXT_LINE, x, y)])


def _chance_end(frame: _Frame) -> float:
    """Where the line of chance ends; its label is to the left, above it."""
    return float(min(10 ** frame.across[1], frame.top))


def _layout(lines: list[str], below: int, frame: _Frame, height: int) -> Plotly:
    ticks = _ticks(frame.across)
    end = _chance_end(frame)
    return layout(
        height=height,
        title={
            "text": "<br>".join(map(chart_text, lines)),
            "font": SMALL_FONT,
            "x": 0,
            "xanchor": "left",
            "xref": "container",
            "pad": {"l": 4, "b": below},
            "y": 1,
            "yanchor": "bottom",
            "yref": "paper",
        },
        showlegend=True,
        legend={
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1.0,
            "yanchor": "bottom",
            "font": SMALL_FONT,
            "entrywidth": LEGEND_TEXT_PX,
            "itemclick": False,
            "itemdoubleclick": False,
        },
        annotations=[
            {
                "text": CHANCE,
                "x": math.log10(end),
                "y": end,
                "xanchor": "right",
                "yanchor": "bottom",
                "showarrow": False,
                "font": SMALL_FONT,
            }
        ],
        xaxis=axis(
            "prevalence among labeled films",
            type="log",
            range=list(frame.across),
            tickvals=ticks,
            ticktext=[f"{significant(100 * tick)} %" for tick in ticks],
        ),
        yaxis=axis(
            "average precision",
            range=[0, frame.top],
            tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1],
            tickformat=".1f",
        ),
    )


def _ticks(across: tuple[float, float]) -> list[float]:
    """1, 2 and 5 of each power of 10 in the range; only the powers if that makes more than eight ticks."""
    inside = [
        (power, factor)
        for power in range(math.floor(across[0]), 1)
        for factor in (1, 2, 5)
        if across[0] <= power + math.log10(factor) <= min(across[1], 0)
    ]
    chosen = inside if len(inside) <= 8 else [(power, factor) for power, factor in inside if factor == 1]
    return [round(factor * 10.0**power, 10) for power, factor in chosen]

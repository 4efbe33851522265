"""How charts look on this page: what plotly is told of colors, type and axes, whatever the chart shows."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from explorer.core.figures import UNDEFINED, figure_text, share_text
from explorer.ui.shared.theme import HAIRLINE, MUTED, RAISED, SANS, TEXT

Plotly = dict[str, Any]  # a figure or a part of one, as plotly.js takes it
Values = Sequence[float | None]
SMALL: Plotly = {"size": 12, "color": MUTED}
# One for each model, in a fixed order (Okabe and Ito); further models are gray.
MODEL_COLORS = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#d55e00", "#0072b2")
FURTHER = "#4a5663"
TICK = 30  # characters of a name beside an axis


def chart_text(text: str) -> str:
    """Text as plotly shows it: it reads markup, and of the signs for quotes it knows none."""
    return escape(text, quote=False)


def tick_text(name: str) -> str:
    """A name beside an axis, whose beginning stands for it where it is long: the chart keeps its room."""
    return chart_text(name if len(name) <= TICK else name[: TICK - 1].rstrip() + "\u2026")


def axis(title: str, **more: object) -> Plotly:
    """An axis with a quiet grid, which cannot be zoomed; `more` is what plotly calls its parts."""
    return {
        "gridcolor": HAIRLINE,
        "linecolor": HAIRLINE,
        "zeroline": False,
        "fixedrange": True,
        "tickfont": {"color": MUTED},
        "ticks": "",
        "title": {"text": title, "font": SMALL},
        **more,
    }


def layout(**more: object) -> Plotly:
    """A chart without a frame of its own, on the page's surface; `more` is what plotly calls its parts."""
    return {
        "template": "none",
        "autosize": True,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": ", ".join(SANS), "size": 12, "color": TEXT},
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": RAISED,
            "bordercolor": HAIRLINE,
            "font": {"color": TEXT, "size": 12},
            "align": "left",
        },
        **more,
    }


def error_bars(values: Values, low: Values, high: Values, color: str) -> Plotly:
    """95 % intervals as bars without caps; none where an end is unknown. All lists are as long as the points."""
    known = list(zip(values, low, high, strict=True))
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if end is None or value is None else end - value for value, _, end in known],
        "arrayminus": [0 if end is None or value is None else value - end for value, end, _ in known],
        "color": color,
        "thickness": 1,
        "width": 0,
    }


def hover_figure(value: float | None, low: float | None, high: float | None) -> str:
    """A figure in the words that a point shows: `0.512 [0.490\u20130.530]`, without an end that is not known."""
    if value is None:
        return UNDEFINED
    if low is None or high is None:
        return share_text(value, 3)
    return figure_text(value, low, high)

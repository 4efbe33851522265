"""The look of every chart: plotly's colors, type and axes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from explorer.core.figures import UNDEFINED, figure_text, share_text
from explorer.ui.shared.theme import HAIRLINE, MUTED, RAISED, SANS, TEXT

Plotly = dict[str, Any]  # a plotly.js figure, or part of one
OptionalValues = Sequence[float | None]
SMALL_FONT: Plotly = {"size": 12, "color": MUTED}
# One color a model, in the fixed order of Okabe and Ito; further models are gray.
MODEL_COLORS = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#d55e00", "#0072b2")
EXTRA_MODEL_COLOR = "#4a5663"
MAX_TICK_CHARS = 30  # characters of a label beside an axis


def chart_text(text: str) -> str:
    """Text escaped for plotly, which parses markup but not the entities of quotes."""
    return escape(text, quote=False)


def tick_text(name: str) -> str:
    """A label beside an axis, shortened if long so that the chart keeps its width."""
    return chart_text(name if len(name) <= MAX_TICK_CHARS else name[: MAX_TICK_CHARS - 1].rstrip() + "\u2026")


def axis(title: str, **more: object) -> Plotly:
    """A fixed axis with a quiet grid; `more` holds plotly's own keys."""
    return {
        "gridcolor": HAIRLINE,
        "linecolor": HAIRLINE,
        "zeroline": False,
        "fixedrange": True,
        "tickfont": {"color": MUTED},
        "ticks": "",
        "title": {"text": title, "font": SMALL_FONT},
        **more,
    }


def layout(**more: object) -> Plotly:
    """A frameless layout on the page's background; `more` holds plotly's own keys."""
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


def error_bars(values: OptionalValues, low: OptionalValues, high: OptionalValues, color: str) -> Plotly:
    """95 % intervals as bars without caps; none where an end is unknown. All lists have the length of the points."""
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
    """A figure for a hover label: `0.512 [0.490\u20130.530]`; without the interval if an end is unknown."""
    if value is None:
        return UNDEFINED
    if low is None or high is None:
        return share_text(value, 3)
    return figure_text(value, low, high)

"""Charts Together: a heat map of findings by findings (CXR-LT 2026, Figure 1a), faded where films are few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.comparisons.co_occurrence import CoOccurrence
from explorer.core.arrays import or_none
from explorer.core.figures import UNDEFINED, percent_text
from explorer.ui.shared.chart_look import (
    MAX_TICK_CHARS,
    MODEL_COLORS,
    SMALL_FONT,
    Plotly,
    axis,
    chart_text,
    layout,
    tick_text,
)
from explorer.ui.shared.theme import MUTED, RAISED

ShownValue = Literal["difference", "labels", "calls"]
CELL_PX, LETTER_PX, TOP_PX = 20, 7, 12  # px per finding, per letter of its name, above the chart
FADED_OPACITY = 0.3  # opacity of a cell with few films
_RARELY, _OFTEN = MODEL_COLORS[0], MODEL_COLORS[1]


def together_chart(found: CoOccurrence, order: Sequence[int], shown: ShownValue, few: int) -> Plotly:
    """Return data and layout for `Plotly.react`; findings are in this order, the given ones from top to bottom."""
    places = np.ix_(order, order)
    values = {"difference": found.difference, "labels": found.labels, "calls": found.calls}[shown][places]
    thin = _thin(found, shown, few)[places]
    texts = [[_hover_text(found, given, other) for other in order] for given in order]
    most = _most(values) if shown == "difference" else 1.0
    sides = [(values, ~thin, 1.0), (values, thin, FADED_OPACITY)]
    traces = [_trace(np.where(where, each, np.nan), texts, shown, most, opacity) for each, where, opacity in sides]
    return {"data": traces, "layout": _layout([found.findings[place] for place in order])}


def _thin(found: CoOccurrence, shown: ShownValue, few: int) -> NDArray[np.bool_]:
    """Return which shares are based on few films."""
    films = {
        "difference": np.minimum(found.labeled, found.called),
        "labels": found.labeled,
        "calls": found.called,
    }[shown]
    return np.asarray(films < few)


def _most(values: NDArray[np.float64]) -> float:
    """Return the end of the scale: the largest difference, rounded up to a tenth."""
    return max(0.1, float(np.ceil(np.nanmax(np.abs(values), initial=0) * 10) / 10))


def _trace(
    values: NDArray[np.float64], texts: list[list[str]], shown: ShownValue, most: float, opacity: float
) -> Plotly:
    both = shown == "difference"
    return {
        "type": "heatmap",
        "z": [[or_none(each) for each in row] for row in values],
        "zmin": -most if both else 0,
        "zmax": most,
        "colorscale": [[0, _RARELY], [0.5, RAISED], [1, _OFTEN]] if both else [[0, RAISED], [1, _RARELY]],
        "opacity": opacity,
        "xgap": 1,
        "ygap": 1,
        "hovertext": texts,
        "hovertemplate": "%{hovertext}<extra></extra>",
        "hoverongaps": False,
        "showscale": opacity == 1,
        "colorbar": {
            "thickness": 10,
            "len": 0.6,
            "outlinewidth": 0,
            "tickformat": "+.0%" if both else ".0%",
            "tickfont": {"color": MUTED},
            "title": {"text": "excess of calls" if both else shown, "font": SMALL_FONT},
        },
    }


def _hover_text(found: CoOccurrence, given: int, other: int) -> str:
    first, second = chart_text(found.findings[given]), chart_text(found.findings[other])
    lines = [
        f"Where {first} is {word}: {second} {word} in {_share(shares[given, other])} of {films[given, other]:,} films, "
        f"at all in {_share(rates[given, other])}"
        for word, shares, rates, films in (
            ("labeled", found.labels, found.label_rates, found.labeled),
            ("called", found.calls, found.call_rates, found.called),
        )
    ]
    return "<br>".join(lines)


def _share(value: float) -> str:
    return UNDEFINED if np.isnan(value) else percent_text(value)


def _layout(names: Sequence[str]) -> Plotly:
    longest = LETTER_PX * min(MAX_TICK_CHARS, max(map(len, names))) + 16
    ticks = {"tickvals": list(range(len(names))), "ticktext": [tick_text(name) for name in names], "showgrid": False}
    return layout(
        height=CELL_PX * len(names) + longest + TOP_PX,
        margin={"l": longest, "r": 16, "t": TOP_PX, "b": longest},
        showlegend=False,
        xaxis=axis("", **ticks, tickangle=-50, range=[-0.5, len(names) - 0.5]),
        yaxis=axis("", **ticks, range=[len(names) - 0.5, -0.5]),
    )

"""The chart of Together: a heat map of findings by findings (CXR-LT 2026, Figure 1a), few films faded."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.together import Together
from explorer.core.arrays import or_none
from explorer.ui.chart_look import MODEL_COLORS, SMALL, Plotly, axis, layout
from explorer.ui.theme import MUTED, RAISED

Shown = Literal["difference", "labels", "calls"]
CELL, AROUND = 20, 230  # px: of a finding, and around all of them
FADED = 0.3  # opacity of a cell with few films
_RARELY, _OFTEN = MODEL_COLORS[0], MODEL_COLORS[1]


def together_chart(found: Together, order: Sequence[int], shown: Shown, few: int) -> Plotly:
    """Data and layout for `Plotly.react`; findings in this order, given ones from top to bottom."""
    places = np.ix_(order, order)
    values = {"difference": found.difference, "labels": found.labels, "calls": found.calls}[shown][places]
    thin = _thin(found, shown, few)[places]
    texts = [[_said(found, given, other) for other in order] for given in order]
    sides = [(values, ~thin, 1.0), (values, thin, FADED)]
    traces = [_trace(np.where(where, each, np.nan), texts, shown, opacity) for each, where, opacity in sides]
    return {"data": traces, "layout": _layout([found.findings[place] for place in order])}


def _thin(found: Together, shown: Shown, few: int) -> NDArray[np.bool_]:
    """Where the shares are of few films."""
    films = {
        "difference": np.minimum(found.labeled, found.called),
        "labels": found.labeled,
        "calls": found.called,
    }[shown]
    return np.asarray(films < few)


def _trace(values: NDArray[np.float64], texts: list[list[str]], shown: Shown, opacity: float) -> Plotly:
    both = shown == "difference"
    return {
        "type": "heatmap",
        "z": [[or_none(each) for each in row] for row in values],
        "zmin": -1 if both else 0,
        "zmax": 1,
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
            "title": {"text": "calls \N{MINUS SIGN} labels" if both else shown, "font": SMALL},
        },
    }


def _said(found: Together, given: int, other: int) -> str:
    first, second = escape(found.findings[given]), escape(found.findings[other])
    lines = [
        f"Where {first} is {word}: {second} {word} in {_share(shares[given, other])} of {films[given, other]:,} films"
        for word, shares, films in (
            ("labeled", found.labels, found.labeled),
            ("called", found.calls, found.called),
        )
    ]
    return "<br>".join(lines)


def _share(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.0%}"


def _layout(names: Sequence[str]) -> Plotly:
    size = CELL * len(names) + AROUND
    ticks = {"tickvals": list(range(len(names))), "ticktext": [escape(name) for name in names], "showgrid": False}
    return layout(
        height=size,
        margin={"l": 190, "r": 16, "t": 12, "b": 180},
        showlegend=False,
        xaxis=axis("", **ticks, tickangle=-50, range=[-0.5, len(names) - 0.5]),
        yaxis=axis("", **ticks, range=[len(names) - 0.5, -0.5]),
    )

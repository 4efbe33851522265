"""Charts Ensemble: its gain over the best member and over the reference, by group of findings."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.analysis.ensembles.ensemble_gain import EnsembleGain
from explorer.core.arrays import or_none
from explorer.core.figures import Estimate, difference_text
from explorer.ui.shared.chart_look import (
    MODEL_COLORS,
    SMALL_FONT,
    Plotly,
    axis,
    chart_text,
    error_bars,
    layout,
    tick_text,
)
from explorer.ui.shared.theme import MUTED

ROW_PX = 40  # px per part
POINT_OFFSET = 0.15  # offset of the two points from the row's middle, in rows


def gain_chart(gains: Sequence[EnsembleGain], names: Sequence[str], mean: str, reference: str) -> Plotly:
    """Return data and layout for `Plotly.react`; `names` are those of the parts."""
    best = _points([each.over_best for each in gains], names, "to the best member", MODEL_COLORS[1], -POINT_OFFSET)
    other = _points([each.over_reference for each in gains], names, f"to {reference}", MODEL_COLORS[0], POINT_OFFSET)
    return {"data": [best, other], "layout": _layout(names, mean)}


def _points(figures: Sequence[Estimate], names: Sequence[str], name: str, color: str, shift: float) -> Plotly:
    values, low, high = ([or_none(getattr(each, part)) for each in figures] for part in ("value", "low", "high"))
    return {
        "type": "scatter",
        "mode": "markers",
        "name": chart_text(name),
        "x": values,
        "y": [row + shift for row in range(len(figures))],
        "marker": {"color": color, "size": 7},
        "error_x": error_bars(values, low, high, color),
        "hovertext": [_hover_text(each, part, name) for each, part in zip(figures, names, strict=True)],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _hover_text(figure: Estimate, part: str, name: str) -> str:
    return f"<b>{chart_text(part)}</b><br>{chart_text(name)} {difference_text(figure.value, figure.low, figure.high)}"


def _layout(names: Sequence[str], mean: str) -> Plotly:
    return layout(
        height=110 + ROW_PX * len(names),
        margin={"l": 150, "r": 16, "t": 44, "b": 52},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "font": SMALL_FONT},
        xaxis=axis(f"difference of {mean}", zeroline=True, zerolinecolor=MUTED, tickformat="+.3~f"),
        yaxis=axis(
            "",
            range=[len(names) - 0.5, -0.5],
            tickvals=list(range(len(names))),
            ticktext=[tick_text(each) for each in names],
            showgrid=False,
        ),
    )

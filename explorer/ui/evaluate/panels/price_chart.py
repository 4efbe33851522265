"""Charts Threshold's price: one model's F1 by finding at three thresholds, frequent findings on the left."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.analysis.comparisons.threshold_price import THRESHOLD_CHOICES, ThresholdPrices
from explorer.core.arrays import or_none
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

HEIGHT = 520  # px
CHOICE_NAMES = {"0.5": "at 0.5", "own": "at the model's own threshold", "best": "at the best one (these films)"}
_LOOKS = {"0.5": ("x", MODEL_COLORS[0]), "own": ("diamond", MODEL_COLORS[1]), "best": ("square", MODEL_COLORS[2])}


def price_chart(
    prices: ThresholdPrices, model: int, findings: Sequence[str], positives: Sequence[int], order: Sequence[int]
) -> Plotly:
    """Return data and layout for `Plotly.react`; `order` lists the findings' indices from left to right."""
    traces = []
    for place, at in enumerate(THRESHOLD_CHOICES):
        symbol, color = _LOOKS[at]
        values, low, high = (
            [or_none(part[place, model, finding]) for finding in order]
            for part in (prices.points, prices.low, prices.high)
        )
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": CHOICE_NAMES[at],
                "x": [each + (place - 1) * 0.22 for each in range(len(order))],
                "y": values,
                "marker": {"symbol": symbol, "color": color, "size": 8},
                "error_y": error_bars(values, low, high, color),
                "hovertext": [f"<b>{chart_text(findings[each])}</b><br>n+ {positives[each]:,}" for each in order],
                "hovertemplate": f"%{{hovertext}}<br>F1 {CHOICE_NAMES[at]} %{{y:.3f}}<extra></extra>",
            }
        )
    return {"data": traces, "layout": _layout([findings[each] for each in order])}


def _layout(names: Sequence[str]) -> Plotly:
    return layout(
        height=HEIGHT,
        margin={"l": 52, "r": 12, "t": 40, "b": 176},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom", "font": SMALL_FONT},
        xaxis=axis(
            "",
            range=[-0.6, len(names) - 0.4],
            tickvals=list(range(len(names))),
            ticktext=[tick_text(name) for name in names],
            tickangle=-50,
            showgrid=False,
        ),
        yaxis=axis("F1", range=[-0.02, 1.02], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1], tickformat=".1f"),
    )

"""Charts transfer from simulated to real films by number of simulated films, below Recipes of nih-oof."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.core.arrays import or_none
from explorer.core.figures import figure_text
from explorer.ui.shared.chart_look import MODEL_COLORS, SMALL_FONT, Plotly, axis, chart_text, error_bars, layout
from models.cards.start_probes import StartFigure, StartingNetwork

HEIGHT = 340  # px
POINT_SPACING = 700  # films; horizontal spacing of points with equal numbers
TRACES_BY_MASKS = {
    False: ("findings alone", "circle", MODEL_COLORS[0]),
    True: ("findings and masks", "square", MODEL_COLORS[1]),
}


def starts_chart(figures: Sequence[StartFigure], starts: Sequence[StartingNetwork]) -> Plotly:
    """Return data and layout for `Plotly.react`; `starts` correspond to `figures`."""
    places = _places(starts)
    traces = []
    for masks, (name, symbol, color) in TRACES_BY_MASKS.items():
        chosen = [place for place, start in enumerate(starts) if start.masks == masks]
        values, low, high = (
            [or_none(getattr(figures[each], part)) for each in chosen] for part in ("value", "low", "high")
        )
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": name,
                "x": [places[each] for each in chosen],
                "y": values,
                "marker": {"symbol": symbol, "color": color, "size": 8},
                "error_y": error_bars(values, low, high, color),
                "hovertext": [_hover_text(figures[each], starts[each]) for each in chosen],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        )
    return {"data": traces, "layout": _layout(sorted({start.films for start in starts}))}


def _places(starts: Sequence[StartingNetwork]) -> list[int]:
    """Return each point's position: its number of films, with equal numbers side by side."""
    numbers = [start.films for start in starts]
    earlier = [numbers[:place].count(films) for place, films in enumerate(numbers)]
    return [
        films + round(POINT_SPACING * (before - (numbers.count(films) - 1) / 2))
        for films, before in zip(numbers, earlier, strict=True)
    ]


def _hover_text(figure: StartFigure, start: StartingNetwork) -> str:
    lines = (
        f"<b>{chart_text(start.name)}</b>, {start.films:,} simulated films",
        chart_text(start.learned),
        figure_text(figure.value, figure.low, figure.high),
    )
    return "<br>".join(lines)


def _layout(numbers: Sequence[int]) -> Plotly:
    return layout(
        height=HEIGHT,
        margin={"l": 58, "r": 16, "t": 36, "b": 52},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "font": SMALL_FONT},
        xaxis=axis(
            "simulated films that the network saw before",
            tickvals=list(numbers),
            ticktext=[f"{each:,}" for each in numbers],
            range=[-0.08 * numbers[-1], 1.08 * numbers[-1]],
        ),
        yaxis=axis("macro AUROC of real films", tickformat=".2f"),
    )

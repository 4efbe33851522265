"""Charts one model's scores of a finding: reliability before and after calibration, and distribution by center."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.analysis.one_finding.calibration import ScoreCalibration
from explorer.analysis.one_finding.score_spread import ScoreSpread
from explorer.core.arrays import Floats
from explorer.ui.shared.chart_look import MODEL_COLORS, SMALL_FONT, Plotly, axis, chart_text, error_bars, layout
from explorer.ui.shared.theme import MUTED

CALIBRATION_NAMES = {
    "as scored": "as scored",
    "platt": "Platt scaling, other folds",
    "isotonic": "isotonic regression, other folds",
}
_LOOKS = {
    "as scored": ("circle", MUTED),
    "platt": ("diamond", MODEL_COLORS[0]),
    "isotonic": ("square", MODEL_COLORS[1]),
}
_ROW = 84  # px per center


def reliability_chart(kinds: Sequence[ScoreCalibration]) -> Plotly:
    """Chart the share of films with the finding against the mean score, in equal-mass bins, with 95 % intervals."""
    traces: list[Plotly] = []
    most = 0.05
    for kind in kinds:
        bins = [each for each in kind.bins if each.mean_score is not None]
        if not bins:
            continue
        symbol, color = _LOOKS[kind.kind]
        values = [each.present.value for each in bins]
        low, high = ([each.present.interval[end] if each.present.interval else None for each in bins] for end in (0, 1))
        most = max([most, *(each.mean_score or 0 for each in bins), *(each or 0 for each in high)])
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": CALIBRATION_NAMES[kind.kind],
                "x": [each.mean_score for each in bins],
                "y": values,
                "line": {"color": color, "width": 1},
                "marker": {"symbol": symbol, "color": color, "size": 7},
                "error_y": error_bars(values, low, high, color),
                "hovertext": [f"n+ {each.present.hits:,} of {each.present.n:,}" for each in bins],
                "hovertemplate": f"<b>{CALIBRATION_NAMES[kind.kind]}</b><br>mean score %{{x:.3f}}<br>"
                "with it %{y:.3f}<br>%{hovertext}<extra></extra>",
            }
        )
    top = min(1.0, most * 1.05)
    diagonal = {
        "type": "line",
        "x0": 0,
        "y0": 0,
        "x1": top,
        "y1": top,
        "line": {"color": MUTED, "dash": "dot", "width": 1},
    }
    return {
        "data": traces,
        "layout": layout(
            height=360,
            margin={"l": 52, "r": 12, "t": 40, "b": 44},
            showlegend=True,
            legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom", "font": SMALL_FONT},
            xaxis=axis("mean score of the bin", range=[-0.02 * top, top]),
            yaxis=axis("share with the finding", range=[-0.02 * top, top]),
            shapes=[diagonal],
        ),
    }


def spread_chart(edges: Floats, rows: Sequence[ScoreSpread]) -> Plotly:
    """Chart the score distribution by label, in a row for all films and one per center."""
    middles = ((edges[1:] + edges[:-1]) / 2).tolist()
    traces, axes, named = [], {}, []
    for place, row in enumerate(rows):
        name = "y" if place == 0 else f"y{place + 1}"
        top = 1 - place / len(rows)
        title = chart_text(row.center or "all films")
        counts = f"n+ {int(row.present.sum()):,} of {int(row.present.sum() + row.absent.sum()):,}"
        domain = [top - 0.86 / len(rows), top]
        axes[name.replace("y", "yaxis")] = axis("", domain=domain, showticklabels=False)
        named.append(_row_name(f"{title}<br>{counts}", sum(domain) / 2))
        for films, label, color in ((row.absent, "without it", MUTED), (row.present, "with it", MODEL_COLORS[1])):
            share = films / films.sum() if films.sum() else np.zeros(len(films))
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "name": label,
                    "legendgroup": label,
                    "showlegend": place == 0,
                    "x": middles,
                    "y": share.tolist(),
                    "xaxis": "x",
                    "yaxis": name,
                    "fill": "tozeroy",
                    "line": {"color": color, "width": 1, "shape": "hvh"},
                    "hovertext": [f"{int(each):,} of {int(films.sum()):,} films {label}" for each in films],
                    "hovertemplate": f"<b>{title}</b><br>score about %{{x:.3f}}<br>%{{hovertext}}<extra></extra>",
                }
            )
    return {
        "data": traces,
        "layout": layout(
            height=100 + _ROW * len(rows),
            margin={"l": 120, "r": 12, "t": 40, "b": 44},
            showlegend=True,
            legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom", "font": SMALL_FONT},
            xaxis=axis("score", anchor="y" if len(rows) == 1 else f"y{len(rows)}"),
            annotations=named,
            **axes,
        ),
    }


def _row_name(text: str, middle: float) -> Plotly:
    return {
        "text": text,
        "x": -0.01,
        "xref": "paper",
        "xanchor": "right",
        "y": middle,
        "yref": "paper",
        "yanchor": "middle",
        "align": "right",
        "showarrow": False,
        "font": SMALL_FONT,
    }

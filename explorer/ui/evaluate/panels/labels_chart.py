"""Charts Labels against labels: each model's mean with one source against its mean with the other."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from explorer.analysis.comparisons.label_sources import SourceComparison
from explorer.core.arrays import or_none
from explorer.core.figures import UNDEFINED, share_text
from explorer.ui.evaluate.panels.model_colors import ColorPayload
from explorer.ui.shared.chart_look import SMALL_FONT, Plotly, axis, chart_text, error_bars, layout
from explorer.ui.shared.theme import MUTED

HEIGHT = 420  # px
TITLE_LINE_CHARS, TITLE_LINE_PX = 40, 16  # characters per line of an axis title; px per further line


def labels_chart(found: SourceComparison, mean: str, models: Sequence[ColorPayload]) -> Plotly:
    """Return data and layout for `Plotly.react` for two sources; on the diagonal, both means are equal."""
    gray_first = sorted(range(len(models)), key=lambda place: not models[place]["further"])
    titles = [wrap(f"{mean}, labels from {source}", TITLE_LINE_CHARS) for source in found.sources]
    across, up = ("<br>".join(map(chart_text, lines)) for lines in titles)
    left, below = (room + TITLE_LINE_PX * (len(lines) - 1) for room, lines in ((56, titles[1]), (44, titles[0])))
    line: Plotly = {
        "type": "line",
        "x0": 0,
        "y0": 0,
        "x1": 1,
        "y1": 1,
        "layer": "below",
        "line": {"color": MUTED, "width": 1, "dash": "dot"},
    }
    return {
        "data": [_model(found, models[place], place) for place in gray_first],
        "layout": layout(
            height=HEIGHT,
            margin={"l": left, "r": 12, "t": 40, "b": below},
            showlegend=True,
            legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom", "font": SMALL_FONT},
            xaxis=axis(across, range=_reach(found, 0)),
            yaxis=axis(up, range=_reach(found, 1)),
            shapes=[line],
        ),
    }


def _model(found: SourceComparison, model: ColorPayload, place: int) -> Plotly:
    ends = [[[or_none(part[place])] for part in (each.value, each.low, each.high)] for each in found.means]
    name, (x, y) = chart_text(model["name"]), (each[0] for each in ends)
    means = [
        f"{chart_text(source)} " + (UNDEFINED if each[0][0] is None else share_text(each[0][0], 3))
        for source, each in zip(found.sources, ends, strict=True)
    ]
    trace: Plotly = {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": x,
        "y": y,
        "marker": {"color": model["color"], "size": 5 if model["further"] else 8},
        "hovertext": ["<br>".join([f"<b>{name}</b>", *means])],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": not model["further"],
    }
    if not model["further"]:
        for way, (value, low, high) in zip(("error_x", "error_y"), ends, strict=True):
            trace[way] = error_bars(value, low, high, model["color"])
    return trace


def _reach(found: SourceComparison, source: int) -> list[float]:
    """Return an axis range that holds all intervals, with a margin."""
    figures = found.means[source]
    values = [float(each) for part in (figures.value, figures.low, figures.high) for each in part if each == each]
    least, most = min(values, default=0.0), max(values, default=1.0)
    room = 0.1 * (most - least) or 0.05
    return [least - room, most + room]

"""Charts what is flagged of inserted findings: by severity for each finding, by group, and the score of one finding."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer.analysis.detectability.flagged import FlaggedGroup, flagged, flagged_groups
from explorer.analysis.detectability.report import Detectability
from explorer.analysis.detectability.severity_curve import SeverityCurve
from explorer.analysis.detectability.table import quartile_text, rate_with_n
from explorer.analysis.detectability.trials import Trials
from explorer.core.figures import fixed, share_text
from explorer.core.rates import Rate
from explorer.ui.evaluate.panels.small_charts import axis_number, small_charts
from explorer.ui.shared.chart_look import MODEL_COLORS, Plotly, axis, chart_text, error_bars, layout
from explorer.ui.shared.row_chart import legend_layout, named_rows, top_px
from explorer.ui.shared.theme import MUTED

_SHARE = {"range": [-0.05, 1.05], "tickformat": ".0%"}
_SEVERITY = {"range": [-0.06, 1.06], "tickvals": [0, 0.5, 1]}
_SPREAD = 0.18  # of a row, between two models
_SCORE_PX, _BELOW_PX = 240, 44
_NARROW_PX = 342.0


def flagged_chart(found: Detectability) -> Plotly:
    """Return a small chart for each finding: the share flagged by severity, of one model or two."""
    models = _models(found)
    traces = [
        _share_line(trials, finding, place, model)
        for place, finding in enumerate(found.findings)
        for model, trials in enumerate(models)
    ]
    without = [
        _without_line(trials, finding, place, model)
        for place, finding in enumerate(found.findings)
        for model, trials in enumerate(models)
    ]
    names = [*(trials.model for trials in models), *map(_without_name, models)]
    return small_charts([*traces, *without], found.findings, _SEVERITY, _SHARE, names)


def groups_chart(found: Detectability, finding: str, severity: float) -> Plotly:
    """Return a row for each zone, side and property of the film: the share flagged at one severity."""
    models = _models(found)
    by_model = [list(flagged_groups(trials.about(finding, severity))) for trials in models]
    traces = [
        _group_marks(trials.model, groups, place, len(models))
        for place, (trials, groups) in enumerate(zip(models, by_model, strict=True))
    ]
    names = [f"{each.by}: {each.name}" for each in by_model[0]]
    legend = [trials.model for trials in models] if len(models) > 1 else []
    share = axis("share flagged", tickformat=".0%")
    return named_rows(traces, names, share, [0.0, 1.0], legend=legend)


def score_chart(curve: SeverityCurve) -> Plotly:
    """Return the films' score by severity, its quartiles as a band, and the threshold, on a logarithmic scale."""
    x = list(curve.severities)
    low, median, high = (curve.scores[:, place].tolist() for place in range(3))
    line, without = {"color": MODEL_COLORS[0], "width": 1}, share_text(float(curve.without[1]), 3)
    names = ["median of films", "quartiles", "threshold", "median without it"]
    figures = zip(x, curve.scores.tolist(), curve.shares, strict=True)
    traces: list[Plotly] = [
        {"mode": "lines", "x": x, "y": high, "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False},
        {
            "mode": "lines",
            "x": x,
            "y": low,
            "line": {"width": 0},
            "fill": "tonexty",
            "fillcolor": f"{MODEL_COLORS[0]}40",
            "name": names[1],
            "hoverinfo": "skip",
        },
        {
            "mode": "lines+markers",
            "x": x,
            "y": median,
            "line": line,
            "marker": {"color": MODEL_COLORS[0], "size": 6},
            "name": names[0],
            "hovertext": [
                f"severity {fixed(severity, 1)}<br>score {quartile_text(quartiles)}<br>flagged {rate_with_n(rate)}"
                for severity, quartiles, rate in figures
            ],
            "hovertemplate": "%{hovertext}<extra></extra>",
        },
        _level(curve.threshold, names[2], "dash", f"threshold {share_text(curve.threshold, 3)}"),
        _level(float(curve.without[1]), names[3], "dot", f"without it {without}"),
    ]
    return {
        "data": [{"type": "scatter", **trace} for trace in traces],
        "layout": _score_layout(names, math.inf),
        "narrow": _score_layout(names, _NARROW_PX),
    }


def _models(found: Detectability) -> list[Trials]:
    return [found.trials, *([found.other] if found.other is not None else [])]


def _share_line(trials: Trials, finding: str, place: int, model: int) -> Plotly:
    severities = trials.severities(finding)
    rates = [flagged(trials.about(finding, severity)).inserted for severity in severities]
    values, low, high = _ends(rates)
    color, name = MODEL_COLORS[model], chart_text(trials.model)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "legendgroup": name,
        "showlegend": place == 0,
        "x": list(severities),
        "y": values,
        "xaxis": f"x{axis_number(place)}",
        "yaxis": f"y{axis_number(place)}",
        "line": {"color": color, "width": 1},
        "marker": {"color": color, "size": 5},
        "error_y": error_bars(values, low, high, color),
        "hovertext": [
            f"<b>{chart_text(finding)}</b>, severity {fixed(severity, 1)}<br>{name} flags {rate_with_n(rate)}"
            for severity, rate in zip(severities, rates, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _without_line(trials: Trials, finding: str, place: int, model: int) -> Plotly:
    rate, name = flagged(trials.about(finding)).without, chart_text(_without_name(trials))
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "legendgroup": name,
        "showlegend": place == 0,
        "x": [0, 1],
        "y": [rate.value] * 2,
        "xaxis": f"x{axis_number(place)}",
        "yaxis": f"y{axis_number(place)}",
        "line": {"color": MODEL_COLORS[model], "width": 1, "dash": "dot"},
        "hovertext": f"<b>{chart_text(finding)}</b><br>{name}: {rate_with_n(rate)}",
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _without_name(trials: Trials) -> str:
    return f"{trials.model}, without it"


def _group_marks(model: str, groups: Sequence[FlaggedGroup], place: int, models: int) -> Plotly:
    rates = [each.flagged.inserted for each in groups]
    values, low, high = _ends(rates)
    shift = _SPREAD * ((models - 1) / 2 - place) * (models > 1)
    name, color = chart_text(model), MODEL_COLORS[place]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": values,
        "y": [shift - line for line in range(len(groups))],
        "marker": {"color": color, "size": 6},
        "error_x": error_bars(values, low, high, color),
        "hovertext": [
            f"<b>{chart_text(each.name)}</b><br>{name} flags {rate_with_n(each.flagged.inserted)}" for each in groups
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _ends(rates: Sequence[Rate]) -> tuple[list[float | None], list[float | None], list[float | None]]:
    intervals = [rate.interval or (None, None) for rate in rates]
    return [rate.value for rate in rates], [low for low, _ in intervals], [high for _, high in intervals]


def _level(value: float, name: str, dash: str, words: str) -> Plotly:
    return {
        "mode": "lines",
        "x": [0, 1],
        "y": [value, value],
        "line": {"color": MUTED, "width": 1, "dash": dash},
        "name": name,
        "hovertext": words,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _score_layout(names: Sequence[str], width: float) -> Plotly:
    top = top_px(names, width)
    return layout(
        height=top + _SCORE_PX + _BELOW_PX,
        margin={"l": 56, "r": 12, "t": top, "b": _BELOW_PX},
        xaxis=axis("severity", range=[-0.03, 1.03]),
        yaxis=axis("score", type="log"),
        **legend_layout(names),
    )

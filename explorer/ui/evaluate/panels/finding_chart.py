"""Charts A finding: ROC and precision-recall curves with bands, and one model's thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.analysis.one_finding.curves import BAND_GRID, CurveBands, ModelCurve, ModelCurves, model_curves
from explorer.analysis.one_finding.scores import OperatingMark
from explorer.ui.evaluate.panels.finding_asked import FindingView
from explorer.ui.evaluate.panels.finding_groups import ReadingGroup
from explorer.ui.evaluate.panels.model_colors import ColorPayload
from explorer.ui.evaluate.panels.people_chart import axes_of, people_traces, precision_at, rounded
from explorer.ui.shared.chart_look import SMALL_FONT, Plotly, axis, chart_text, layout, tick_text
from explorer.ui.shared.theme import MUTED, TEXT

HEIGHT = 430  # px
MARK_SYMBOLS = {"own": "diamond", "Youden": "triangle-up", "best F1": "square", "0.5": "x"}
LIVE_MARK = "the threshold below"  # name of the mark that follows the slider
_TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]


def finding_chart(found: FindingView, models: Sequence[ColorPayload]) -> Plotly:
    """Return data and layout for `Plotly.react`; the last two traces are the dragged threshold's mark."""
    drawn, reference = model_curves(found.one), found.report.reference
    order = sorted(range(len(models)), key=lambda place: (not models[place]["further"], place == reference))
    traces = [*_chance(found.prevalence or 0.0)]
    if found.bands is not None:
        traces += [each for place in order for each in _band(found.bands, place, models[place])]
    traces += [each for place in order for each in _lines(drawn[place], models[place])]
    color = models[reference]["color"]
    traces += [each for mark in found.marks[reference] for each in _marked(mark, color)]
    traces += [each for reader in found.readers for each in _reader(reader)]
    traces += [each for group in found.groups for each in _group(group, found.prevalence or 0.0)]
    traces += people_traces(found.people, found.prevalence or 0.0)
    return {"data": [*traces, *_slider_mark()], "layout": _layout()}


def _chance(prevalence: float) -> Iterator[Plotly]:
    for place, ends in enumerate(([0, 1], [prevalence, prevalence])):
        yield axes_of(place) | {
            "type": "scatter",
            "mode": "lines",
            "x": [0, 1],
            "y": ends,
            "line": {"color": MUTED, "width": 1, "dash": "dot"},
            "hoverinfo": "skip",
            "showlegend": False,
        }


def _band(bands: CurveBands, place: int, model: ColorPayload) -> Iterator[Plotly]:
    """Yield a band as a closed polygon; none for gray models or undefined intervals."""
    if model["further"]:
        return
    for chart, (low, high) in enumerate(((bands.roc_low, bands.roc_high), (bands.pr_low, bands.pr_high))):
        there = ~np.isnan(low[place])
        if there.any():
            x, least, most = BAND_GRID[there], low[place][there], high[place][there]
            yield axes_of(chart) | {
                "type": "scatter",
                "mode": "lines",
                "x": [*x.tolist(), *x[::-1].tolist()],
                "y": [*rounded(most), *rounded(least[::-1])],
                "fill": "toself",
                "fillcolor": model["color"],
                "opacity": 0.14,
                "line": {"width": 0},
                "hoverinfo": "skip",
                "showlegend": False,
            }


def _lines(drawn: ModelCurves, model: ColorPayload) -> Iterator[Plotly]:
    each: tuple[tuple[ModelCurve, str, str, str], ...] = (
        (drawn.roc, "linear", "1 \u2212 specificity", "sensitivity"),
        (drawn.pr, "vh", "recall", "precision"),
    )
    for place, (curve, shape, name, y) in enumerate(each):
        yield axes_of(place) | {
            "type": "scatter",
            "mode": "lines",
            "name": chart_text(model["name"]),
            "legendgroup": chart_text(model["name"]),
            "x": rounded(curve.x if place == 0 else np.append(0.0, curve.x)),
            "y": rounded(curve.y if place == 0 else np.append(curve.y[0], curve.y)),
            "line": {"color": model["color"], "width": 1 if model["further"] else 2, "shape": shape},
            "hovertemplate": f"<b>{chart_text(model['name'])}</b><br>"
            f"{name} %{{x:.3f}}<br>{y} %{{y:.3f}}<extra></extra>",
            "showlegend": place == 0 and not model["further"],
        }


def _marked(mark: OperatingMark, color: str) -> Iterator[Plotly]:
    if mark.place is None:
        return
    rate, sensitivity, precision = mark.place
    for place, (x, y) in enumerate(((rate, sensitivity), (sensitivity, precision))):
        yield _point(place, x, y) | {
            "name": mark.name,
            "legendgroup": f"mark {mark.name}",
            "marker": {
                "symbol": MARK_SYMBOLS[mark.name],
                "size": 9,
                "color": color,
                "line": {"color": TEXT, "width": 1},
            },
            "hovertemplate": f"<b>{mark.name}</b><br>%{{x:.3f}}, %{{y:.3f}}<extra></extra>",
            "showlegend": place == 0,
        }


def _reader(reader: OperatingMark, prevalence: float | None = None) -> Iterator[Plotly]:
    """Yield the star of another label source, or of a class at the `prevalence` of all films, in the text color."""
    if reader.place is None:
        return
    rate, sensitivity, precision = reader.place
    if prevalence is not None:
        (precision,) = rounded(precision_at(prevalence, np.array([rate]), np.array([sensitivity])))
    for place, (x, y) in enumerate(((rate, sensitivity), (sensitivity, precision))):
        yield _point(place, x, y) | {
            "name": tick_text(reader.name),
            "legendgroup": chart_text(f"reader {reader.name}"),
            "marker": {"symbol": "star", "size": 11, "color": TEXT},
            "hovertemplate": f"<b>{chart_text(reader.name)}</b><br>%{{x:.3f}}, %{{y:.3f}}<extra></extra>",
            "showlegend": place == 0,
        }


def _group(held: ReadingGroup, prevalence: float) -> Iterator[Plotly]:
    """Yield a full star for the majority of a class or review, and hollow stars for its members.

    They often read films of another prevalence, so their precision is that at the `prevalence` of all films.
    """
    if held.most is not None:
        yield from _reader(held.most, prevalence)
    points = [(mark.name, mark.place) for mark in held.each if mark.place is not None]
    rate, caught = np.array([place[:2] for _, place in points]).reshape(-1, 2).T
    for chart, (x, y) in enumerate(((rate, caught), (caught, precision_at(prevalence, rate, caught)))):
        yield axes_of(chart) | {
            "type": "scatter",
            "mode": "markers",
            "name": chart_text(f"{held.members} of {held.title}"),
            "legendgroup": chart_text(f"{held.members} {held.title}"),
            "x": rounded(x),
            "y": rounded(y),
            "text": [chart_text(name) for name, _ in points],
            "marker": {"symbol": "star-open", "size": 9, "color": TEXT},
            "hovertemplate": "<b>%{text}</b><br>%{x:.3f}, %{y:.3f}<extra></extra>",
            "cliponaxis": False,
            "showlegend": chart == 0 and bool(points),
        }


def _slider_mark() -> Iterator[Plotly]:
    for place in range(2):
        yield _point(place, None, None) | {
            "name": LIVE_MARK,
            "marker": {"symbol": "circle-open", "size": 15, "color": TEXT, "line": {"width": 2}},
            "hoverinfo": "skip",
            "showlegend": False,
        }


def _point(place: int, x: float | None, y: float | None) -> Plotly:
    return axes_of(place) | {"type": "scatter", "mode": "markers", "x": [x], "y": [y], "cliponaxis": False}


def _layout() -> Plotly:
    def rates(title: str, **more: object) -> Plotly:
        return axis(title, range=[-0.01, 1.01], tickvals=_TICKS, tickformat=".1f", **more)

    return layout(
        height=HEIGHT,
        margin={"l": 52, "r": 12, "t": 56, "b": 44},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.04, "yanchor": "bottom", "font": SMALL_FONT},
        xaxis=rates("false positive rate (1 \u2212 specificity)", domain=[0, 0.46]),
        yaxis=rates("sensitivity"),
        xaxis2=rates("recall (sensitivity)", domain=[0.54, 1], anchor="y2"),
        yaxis2=rates("precision (PPV on these films)", anchor="x2"),
    )

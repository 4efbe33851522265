"""Charts imported readers on a finding's curves: a circle for their calls, a thin line for their ratings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.core.arrays import Floats, ratio
from explorer.ui.evaluate.panels.finding_people import People
from explorer.ui.shared.chart_look import Plotly, chart_text
from explorer.ui.shared.theme import TEXT

READERS = "readers"


def people_traces(people: People, prevalence: float) -> Iterator[Plotly]:
    """Yield the readers' lines, then their circles; hovering names each.

    Readers often read films of another prevalence, so their precision is that at the `prevalence` of the curves' films.
    """
    for name, drawn in people.curves:
        rate, sensitivity = drawn.roc.x, drawn.roc.y
        steps = np.flatnonzero(np.diff(sensitivity, prepend=0) > 0)
        recall, precision = sensitivity[steps], precision_at(prevalence, rate[steps], sensitivity[steps])
        ends = (rate, sensitivity), (np.append(0.0, recall), np.append(precision[:1], precision))
        for chart, ((x, y), shape) in enumerate(zip(ends, ("linear", "vh"), strict=True)):
            yield axes_of(chart) | {
                "type": "scatter",
                "mode": "lines",
                "name": chart_text(name),
                "legendgroup": READERS,
                "x": rounded(x),
                "y": rounded(y),
                "line": {"color": TEXT, "width": 1, "dash": "dot", "shape": shape},
                "opacity": 0.6,
                "hovertemplate": f"<b>{chart_text(name)}</b>, ratings<br>%{{x:.3f}}, %{{y:.3f}}<extra></extra>",
                "showlegend": False,
            }
    placed = [(mark.name, mark.place[:2]) for mark in people.marks if mark.place is not None]
    rates, caught = np.array([place for _, place in placed]).reshape(-1, 2).T
    for chart, (x, y) in enumerate(((rates, caught), (caught, precision_at(prevalence, rates, caught)))):
        yield axes_of(chart) | {
            "type": "scatter",
            "mode": "markers",
            "name": READERS,
            "legendgroup": READERS,
            "x": rounded(x),
            "y": rounded(y),
            "text": [chart_text(name) for name, _ in placed],
            "marker": {"symbol": "circle", "size": 8, "color": TEXT},
            "hovertemplate": "<b>%{text}</b><br>%{x:.3f}, %{y:.3f}<extra></extra>",
            "cliponaxis": False,
            "showlegend": chart == 0 and bool(placed),
        }


def precision_at(prevalence: float, rate: Floats, sensitivity: Floats) -> Floats:
    """Return precision at a prevalence (n,), from false positive rate and sensitivity (n,); NaN without a call."""
    hits, false_alarms = prevalence * sensitivity, (1 - prevalence) * rate
    return ratio(hits, hits + false_alarms)


def axes_of(place: int) -> Plotly:
    """Return the axes of one of the two charts."""
    return {"xaxis": "x", "yaxis": "y"} if place == 0 else {"xaxis": "x2", "yaxis": "y2"}


def rounded(values: Floats) -> list[float | None]:
    return [None if value != value else round(float(value), 4) for value in values]

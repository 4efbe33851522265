"""Charts what perturbations change: a small chart for each kind with strengths, and rows for the other kinds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from explorer.analysis.robustness.level_metrics import LOWER_IS_BETTER, ChangedMeasure
from explorer.analysis.robustness.report import LevelResult, Robustness
from explorer.analysis.robustness.table import MEASURE_NAMES
from explorer.core.arrays import or_none
from explorer.core.figures import difference_text, share_text
from explorer.core.word_lists import comma_list
from explorer.published.perturbed_teams import perturbed_teams
from explorer.ui.evaluate.panels.small_charts import axis_number, small_charts
from explorer.ui.shared.chart_look import MODEL_COLORS, Plotly, axis, chart_text, error_bars
from explorer.ui.shared.row_chart import named_rows
from explorer.ui.shared.theme import MUTED

# As the paper prints them. Its ECE looks like 1 - ECE, so no change of ours stands beside it.
PRINTED: Mapping[ChangedMeasure, str] = {
    "AP": "mAP",
    "AUROC": "AUROC",
    "F1": "F1",
    "precision": "Precision",
    "sensitivity": "Recall",
}
PAPER_NAME = "CXR-LT 2026, another test set"
DRAWN = 10  # kinds with strengths
_STRENGTHS = {"range": [0.6, 5.4], "tickvals": [1, 2, 3, 4, 5]}
_ZERO = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 0, "y1": 0, "line": {"color": MUTED, "width": 1}}


def strengths_chart(found: Robustness, part: int, measure: ChangedMeasure) -> Plotly | None:
    """Return a chart for each of the costliest kinds with strengths, on one scale; None without any."""
    kinds = _by_cost(found, part, measure)[:DRAWN]
    if not kinds:
        return None
    traces = [_line(results, part, measure, place) for place, results in enumerate(kinds)]
    ends = [0.0, *(end for results in kinds for each in results for end in _ends(each, part, measure))]
    room = 0.06 * ((max(ends) - min(ends)) or 1.0)
    span = [min(ends) - room, max(ends) + room]
    titles = [results[0].level.kind.title for results in kinds]
    return small_charts(traces, titles, _STRENGTHS, {"range": span, "tickformat": "+.2f"})


def not_drawn_words(found: Robustness, part: int, measure: ChangedMeasure) -> str:
    """Return which kinds with strengths have no chart, and by how much they change the mean at most."""
    rest = _by_cost(found, part, measure)[DRAWN:]
    if not rest:
        return ""
    changes = [abs(each.changes.at(part, measure).value) for results in rest for each in results]
    most = max((change for change in changes if not math.isnan(change)), default=0.0)
    names = comma_list(results[0].level.kind.title for results in rest)
    return f"Not drawn, because they cost less and change it by at most {share_text(most, 3)}: {names}."


def switched_chart(found: Robustness, part: int, measure: ChangedMeasure) -> Plotly | None:
    """Return a row for each kind that is on or off, costliest first, above the published teams of Task 1.

    Without teams for a metric that the paper does not print.
    """
    results = [each for each in found.results if not each.level.strength]
    results.sort(key=lambda each: _gain([each], part, measure))
    if not results:
        return None
    changes = [each.changes.at(part, measure) for each in results]
    values, low, high = ([or_none(getattr(each, end)) for each in changes] for end in ("value", "low", "high"))
    printed = perturbed_teams(PRINTED[measure]) if measure in PRINTED else ()
    teams = [each for each in printed if each.task == "task1"]
    traces: list[Plotly] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": chart_text(found.model),
            "x": values,
            "y": [-line for line in range(len(results))],
            "marker": {"color": MODEL_COLORS[0], "size": 7},
            "error_x": error_bars(values, low, high, MODEL_COLORS[0]),
            "hovertext": [_hover(each, part, measure) for each in results],
            "hovertemplate": "%{hovertext}<extra></extra>",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "name": PAPER_NAME,
            "x": [each.change for each in teams],
            "y": [-line for line in range(len(results), len(results) + len(teams))],
            "marker": {"symbol": "diamond-open", "color": MUTED, "size": 8},
            "hovertext": [
                f"<b>Team {each.team}</b>, perturbed films as the paper chose them<br>{each.metric} "
                f"{difference_text(each.change)}"
                for each in teams
            ],
            "hovertemplate": "%{hovertext}<extra></extra>",
        },
    ]
    names = [*(each.level.kind.title for each in results), *(f"CXR-LT 2026, team {each.team}" for each in teams)]
    ends = [0.0, *(end for each in results for end in _ends(each, part, measure)), *(each.change for each in teams)]
    title = f"change of {MEASURE_NAMES[measure]}"
    zero = {**_ZERO, "x1": 0, "xref": "x", "y1": 1, "yref": "paper"}
    legend = [found.model, *[PAPER_NAME] * bool(teams)]
    return named_rows(traces[: len(legend)], names, axis(title, tickformat="+.2f"), ends, legend=legend, shapes=[zero])


def switched_title(measure: ChangedMeasure) -> str:
    """Return the heading of the chart of kinds that are on or off."""
    if measure in PRINTED:
        return "Kinds that are on or off, and the teams of CXR-LT 2026 (another test set)"
    return (
        "Kinds that are on or off. CXR-LT 2026 prints something like 1 \N{MINUS SIGN} ECE, so its teams are not shown"
    )


def _by_cost(found: Robustness, part: int, measure: ChangedMeasure) -> list[tuple[LevelResult, ...]]:
    """Return the kinds with strengths, costliest first."""
    kinds = [results for results in found.kinds().values() if results[0].level.strength]
    return sorted(kinds, key=lambda results: _gain(results, part, measure))


def _gain(results: Sequence[LevelResult], part: int, measure: ChangedMeasure) -> float:
    """Return the mean change over the levels where it is defined, negative if the model gets worse; else infinity."""
    changes = [each.changes.at(part, measure).value for each in results]
    known = [change for change in changes if not math.isnan(change)]
    sign = -1 if measure in LOWER_IS_BETTER else 1
    return sign * sum(known) / len(known) if known else math.inf


def _line(results: Sequence[LevelResult], part: int, measure: ChangedMeasure, place: int) -> Plotly:
    changes = [each.changes.at(part, measure) for each in results]
    values, low, high = ([or_none(getattr(each, end)) for each in changes] for end in ("value", "low", "high"))
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [each.level.strength for each in results],
        "y": values,
        "xaxis": f"x{axis_number(place)}",
        "yaxis": f"y{axis_number(place)}",
        "line": {"color": MODEL_COLORS[0], "width": 1},
        "marker": {"color": MODEL_COLORS[0], "size": 5},
        "error_y": error_bars(values, low, high, MODEL_COLORS[0]),
        "hovertext": [_hover(each, part, measure) for each in results],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
    }


def _hover(result: LevelResult, part: int, measure: ChangedMeasure) -> str:
    change = result.changes.at(part, measure)
    strength = f", strength {result.level.strength}" if result.level.strength else ""
    figure = difference_text(change.value, change.low, change.high)
    return f"<b>{chart_text(result.level.kind.title)}</b>{strength}<br>{MEASURE_NAMES[measure]} {figure}"


def _ends(result: LevelResult, part: int, measure: ChangedMeasure) -> list[float]:
    change = result.changes.at(part, measure)
    return [end for end in (change.value, change.low, change.high) if not math.isnan(end)]

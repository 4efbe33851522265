"""The leaderboard as a chart: a dot with its interval for each model, the best on top, for each group of findings."""

from __future__ import annotations

import numpy as np

from explorer.analysis.leaderboard.groups import Part
from explorer.analysis.leaderboard.joint_metrics import SMALL_IS_GOOD, Measure
from explorer.analysis.leaderboard.report import MEANS, BoardReport
from explorer.core.arrays import or_none
from explorer.metrics.joint_means import JointMeans
from explorer.ui.shared.chart_look import Plotly, axis, chart_text, error_bars, hover_figure, layout, tick_text
from explorer.ui.shared.theme import ACCENT, HAIRLINE, MUTED, TEXT

LINE, FRAME = 22, 76  # px: a model, and what is above and below all of them


def board_charts(report: BoardReport, measure: Measure) -> list[Plotly]:
    """Data and layout for `Plotly.react`, of each part of the board in its order."""
    board = report.board
    return [_chart(report, part, board.means[place, measure], measure) for place, part in enumerate(board.parts)]


def _chart(report: BoardReport, part: Part, means: JointMeans, measure: Measure) -> Plotly:
    names, reference = report.board.models, report.reference
    value = np.asarray(means.point, dtype=float)
    best = np.argsort(value if measure in SMALL_IS_GOOD else -value, kind="stable")  # what is undefined comes last
    ends = [means.interval(int(model)) or (None, None) for model in best]
    values, low, high = [or_none(value[model]) for model in best], [end[0] for end in ends], [end[1] for end in ends]
    where = part.name if part.center is None else f"at {part.center}"
    dots: Plotly = {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": list(range(len(best))),
        "marker": {"color": [ACCENT if model == reference else TEXT for model in best], "size": 7},
        "error_x": error_bars(values, low, high, MUTED),
        "hovertext": [
            f"<b>{chart_text(names[model])}</b><br>{MEANS[measure]} {hover_figure(*each)}"
            for model, *each in zip(best, values, low, high, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    title = f"{MEANS[measure]}, {where}: {len(means.counted)} of {len(part.members)} findings, {part.films:,} films"
    return {"data": [dots], "layout": _layout([names[model] for model in best], title, or_none(value[reference]))}


def _layout(names: list[str], title: str, reference: float | None) -> Plotly:
    line = {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "line": {"color": HAIRLINE, "width": 1, "dash": "dot"}}
    return layout(
        height=LINE * len(names) + FRAME,
        margin={"l": 12, "r": 16, "t": 12, "b": 56},
        showlegend=False,
        xaxis=axis(chart_text(title), tickformat=".2f"),
        yaxis=axis(
            "",
            range=[len(names) - 0.5, -0.5],  # the first one on top
            tickvals=list(range(len(names))),
            ticktext=[tick_text(name) for name in names],
            showgrid=False,
            automargin=True,
        ),
        shapes=[] if reference is None else [{**line, "x0": reference, "x1": reference}],
    )

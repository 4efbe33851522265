"""Charts the leaderboard: for each group of findings, a dot with its interval per model, best on top."""

from __future__ import annotations

import numpy as np

from explorer.analysis.leaderboard.groups import BoardPart
from explorer.analysis.leaderboard.joint_metrics import LOWER_IS_BETTER, BoardMeasure
from explorer.analysis.leaderboard.report import MEAN_NAMES, BoardReport
from explorer.cohorts.counted import cases_text, counted_by
from explorer.core.arrays import or_none
from explorer.metrics.joint_means import JointMeans
from explorer.ui.shared.chart_look import Plotly, axis, chart_text, error_bars, hover_figure, layout, tick_text
from explorer.ui.shared.theme import ACCENT, HAIRLINE, MUTED, TEXT

ROW_PX, FRAME_PX = 22, 76  # px per model, and above and below all models


def board_charts(report: BoardReport, measure: BoardMeasure) -> list[Plotly]:
    """Return data and layout for `Plotly.react` for each part of the board, in order."""
    board = report.board
    return [_chart(report, part, board.means[place, measure], measure) for place, part in enumerate(board.parts)]


def _chart(report: BoardReport, part: BoardPart, means: JointMeans, measure: BoardMeasure) -> Plotly:
    names, reference = report.board.models, report.reference
    value = np.asarray(means.point, dtype=float)
    best = np.argsort(value if measure in LOWER_IS_BETTER else -value, kind="stable")  # NaN sorts last
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
            f"<b>{chart_text(names[model])}</b><br>{MEAN_NAMES[measure]} {hover_figure(*each)}"
            for model, *each in zip(best, values, low, high, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    title = (
        f"{MEAN_NAMES[measure]}, {where}: {len(means.counted)} of {len(part.members)} findings, "
        f"{cases_text(part.films, counted_by(report.cohort))}"
    )
    return {"data": [dots], "layout": _layout([names[model] for model in best], title, or_none(value[reference]))}


def _layout(names: list[str], title: str, reference: float | None) -> Plotly:
    line = {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "line": {"color": HAIRLINE, "width": 1, "dash": "dot"}}
    return layout(
        height=ROW_PX * len(names) + FRAME_PX,
        margin={"l": 12, "r": 16, "t": 12, "b": 56},
        showlegend=False,
        xaxis=axis(chart_text(title), tickformat=".2f"),
        yaxis=axis(
            "",
            range=[len(names) - 0.5, -0.5],  # first on top
            tickvals=list(range(len(names))),
            ticktext=[tick_text(name) for name in names],
            showgrid=False,
            automargin=True,
        ),
        shapes=[] if reference is None else [{**line, "x0": reference, "x1": reference}],
    )

"""Which models a chart draws in a color of their own, always the same ones: a line a model is soon too many lines."""

from __future__ import annotations

from typing import TypedDict

from explorer.analysis.leaderboard.report import BoardReport
from explorer.ui.shared.chart_look import EXTRA_MODEL_COLOR, MODEL_COLORS


class ColorPayload(TypedDict):
    """A model with its color; `further`: there are more models than colors, and this one is gray."""

    name: str
    color: str
    further: bool


def colors_of(report: BoardReport) -> list[ColorPayload]:
    """The models in their order: the reference has the first color, the best by mAP the others, the rest is gray."""
    places = [report.reference, *(place for place in report.rows if place != report.reference)]
    color = dict(zip(places, MODEL_COLORS, strict=False))
    return [
        {"name": name, "color": color.get(place, EXTRA_MODEL_COLOR), "further": place not in color}
        for place, name in enumerate(report.board.models)
    ]

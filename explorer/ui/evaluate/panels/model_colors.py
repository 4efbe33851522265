"""Assigns colors to models, the same ones in all charts, because few lines can be told apart."""

from __future__ import annotations

from typing import TypedDict

from explorer.analysis.leaderboard.report import BoardReport
from explorer.ui.shared.chart_look import EXTRA_MODEL_COLOR, MODEL_COLORS


class ColorPayload(TypedDict):
    """A model with its color; `further`: it is gray because there are more models than colors."""

    name: str
    color: str
    further: bool


def model_colors(report: BoardReport) -> list[ColorPayload]:
    """Return the models in order: the reference gets the first color, the best by mAP the others, the rest gray."""
    places = [report.reference, *(place for place in report.rows if place != report.reference)]
    color = dict(zip(places, MODEL_COLORS, strict=False))
    return [
        {"name": name, "color": color.get(place, EXTRA_MODEL_COLOR), "further": place not in color}
        for place, name in enumerate(report.board.models)
    ]

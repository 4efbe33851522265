"""What the script of Ask is answered."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.asking.answer_json import AskAnswer
from explorer.ui.viewer.payload import BoxPayload, VerdictPayload


class HeatPayload(TypedDict):
    """The raw map (g, g) over the square input, float32, little endian; where the film lies in it; its fixed scale."""

    map: str
    grid: int
    box: BoxPayload
    heat_maximum: float | None


class AskedPayload(AskAnswer):
    """The answer, and its map or why there is none."""

    stage: Literal["answer"]
    heat: HeatPayload | None
    no_heat: str
    title: str


class NotAskedPayload(TypedDict):
    """Of a film that the gate refuses no more than why."""

    stage: Literal["refused"]
    verdict: VerdictPayload


class AskedModelPayload(TypedDict):
    """The model that is asked about a film, and its own templates, one on each line."""

    model: str
    title: str
    templates: str

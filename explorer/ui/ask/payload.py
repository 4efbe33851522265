"""What the script of Ask is answered."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.asking.answer import Asked, Mapped, Verdict
from explorer.asking.answer_json import AskAnswer, PredictedAnswer, ask_payload, predicted_payload
from explorer.reading.finding_json import MapWorthAnswer, map_payload
from explorer.ui.viewer.payload import BoxPayload, VerdictPayload, box_payload, packed_heat


class HeatPayload(TypedDict):
    """The raw map (g, g) over the square input, float32, little endian; where the film lies in it; its fixed scale.

    `worth`: how often such maps find the finding that the text is taken for.
    """

    map: str
    grid: int
    box: BoxPayload
    heat_maximum: float | None
    worth: MapWorthAnswer


class AskedPayload(AskAnswer):
    """The answer, and its map or why there is none."""

    stage: Literal["answer"]
    heat: HeatPayload | None
    no_heat: str
    title: str


class JudgedPayload(TypedDict):
    """What an answer is worth at another prevalence."""

    stage: Literal["judged"]
    verdict: Verdict
    said: str
    why: str
    predicted: PredictedAnswer | None


class NotAskedPayload(TypedDict):
    """Of a film that the gate refuses no more than why."""

    stage: Literal["refused"]
    verdict: VerdictPayload


class AskedModelPayload(TypedDict):
    """The model that is asked about a film, and its own templates, one on each line."""

    model: str
    title: str
    templates: str


def asked_payload(answer: Asked, title: str, *, simulated: bool) -> AskedPayload:
    """The answer of the model with this title; `simulated` is the film."""
    return {
        "stage": "answer",
        **ask_payload(answer, simulated=simulated),
        "heat": _heat(answer.heat, answer) if answer.heat else None,
        "no_heat": answer.no_heat,
        "title": title,
    }


def judged_payload(answer: Asked) -> JudgedPayload:
    """Of an answer what a prevalence changes."""
    return {
        "stage": "judged",
        "verdict": answer.verdict,
        "said": answer.said,
        "why": answer.why,
        "predicted": predicted_payload(answer.predicted),
    }


def _heat(heat: Mapped, answer: Asked) -> HeatPayload:
    finding = answer.taken_for.finding if answer.taken_for else answer.scored
    return {
        "map": packed_heat(heat.map),
        "grid": heat.map.shape[-1],
        "box": box_payload(heat.box),
        "heat_maximum": heat.maximum,
        "worth": map_payload(heat.worth, finding),
    }

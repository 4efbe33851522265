"""The payloads of Ask's script."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.asking.answer import AskVerdict, FilmAnswer, MarginMap
from explorer.asking.answer_json import AskAnswer, PredictedAnswer, ask_payload, predicted_payload
from explorer.reading.anatomy import map_places
from explorer.reading.anatomy_json import MapPlaceAnswer, map_place_answer
from explorer.reading.finding_json import MapWorthAnswer, map_payload
from explorer.ui.viewer.payload import BoxPayload, VerdictPayload, box_payload, packed_heat
from models.anatomy import Anatomy


class HeatPayload(TypedDict):
    """The raw map (g, g) over the square input, little-endian float32; the film's place in the square; the fixed scale.

    `worth` says how often such maps locate the finding that the text was matched to, `place` where this one is hottest.
    """

    map: str
    grid: int
    box: BoxPayload
    heat_maximum: float | None
    worth: MapWorthAnswer
    place: MapPlaceAnswer


class AskedPayload(AskAnswer):
    """The answer, and its map or the reason why there is none."""

    stage: Literal["answer"]
    heat: HeatPayload | None
    no_heat: str
    title: str


class PrevalenceVerdictPayload(TypedDict):
    """The verdict of an answer at another prevalence."""

    stage: Literal["judged"]
    verdict: AskVerdict
    said: str
    why: str
    predicted: PredictedAnswer | None


class NotAskedPayload(TypedDict):
    """The gate refused the film: only its verdict."""

    stage: Literal["refused"]
    verdict: VerdictPayload


class AskedModelPayload(TypedDict):
    """The model that answers about a film, and its templates, one per line."""

    model: str
    title: str
    templates: str


def asked_payload(answer: FilmAnswer, title: str, *, simulated: bool, outlines: Anatomy | str = "") -> AskedPayload:
    """The answer of the model with this title; `simulated` says whether the film is.

    `outlines` are the film's anatomy, or why it is not known.
    """
    return {
        "stage": "answer",
        **ask_payload(answer, simulated=simulated),
        "heat": _heat(answer.heat, answer, outlines) if answer.heat else None,
        "no_heat": answer.no_heat,
        "title": title,
    }


def prevalence_verdict_payload(answer: FilmAnswer) -> PrevalenceVerdictPayload:
    """The parts of an answer that depend on the prevalence."""
    return {
        "stage": "judged",
        "verdict": answer.verdict,
        "said": answer.said,
        "why": answer.why,
        "predicted": predicted_payload(answer.predicted),
    }


def _heat(heat: MarginMap, answer: FilmAnswer, outlines: Anatomy | str) -> HeatPayload:
    finding = answer.taken_for.finding if answer.taken_for else answer.scored
    (place,) = map_places(outlines, [finding], heat.map[None], heat.box)
    return {
        "map": packed_heat(heat.map),
        "grid": heat.map.shape[-1],
        "box": box_payload(heat.box),
        "heat_maximum": heat.maximum,
        "worth": map_payload(heat.worth, finding),
        "place": map_place_answer(answer.scored, place),
    }

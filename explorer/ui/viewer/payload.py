"""Films and readings as JSON, for the page's script and for callers of `/read`."""

from __future__ import annotations

import base64
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.cases.cohort_context import CohortContext
from explorer.analysis.cases.cohort_context_json import (
    CohortAnswer,
    TrainingFilmAnswer,
    cohort_payload,
    training_payload,
)
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.reading.anatomy import map_places
from explorer.reading.anatomy_json import AnatomyAnswer, MapPlaceAnswer, map_place_answer
from explorer.reading.finding_json import (
    FindingAnswer,
    FindingFreeAnswer,
    chosen_here_words,
    finding_free_payload,
    row_payload,
)
from explorer.reading.finding_list import not_looked_for
from explorer.reading.headline import headline
from explorer.reading.map_worth import map_unit, method_words, similar_maps_words
from explorer.reading.png16 import film_to_png
from explorer.reading.reader import DecodedFilm, InputBox, MappedFilm, Reading
from explorer.reading.stability import FilmStability
from explorer.reading.stability_json import StabilityAnswer, stability_answer
from models.anatomy import Anatomy
from models.cards.card import Card
from models.films.amend import Remedy
from models.films.burned_in import text_regions
from models.films.film import Sides, SpacingPlane
from models.gate.judgment import CheckName, Verdict

NOTED_CHANGES = ("mirrored", "turned", "resampled", "inverted on request")  # notes that the page always shows


class SpacingPayload(TypedDict):
    """Millimeters per pixel, down and across, and the plane where they were measured."""

    mm: list[float]
    at: SpacingPlane | None


class FilmPayload(TypedDict):
    """A film: 16-bit levels as a PNG, height and width, and its metadata.

    `changes` are the notes that the page always shows; `sha256` is the start of the file's hash.
    """

    image: str
    checksum: int
    size: list[int]
    view: str
    sides: Sides
    simulated: bool
    spacing: SpacingPayload | None
    notes: list[str]
    changes: list[str]
    sha256: str
    decode_ms: float


class BoxPayload(TypedDict):
    """Where the film lies in the square of a map, in pixels of the model's input."""

    size: int
    inner: list[int]
    offset: list[int]


class VerdictPayload(TypedDict):
    """The gate's verdict: `reason` is empty if the film can be read, and `check`, the check that refused it, is null.

    `cautions` warn of what may mislead the model anyway; `remedy` is a change that would help, or null.
    """

    readable: bool
    check: CheckName | None
    reason: str
    advice: str
    remedy: Remedy | None
    cautions: list[str]


class ModelPayload(TypedDict):
    """The model and the device it ran on."""

    name: str
    title: str
    device: str


class HeadlinePayload(TypedDict):
    """The headline of a reading, its detail in smaller type, and a warning if the film is unlike the test films."""

    title: str
    detail: str


class OpinionPayload(TypedDict):
    """The rows of a reading and their provenance; `thresholds_chosen` says which thresholds are not the model's own.

    `far`: the film is unlike the test films; null while the join is pending, for which the headline waits.
    """

    stage: Literal["opinion"]
    verdict: VerdictPayload
    rows: list[FindingAnswer]
    not_looked_for: list[str]
    finding_free: FindingFreeAnswer | None
    thresholds_chosen: str
    model: ModelPayload
    times_ms: dict[str, float]
    headline: HeadlinePayload
    far: bool | None


class FilmHeatPayload(TypedDict):
    """Raw heat maps (findings, g, g) over the square input, little-endian float32; and the film's place in it.

    `alike` is a sentence if these findings' maps are nearly the same on this film, else empty. `places` are in the
    order of `findings`, without words if the film's anatomy was not outlined.
    """

    stage: Literal["heat"]
    findings: list[str]
    maps: str
    grid: int
    box: BoxPayload
    heat_maximum: float | None
    unit: str
    method: str
    alike: str
    places: list[MapPlaceAnswer]
    heat_ms: float


def film_payload(film: DecodedFilm) -> FilmPayload:
    """The film as the viewer draws it."""
    radiograph = film.radiograph
    image, checksum = film_to_png(radiograph.pixels)
    spacing = radiograph.spacing_mm
    return {
        "image": "data:image/png;base64," + base64.b64encode(image).decode("ascii"),
        "checksum": checksum,
        "size": list(radiograph.pixels.shape),
        "view": radiograph.view,
        "sides": radiograph.sides,
        "simulated": radiograph.simulated,
        "spacing": None if spacing is None else {"mm": list(spacing), "at": radiograph.spacing_at},
        "notes": list(radiograph.notes),
        "changes": [note.partition(":")[0] for note in radiograph.notes if note.startswith(NOTED_CHANGES)],
        "sha256": radiograph.sha256[:12],
        "decode_ms": film.decode_ms,
    }


def opinion_payload(reading: Reading, *, far: bool | None) -> OpinionPayload:
    """The model's reading of a film; `far`: it is unlike the test films, None if not yet known."""
    card = reading.card
    return {
        "stage": "opinion",
        "verdict": verdict_payload(reading.verdict),
        "rows": [row_payload(row) for row in reading.rows],
        "not_looked_for": list(not_looked_for(card)),
        "finding_free": finding_free_payload(card.finding_free),
        "thresholds_chosen": chosen_here_words(card),
        "model": {"name": card.name, "title": _title(card), "device": reading.device},
        "times_ms": times_ms(reading),
        "headline": headline_payload(reading, far=far is True),
        "far": far,
    }


def headline_payload(reading: Reading, *, far: bool) -> HeadlinePayload:
    """The headline of a reading; `far`: the film is unlike the test films."""
    first = headline(reading.rows, not_looked_for(reading.card), reading.verdict, far=far)
    return {"title": first.title, "detail": first.detail}


def _title(card: Card) -> str:
    """The card's title, followed by whatever had to be assumed about the model."""
    return " ".join([card.title + ".", "Not stated, so assumed:", *card.guessed]) if card.guessed else card.title


def heat_payload(mapped: MappedFilm, card: Card, outlines: Anatomy | str = "") -> FilmHeatPayload:
    """The heat maps of some findings of a film; `outlines` are its anatomy, or why it is not known."""
    places = map_places(outlines, mapped.findings, mapped.heat.maps, mapped.heat.box)
    return {
        "stage": "heat",
        "findings": list(mapped.findings),
        "maps": packed_heat(mapped.heat.maps),
        "grid": mapped.heat.maps.shape[-1],
        "box": box_payload(mapped.heat.box),
        "heat_maximum": card.heat_maximum,
        "unit": map_unit(card.heat_method),
        "method": method_words(card.heat_method),
        "alike": similar_maps_words(mapped.similarity),
        "places": [map_place_answer(*each) for each in zip(mapped.findings, places, strict=True)],
        "heat_ms": mapped.heat_ms,
    }


def packed_heat(heat: NDArray[np.float32]) -> str:
    """Raw maps (..., g, g) for the viewer: float32, little endian, base64."""
    return base64.b64encode(np.ascontiguousarray(heat, dtype="<f4").tobytes()).decode("ascii")


def box_payload(box: InputBox) -> BoxPayload:
    """Where the film lies in the square of a map."""
    return {"size": box.size, "inner": list(box.inner), "offset": list(box.offset)}


def verdict_payload(verdict: Verdict) -> VerdictPayload:
    """The gate's verdict."""
    return {
        "readable": verdict.readable,
        "check": verdict.details.check,
        "reason": verdict.reason,
        "advice": verdict.details.advice,
        "remedy": verdict.details.remedy,
        "cautions": list(verdict.cautions),
    }


def has_text(film: DecodedFilm) -> bool:
    """Whether text seems to be burned into the pixels; finding none proves nothing."""
    return bool(text_regions(film.radiograph.pixels))


def times_ms(reading: Reading) -> dict[str, float]:
    """Milliseconds of each step after decoding."""
    return {"wait": reading.wait_ms, "scores": reading.score_ms, "gate": reading.judge_ms}


class ReadAnswer(TypedDict):
    """The answer of `/read`. `findings` is empty if the film was refused and not read anyway.

    `cohort` is how often the model is wrong on similar films of a cohort; null without a comparison. `anatomy` and
    `stability` are null unless they were asked for.
    """

    model: str
    device: str
    readable: bool
    reason: str
    cautions: list[str]
    read_anyway: bool
    findings: list[FindingAnswer]
    cohort: CohortAnswer | None
    anatomy: AnatomyAnswer | None
    stability: StabilityAnswer | None
    training_film: TrainingFilmAnswer | None
    not_looked_for: list[str]
    finding_free: FindingFreeAnswer | None
    view: str
    simulated: bool
    notes: list[str]
    timings_ms: dict[str, float]
    use: str


def read_payload(
    film: DecodedFilm,
    reading: Reading,
    anyway: bool,
    join: CohortContext | None,
    anatomy: AnatomyAnswer | None = None,
    stability: FilmStability | None = None,
) -> ReadAnswer:
    """The answer of `/read`; `anyway` asks for findings even if the film is refused."""
    readable = reading.verdict.readable
    shown = readable or anyway
    return {
        "model": reading.card.name,
        "device": reading.device,
        "readable": readable,
        "reason": reading.verdict.reason,
        "cautions": list(reading.verdict.cautions),
        "read_anyway": anyway and not readable,
        "findings": [row_payload(row) for row in reading.rows] if shown else [],
        "cohort": cohort_payload(join) if shown and join else None,
        "anatomy": anatomy if shown else None,
        "stability": stability_answer(stability, reading.rows) if shown and stability else None,
        "training_film": training_payload(join) if shown else None,
        "not_looked_for": list(not_looked_for(reading.card)),
        "finding_free": finding_free_payload(reading.card.finding_free),
        "view": film.radiograph.view,
        "simulated": film.radiograph.simulated,
        "notes": list(film.radiograph.notes),
        "timings_ms": {"decode": film.decode_ms, **times_ms(reading)},
        "use": NOT_FOR_MEDICAL_USE,
    }

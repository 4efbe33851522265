"""The films that Simulate's script orders: the film, its masks, and the same patient without findings."""

from __future__ import annotations

import base64
import time
from typing import Literal, TypedDict

from explorer.reading.png16 import film_to_png
from explorer.reading.reader import timed_film
from explorer.school.preparing.ordered_scores import TRAINING_SEEDS
from explorer.simulator import Request, WrongRequest, describe
from explorer.simulator.address import PhantomFilm, make_address, parse_film_address
from explorer.simulator.film_png import render_film, simulated_png
from explorer.simulator.version import FIRST_DRAWING
from explorer.ui.shared.request_values import number_or_none
from explorer.ui.viewer import payload
from explorer.ui.viewer.mask_payload import MaskPayload, masks_payload
from models.radiograph import read_radiograph

PREVIEW_SIZE = 224  # pixels a side while a slider moves; the final film has its full size
MAX_FINDINGS = 8  # findings on one film
LAST_SEED = 999_999  # offered by the page; cases of the cohort have six digits


def ordered_film(sent: object) -> PhantomFilm:
    """The film of the script's order {center, seed, requests, version}; the seed decides what the order leaves open.

    Links without a version number date from the first version. Raises WrongRequest.
    """
    order = sent if isinstance(sent, dict) else {}
    center, seed, requests = order.get("center"), order.get("seed"), order.get("requests")
    if center not in ("A", "B") or type(seed) is not int or not isinstance(requests, list):
        raise WrongRequest(
            "There is no such center or patient", "Choose center A or B, and a whole number for the patient."
        )
    if len(requests) > MAX_FINDINGS:
        raise WrongRequest("Too many findings for one film", f"Choose up to {MAX_FINDINGS}.")
    drawing = describe(seed, center, order.get("version", FIRST_DRAWING)).drawing
    return parse_film_address(make_address(center, seed, [_request(each) for each in requests], drawing))


def _request(sent: object) -> Request:
    order = sent if isinstance(sent, dict) else {}
    finding, side, severity = (order.get(name) for name in ("finding", "side", "severity"))
    return Request(
        finding if isinstance(finding, str) else "",
        side if isinstance(side, str) and side else None,
        number_or_none(severity),
    )


def film_address(film: PhantomFilm) -> str:
    """The unique address of a film."""
    return film.address


def twin_film(film: PhantomFilm) -> PhantomFilm:
    """The film of the same patient without any finding."""
    return film.twin


class RequestPayload(TypedDict):
    """A finding of a simulated film; `side` is empty and `severity` null if the simulator chooses."""

    finding: str
    side: str
    severity: float | None


class PatientPayload(TypedDict):
    """The patient of a simulated film.

    `view` is the patient's position, if known; `trained`: the phantom models may have been trained on films of this
    patient.
    """

    sex: str
    age: int
    view: str
    trained: bool


class SimulatedFilmPayload(TypedDict):
    """A film at full size with its masks; `make_address` is unique, `case` is its name."""

    stage: Literal["film"]
    address: str
    case: str
    requests: list[RequestPayload]
    patient: PatientPayload
    film: payload.FilmPayload
    masks: list[MaskPayload]
    render_ms: float


class PreviewPayload(TypedDict):
    """A small preview: 16-bit levels as a PNG, and its masks."""

    stage: Literal["preview"]
    image: str
    checksum: int
    masks: list[MaskPayload]
    render_ms: float


def simulated_film_answer(film: PhantomFilm) -> SimulatedFilmPayload:
    """The film at full size for the viewer, with its masks and its patient. Raises WrongRequest."""
    start = time.perf_counter()
    where, patient = film_address(film), describe(film.seed, film.center, film.drawing)
    masks = render_film(where).masks
    render_ms = (time.perf_counter() - start) * 1000
    return {
        "stage": "film",
        "address": where,
        "case": film.case,
        "requests": requests_payload(film),
        "patient": {
            "sex": patient.sex,
            "age": patient.age,
            "view": patient.position,
            "trained": film.seed in TRAINING_SEEDS,
        },
        "film": payload.film_payload(timed_film(lambda: read_radiograph(simulated_png(where)))),
        "masks": masks_payload(masks),
        "render_ms": render_ms,
    }


def requests_payload(film: PhantomFilm) -> list[RequestPayload]:
    """The findings of a film, with all choices made."""
    return [{"finding": each.finding, "side": each.side or "", "severity": each.severity} for each in film.requests]


def preview_answer(film: PhantomFilm) -> PreviewPayload:
    """A small preview while a slider moves. Raises WrongRequest."""
    start = time.perf_counter()
    drawn = render_film(film_address(film), PREVIEW_SIZE)
    render_ms = (time.perf_counter() - start) * 1000
    image, checksum = film_to_png(drawn.pixels)
    return {
        "stage": "preview",
        "image": "data:image/png;base64," + base64.b64encode(image).decode("ascii"),
        "checksum": checksum,
        "masks": masks_payload(drawn.masks),
        "render_ms": render_ms,
    }

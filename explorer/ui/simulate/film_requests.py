"""Simulated films as the Simulate tab asks for them: the film of an order, its masks, the same patient without them."""

from __future__ import annotations

import base64
import time
from typing import Literal, TypedDict

from explorer.reading.png16 import packed_png
from explorer.reading.reader import timed_film
from explorer.simulator import Request, WrongRequest, describe
from explorer.simulator.address import PhantomFilm, address, parse
from explorer.simulator.cohort_sampling import CANDIDATES, TRAINING
from explorer.simulator.film_png import png, rendered
from explorer.simulator.version import FIRST
from explorer.ui.shared.request_values import number
from explorer.ui.viewer import payload
from explorer.ui.viewer.mask_payload import MaskPayload, masks_payload
from models.radiograph import read_radiograph

PREVIEW = 224  # pixels a side, while a slider moves; a film that stays has the size of its file
MOST = 8  # findings on one film
LAST_SEED = 999_999  # that the page offers: the cases of the cohort have six digits
TRAINED = range(TRAINING.first, TRAINING.first + sum(films for _, films in TRAINING.films) * CANDIDATES)


def film_in(sent: object) -> PhantomFilm:
    """The film that an order {center, seed, requests, version} of the script asks for; the seed decides what it leaves
    open. Links without a version are from the time of the first.

    Raises WrongRequest.
    """
    order = sent if isinstance(sent, dict) else {}
    center, seed, requests = order.get("center"), order.get("seed"), order.get("requests")
    if center not in ("A", "B") or type(seed) is not int or not isinstance(requests, list):
        raise WrongRequest("There is no such center or patient", "Choose center A or B, and a whole number as patient.")
    if len(requests) > MOST:
        raise WrongRequest("These are too many findings for one film", f"Ask for {MOST} at most.")
    drawing = describe(seed, center, order.get("version", FIRST)).drawing
    return parse(address(center, seed, [_request(each) for each in requests], drawing))


def _request(sent: object) -> Request:
    order = sent if isinstance(sent, dict) else {}
    finding, side, severity = (order.get(name) for name in ("finding", "side", "severity"))
    return Request(
        finding if isinstance(finding, str) else "",
        side if isinstance(side, str) and side else None,
        number(severity),
    )


def address_of(film: PhantomFilm) -> str:
    """The address of a film, which tells it from every other."""
    return film.address


def twin_of(film: PhantomFilm) -> PhantomFilm:
    """The same patient without a finding."""
    return film.twin


class RequestPayload(TypedDict):
    """A finding of a simulated film; `side` is empty and `severity` null where the simulator chooses."""

    finding: str
    side: str
    severity: float | None


class PatientPayload(TypedDict):
    """Who a simulated film is of.

    `view` says how they lay or sat, where that is known; `trained`: the phantom models may have been trained on films
    of this patient.
    """

    sex: str
    age: int
    view: str
    trained: bool


class SimulatedFilmPayload(TypedDict):
    """A film at full size with its masks; `address` tells it from every other, `case` is its name."""

    stage: Literal["film"]
    address: str
    case: str
    requests: list[RequestPayload]
    patient: PatientPayload
    film: payload.FilmPayload
    masks: list[MaskPayload]
    render_ms: float


class PreviewPayload(TypedDict):
    """A film at low size: 16-bit levels in a PNG, and its masks."""

    stage: Literal["preview"]
    image: str
    checksum: int
    masks: list[MaskPayload]
    render_ms: float


def film_answer(film: PhantomFilm) -> SimulatedFilmPayload:
    """The film at full size as the viewer draws it, with its masks and who it is of. Raises WrongRequest."""
    start = time.perf_counter()
    where, patient = address_of(film), describe(film.seed, film.center, film.drawing)
    masks = rendered(where).masks
    render_ms = (time.perf_counter() - start) * 1000
    return {
        "stage": "film",
        "address": where,
        "case": film.case,
        "requests": requests_payload(film),
        "patient": {"sex": patient.sex, "age": patient.age, "view": patient.position, "trained": film.seed in TRAINED},
        "film": payload.film_payload(timed_film(lambda: read_radiograph(png(where)))),
        "masks": masks_payload(masks),
        "render_ms": render_ms,
    }


def requests_payload(film: PhantomFilm) -> list[RequestPayload]:
    """The findings of a film, which are settled."""
    return [{"finding": each.finding, "side": each.side or "", "severity": each.severity} for each in film.requests]


def preview_answer(film: PhantomFilm) -> PreviewPayload:
    """The film at low size while a slider moves. Raises WrongRequest."""
    start = time.perf_counter()
    drawn = rendered(address_of(film), PREVIEW)
    render_ms = (time.perf_counter() - start) * 1000
    image, checksum = packed_png(drawn.pixels)
    return {
        "stage": "preview",
        "image": "data:image/png;base64," + base64.b64encode(image).decode("ascii"),
        "checksum": checksum,
        "masks": masks_payload(drawn.masks),
        "render_ms": render_ms,
    }

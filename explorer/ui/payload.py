"""Films and readings as plain JSON values: for the page's script, and for programs that call `/read`."""

from __future__ import annotations

import base64
from typing import Any, TypedDict

import numpy as np

from explorer.picture import png
from explorer.reading import Film, Reading, Row
from models.radiograph import Radiograph

NOT_FOR_MEDICAL_USE = "Not for medical use"
Json = dict[str, Any]


def film_payload(film: Film) -> Json:
    """The film as the viewer draws it: an 8-bit image and what stands around it."""
    radiograph = film.radiograph
    return {
        "image": "data:image/png;base64," + base64.b64encode(png(radiograph.pixels)).decode("ascii"),
        "size": list(radiograph.original_size),
        "view": radiograph.view,
        "spacing": spacing_words(radiograph),
        "notes": list(radiograph.notes),
        "decode_ms": film.decode_ms,
    }


def opinion_payload(reading: Reading) -> Json:
    """Rows; raw heat maps (rows, g, g) over the square input, float32, little endian; where the film lies in it."""
    card, box = reading.card, reading.box
    return {
        "rows": [row_payload(row) for row in reading.rows],
        "maps": base64.b64encode(np.ascontiguousarray(reading.maps, dtype="<f4").tobytes()).decode("ascii"),
        "grid": reading.maps.shape[-1],
        "box": {"size": box.size, "inner": list(box.inner), "offset": list(box.offset)},
        "heat_maximum": card.heat_maximum,
        "model": {"name": card.name, "title": card.title, "device": reading.device},
        "explain_ms": reading.explain_ms,
    }


class FindingAnswer(TypedDict):
    """One finding; `threshold`, `margin` and `above` are null where the model has no threshold for it.

    `warning` says why the score may mean something else than the finding, null where nothing is known against it.
    """

    finding: str
    score: float
    threshold: float | None
    margin: float | None
    above: bool | None
    warning: str | None


class Answer(TypedDict):
    """What the `/read` endpoint answers."""

    model: str
    device: str
    findings: list[FindingAnswer]
    view: str
    notes: list[str]
    timings_ms: dict[str, float]
    use: str


def row_payload(row: Row) -> FindingAnswer:
    """A row as the page and `/read` give it."""
    return {
        "finding": row.finding,
        "score": row.score,
        "threshold": row.threshold,
        "margin": row.margin,
        "above": row.above,
        "warning": row.warning,
    }


def read_payload(film: Film, reading: Reading) -> Answer:
    """The answer of the `/read` endpoint."""
    return {
        "model": reading.card.name,
        "device": reading.device,
        "findings": [row_payload(row) for row in reading.rows],
        "view": film.radiograph.view,
        "notes": list(film.radiograph.notes),
        "timings_ms": {"decode": film.decode_ms, "scores_and_maps": reading.explain_ms},
        "use": NOT_FOR_MEDICAL_USE,
    }


def spacing_words(radiograph: Radiograph) -> str | None:
    """Pixel spacing and where it holds; the two sides only where they differ."""
    if radiograph.spacing_mm is None:
        return None
    row, column = radiograph.spacing_mm
    figure = f"{row:.3g}" if abs(row - column) < 1e-6 else f"{row:.3g} x {column:.3g}"
    place = {"detector": " at detector", "patient": " in the patient", None: ""}[radiograph.spacing_at]
    return f"{figure} mm per pixel{place}"

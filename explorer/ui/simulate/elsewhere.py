"""The same simulated patient at the other center: the film, and the classifier's scores."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.core.findings import Outcome
from explorer.core.outcomes import outcome_of
from explorer.reading.reader import Reader, timed_film
from explorer.simulator.address import PhantomFilm
from explorer.simulator.film_png import other_center, render_elsewhere, simulated_png_elsewhere
from explorer.ui.simulate.film_requests import film_address
from explorer.ui.viewer import payload
from explorer.ui.viewer.mask_payload import MaskPayload, masks_payload
from models.radiograph import read_radiograph


class OtherCenterPayload(TypedDict):
    """The film at the other center, with its masks there."""

    stage: Literal["film"]
    center: str
    film: payload.FilmPayload
    masks: list[MaskPayload]


class ScoredThere(TypedDict):
    """A finding that the patient has, and the classifier's score at the other center."""

    finding: str
    score: float
    threshold: float | None
    outcome: Outcome | None


class OtherCenterScoresPayload(TypedDict):
    """The classifier's scores there, without findings it was never trained on."""

    stage: Literal["said"]
    model: str
    rows: list[ScoredThere]


def other_center_answer(film: PhantomFilm) -> OtherCenterPayload:
    """The patient of a film, imaged at the other center. Raises WrongRequest."""
    where = film_address(film)
    return {
        "stage": "film",
        "center": other_center(film.center),
        "film": payload.film_payload(timed_film(lambda: read_radiograph(simulated_png_elsewhere(where)))),
        "masks": masks_payload(render_elsewhere(where).masks),
    }


def read_other_center(film: PhantomFilm, reader: Reader) -> OtherCenterScoresPayload:
    """The classifier's scores of that film. Raises UnusableModel, QueueFull, WrongRequest."""
    where = film_address(film)
    reading = reader.read(read_radiograph(simulated_png_elsewhere(where)), name=f"{where} elsewhere")
    rows = {row.finding: row for row in reading.rows}
    return {
        "stage": "said",
        "model": reading.card.name,
        "rows": [
            {
                "finding": each.finding,
                "score": rows[each.finding].score,
                "threshold": rows[each.finding].threshold,
                "outcome": outcome_of("present", rows[each.finding].score, rows[each.finding].threshold),
            }
            for each in film.requests
            if each.finding in rows
        ],
    }

"""The same simulated patient imaged in another way, beside the film: the picture, and the classifier's scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

from explorer.core.figures import significant
from explorer.core.findings import Outcome
from explorer.core.outcomes import outcome_of
from explorer.reading.reader import Reader, timed_film
from explorer.simulator.address import PhantomFilm
from explorer.simulator.film_png import RenderedFilm, other_center, render_elsewhere, simulated_png_elsewhere
from explorer.simulator.perturbations.exposed_again import exposed_png, render_exposed
from explorer.simulator.perturbations.registry import PHYSICAL, physical_levels
from explorer.simulator.request import WrongRequest
from explorer.ui.simulate.film_requests import film_address
from explorer.ui.viewer import payload
from explorer.ui.viewer.mask_payload import MaskPayload, masks_payload
from models.perturbations.film import Level
from models.radiograph import read_radiograph

OTHER_CENTER = "centers"
_LEVELS: Mapping[str, Level] = {level.name: level for level in physical_levels()}


class ExposurePayload(TypedDict):
    """A way to image the patient again. `strengths` says what each does; a kind that is only on or off has none."""

    name: str
    title: str
    strengths: list[str]


class BesidePayload(TypedDict):
    """The film beside the ordered one, with its masks there, and how it differs."""

    stage: Literal["film"]
    name: str
    film: payload.FilmPayload
    masks: list[MaskPayload]


class ScoredThere(TypedDict):
    """A finding that the patient has, and the classifier's score there."""

    finding: str
    score: float
    threshold: float | None
    outcome: Outcome | None


class BesideScoresPayload(TypedDict):
    """The classifier's scores there, without findings it was never trained on."""

    stage: Literal["said"]
    model: str
    rows: list[ScoredThere]


@dataclass(frozen=True, slots=True)
class _Imaged:
    """How the film beside differs, and how to draw it."""

    name: str
    png: Callable[[], bytes]
    rendered: Callable[[], RenderedFilm]


def exposures() -> list[ExposurePayload]:
    """Return the ways to image a patient again, the equipment's first."""
    return [
        {"name": name, "title": kind.title, "strengths": [f"{kind.dial}: {significant(dial)}" for dial in kind.dials]}
        for name, kind in PHYSICAL.items()
    ]


def beside_answer(film: PhantomFilm, how: str) -> BesidePayload:
    """The patient of a film, imaged as `how` says: OTHER_CENTER or a level's name. Raises WrongRequest."""
    there = _imaged(film, how)
    return {
        "stage": "film",
        "name": there.name,
        "film": payload.film_payload(timed_film(lambda: read_radiograph(there.png()))),
        "masks": masks_payload(there.rendered().masks),
    }


def read_beside(film: PhantomFilm, how: str, reader: Reader) -> BesideScoresPayload:
    """The classifier's scores of that film. Raises UnusableModel, QueueFull, WrongRequest."""
    reading = reader.read(read_radiograph(_imaged(film, how).png()), name=f"{film_address(film)} {how}")
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


def _imaged(film: PhantomFilm, how: str) -> _Imaged:
    where = film_address(film)
    if how == OTHER_CENTER:
        name = f"Center {other_center(film.center)}"
        return _Imaged(name, lambda: simulated_png_elsewhere(where), lambda: render_elsewhere(where))
    if how not in _LEVELS:
        raise WrongRequest("There is no such way to image a patient", f"Choose {OTHER_CENTER} or {', '.join(_LEVELS)}.")
    level = _LEVELS[how]
    strength = f", {level.kind.dial}: {significant(level.dial)}" if level.strength else ""
    name = f"{level.kind.title}{strength}"
    return _Imaged(name, lambda: exposed_png(where, level), lambda: render_exposed(where, level))

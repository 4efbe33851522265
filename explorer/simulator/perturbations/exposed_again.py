"""Draws a simulated film again under a physical perturbation."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from explorer.simulator.address import PhantomFilm, parse_film_address
from explorer.simulator.film_png import FILM_SIZE, MAX_GRAY, RenderedFilm, film_of_mark, png_without_address
from explorer.simulator.patient import describe
from explorer.simulator.perturbations.kind import Exposure, NeedsPatient, PhysicalPerturbation
from models.films.film import Radiograph
from models.perturbations.film import Level


def draw_again(film: PhantomFilm, kind: PhysicalPerturbation, dial: float, size: int = FILM_SIZE) -> RenderedFilm:
    """Return the film of the same patient with the same findings, exposed in another way, and its masks."""
    from explorer.simulator.drawing import draw_film  # brings SciPy

    changed = _exposure(film, kind, dial)
    return RenderedFilm(*draw_film(changed.patient, film.requests, size, changed.equipment))


def _exposure(film: PhantomFilm, kind: PhysicalPerturbation, dial: float) -> Exposure:
    from explorer.simulator.film import equipment_of

    return kind.expose(Exposure(describe(film.seed, film.center, film.drawing), equipment_of(film.center)), dial)


@lru_cache(maxsize=2)
def render_exposed(address: str, level: Level) -> RenderedFilm:
    """Return the film of an address's patient at a physical level, with masks. Raises WrongRequest."""
    assert isinstance(level.kind, PhysicalPerturbation)
    return draw_again(parse_film_address(address), level.kind, level.dial)


def exposed_png(address: str, level: Level) -> bytes:
    """Return that film in the format of `simulated_png`; it has no address. Raises WrongRequest."""
    film = parse_film_address(address)
    assert isinstance(level.kind, PhysicalPerturbation)
    view = _exposure(film, level.kind, level.dial).patient.view
    return png_without_address(render_exposed(address, level).pixels, f"{film.case}, {level.name}", view)


def exposed_again(radiograph: Radiograph, level: Level) -> Radiograph:
    """Return a decoded simulated film as it would be at a physical level. Raises NeedsPatient for any other film."""
    found = film_of_mark(radiograph.mark or "")
    kind = level.kind
    if found is None or not isinstance(kind, PhysicalPerturbation):
        raise NeedsPatient("Only a simulated film can be exposed again", "Choose a simulated cohort.")
    pixels = draw_again(found[1], kind, level.dial).pixels
    levels = np.rint(pixels * MAX_GRAY) / MAX_GRAY  # as the film's file has them
    return replace(radiograph, pixels=levels.astype(np.float32))

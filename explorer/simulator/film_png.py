"""Writes a simulated film as a PNG that states that it is simulated, and renders its masks."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import BoundedSemaphore

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from explorer.simulator.address import PhantomFilm, parse_film_address
from explorer.simulator.patient import describe
from explorer.simulator.render import render
from explorer.simulator.request import Center, WrongRequest
from models.films.png_stream import PROVENANCE, VIEW_KEYWORD

FILM_SIZE = 512  # pixels per side of films that are read, shown and scored
CACHED_FILMS = 8  # cached films with masks, about 2 MB each: a case requests its film, maps and masks separately
MAX_GRAY = 65535
_MADE_AS = ", not a patient's film: "  # separates the mark from the address
_TURNS = BoundedSemaphore(2)  # maximum simultaneous renderings, so that a page's thumbnails appear one by one


@dataclass(frozen=True, slots=True, eq=False)
class RenderedFilm:
    """Pixels (size, size) in [0, 1] and the mask (size, size) of each finding; do not modify them."""

    pixels: NDArray[np.float32]
    masks: Mapping[str, NDArray[np.bool_]]


def simulated_png(address: str, size: int = FILM_SIZE) -> bytes:
    """Return the film of an address as a 16-bit gray PNG whose text states SIMULATED, the address and the view.

    Raises WrongRequest for a text that is not an address. Recent films are cached.
    """
    return _cached_png(address) if size == FILM_SIZE else _png(address, size)


@lru_cache(maxsize=CACHED_FILMS)  # half a megabyte each; compressing takes half as long as rendering
def _cached_png(address: str) -> bytes:
    return _png(address, FILM_SIZE)


def _png(address: str, size: int) -> bytes:
    film = parse_film_address(address)
    made, view = f"{_MADE_AS}{address}", describe(film.seed, film.center, film.drawing).view
    return _png_file(render_film(address, size).pixels, made, f"film {film.case}", view)


def simulated_png_elsewhere(address: str) -> bytes:
    """Return the same patient filmed at the other center, in the format of `simulated_png`; the film has no address."""
    film = parse_film_address(address)
    there, view = (
        f"{film.case} at center {other_center(film.center)}",
        describe(film.seed, film.center, film.drawing).view,
    )
    return png_without_address(render_elsewhere(address).pixels, there, view)


def png_without_address(pixels: NDArray[np.float32], about: str, view: str) -> bytes:
    """Return pixels in the format of `simulated_png`, for a film that no address describes; `about` names it."""
    return _png_file(pixels, f", not a patient's film; {about}", f"film {about}", view)


def _png_file(pixels: NDArray[np.float32], made: str, title: str, view: str) -> bytes:
    levels = np.rint(pixels * MAX_GRAY).astype(np.uint16)
    text_chunks = PngInfo()
    keyword, mark = PROVENANCE
    text_chunks.add_text(keyword, f"{mark}{made}")
    text_chunks.add_text(VIEW_KEYWORD, view)
    text_chunks.add_text("Title", f"{mark} chest {title}")
    written = io.BytesIO()
    Image.fromarray(levels).save(written, "PNG", compress_level=1, pnginfo=text_chunks)
    return written.getvalue()


def other_center(center: Center) -> Center:
    """Return the other of the two centers."""
    return "B" if center == "A" else "A"


def film_of_mark(mark: str) -> tuple[str, PhantomFilm] | None:
    """Return the address in a file's mark and its film; None if the mark has none."""
    address = mark.partition(_MADE_AS)[2]
    try:
        return address, parse_film_address(address)
    except WrongRequest:
        return None


def render_film(address: str, size: int = FILM_SIZE) -> RenderedFilm:
    """Return the film of an address with its masks; recent ones are cached. Raises WrongRequest."""
    return _cached_full_size(address) if size == FILM_SIZE else _cached_other_size(address, size)


@lru_cache(maxsize=CACHED_FILMS)
def _cached_full_size(address: str) -> RenderedFilm:
    return _rendered(address, FILM_SIZE)


@lru_cache(maxsize=1)  # separate, so that films of another size do not evict full-size films
def _cached_other_size(address: str, size: int) -> RenderedFilm:
    return _rendered(address, size)


@lru_cache(maxsize=2)
def render_elsewhere(address: str) -> RenderedFilm:
    """Return an address's patient filmed with the other center's detector, processing, collimator and markers, with
    masks; anatomy, findings, position and field stay the same. Raises WrongRequest.
    """
    film = parse_film_address(address)
    from explorer.simulator.drawing import draw_film  # brings SciPy

    patient = replace(
        describe(film.seed, film.center, film.drawing), center=other_center(film.center), home=film.center
    )
    with _TURNS:
        return RenderedFilm(*draw_film(patient, film.requests, FILM_SIZE))


def _rendered(address: str, size: int) -> RenderedFilm:
    film = parse_film_address(address)
    with _TURNS:
        return RenderedFilm(*render(film.seed, film.requests, film.center, size, film.drawing))

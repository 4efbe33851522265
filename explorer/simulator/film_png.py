"""A simulated film as a file: a PNG that says of itself that it is simulated, and the masks that belong to it."""

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

from explorer.simulator.address import PhantomFilm, parse
from explorer.simulator.patient import describe
from explorer.simulator.render import render
from explorer.simulator.request import Center, WrongRequest
from models.films.png_stream import PROVENANCE, VIEW_KEYWORD

SIZE = 512  # pixels a side; films of this size are read, shown and scored
KEPT = 8  # films with their masks, some 2 MB each: a case asks for its film, its maps and its masks
TOP = 65535
_MADE_AS = ", not a patient's film: "  # between mark and address
_TURNS = BoundedSemaphore(2)  # renderings at once: a page of thumbnails comes one by one, not all at the end


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """Pixels (size, size) in [0, 1] and the mask (size, size) of each finding; do not write to them."""

    pixels: NDArray[np.float32]
    masks: Mapping[str, NDArray[np.bool_]]


def png(address: str, size: int = SIZE) -> bytes:
    """The film of an address as a 16-bit gray PNG, whose text says SIMULATED, the address and the view.

    Raises WrongRequest for a text that is not an address. The last ones are kept.
    """
    return _kept_png(address) if size == SIZE else _png(address, size)


@lru_cache(maxsize=KEPT)  # half a megabyte each; to compress one takes half as long as to render it
def _kept_png(address: str) -> bytes:
    return _png(address, SIZE)


def _png(address: str, size: int) -> bytes:
    film = parse(address)
    return _file(rendered(address, size).pixels, film, f"{_MADE_AS}{address}", f"film {film.case}")


def png_elsewhere(address: str) -> bytes:
    """The same patient as the other center films them, as `png` writes films: no address is of this one."""
    film = parse(address)
    there = f"{film.case} at center {other_center(film.center)}"
    return _file(rendered_elsewhere(address).pixels, film, f", not a patient's film; {there}", f"film {there}")


def _file(pixels: NDArray[np.float32], film: PhantomFilm, made: str, title: str) -> bytes:
    levels = np.rint(pixels * TOP).astype(np.uint16)
    said = PngInfo()
    keyword, mark = PROVENANCE
    said.add_text(keyword, f"{mark}{made}")
    said.add_text(VIEW_KEYWORD, describe(film.seed, film.center, film.drawing).view)
    said.add_text("Title", f"{mark} chest {title}")
    written = io.BytesIO()
    Image.fromarray(levels).save(written, "PNG", compress_level=1, pnginfo=said)
    return written.getvalue()


def other_center(center: Center) -> Center:
    """The one of the two that this is not."""
    return "B" if center == "A" else "A"


def made_as(mark: str) -> tuple[str, PhantomFilm] | None:
    """The address that a file's mark names, and the film of it; None where the mark names none."""
    address = mark.partition(_MADE_AS)[2]
    try:
        return address, parse(address)
    except WrongRequest:
        return None


def rendered(address: str, size: int = SIZE) -> Rendered:
    """The film of an address and its masks; the last ones are kept. Raises WrongRequest."""
    return _kept(address) if size == SIZE else _passing(address, size)


@lru_cache(maxsize=KEPT)
def _kept(address: str) -> Rendered:
    return _rendered(address, SIZE)


@lru_cache(maxsize=1)  # a stream of films of another size does not drive out those of full size
def _passing(address: str, size: int) -> Rendered:
    return _rendered(address, size)


@lru_cache(maxsize=2)
def rendered_elsewhere(address: str) -> Rendered:
    """The patient of an address with the same anatomy, findings, position and field, filmed with the other center's
    detector, processing, collimator and markers; and the masks there. Raises WrongRequest.
    """
    film = parse(address)
    from explorer.simulator.drawing import drawn  # brings SciPy

    patient = replace(
        describe(film.seed, film.center, film.drawing), center=other_center(film.center), home=film.center
    )
    with _TURNS:
        return Rendered(*drawn(patient, film.requests, SIZE))


def _rendered(address: str, size: int) -> Rendered:
    film = parse(address)
    with _TURNS:
        return Rendered(*render(film.seed, film.requests, film.center, size, film.drawing))

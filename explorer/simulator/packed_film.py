"""Packs a simulated film's file and masks into one file, for storage or for passing between processes."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from explorer.simulator.film_png import FILM_SIZE, render_film, simulated_png

MaskByFinding = Mapping[str, NDArray[np.bool_]]
_FILM, _MASK = "film.png", ".mask.png"
_CHECKED = 32  # bytes of the leading checksum, needed because a ZIP file has none for its names


class DamagedFilm(Exception):
    """A packed film does not match its checksum."""


@dataclass(frozen=True, slots=True, eq=False)
class FilmFile:
    """A film's PNG and the mask (h, w) of each of its findings; do not modify them."""

    png: bytes
    masks: MaskByFinding


def make_film_file(address: str, size: int = FILM_SIZE) -> FilmFile:
    """Render the file of an address in this process. Raises WrongRequest for a text that is not an address."""
    return FilmFile(simulated_png(address, size), render_film(address, size).masks)


def pack_film(film: FilmFile) -> bytes:
    """Return film and masks as a checksum followed by a ZIP file."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as files:
        files.writestr(_FILM, film.png)
        for finding, mask in film.masks.items():
            picture = io.BytesIO()
            Image.fromarray(mask).save(picture, "PNG")
            files.writestr(finding + _MASK, picture.getvalue())
    return hashlib.sha256(written.getvalue()).digest() + written.getvalue()


def unpack_film(data: bytes) -> FilmFile:
    """Return the packed film. Raises DamagedFilm."""
    checksum, packed_files = data[:_CHECKED], data[_CHECKED:]
    if hashlib.sha256(packed_files).digest() != checksum:
        raise DamagedFilm
    with zipfile.ZipFile(io.BytesIO(packed_files)) as files:
        names = [name for name in files.namelist() if name.endswith(_MASK)]
        return FilmFile(files.read(_FILM), {name.removesuffix(_MASK): _mask(files.read(name)) for name in names})


def _mask(picture: bytes) -> NDArray[np.bool_]:
    with Image.open(io.BytesIO(picture)) as image:
        return np.asarray(image, dtype=np.bool_)

"""Stores films in half the memory, without losing a bit."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.reading.reader import Film
from models.radiograph import Radiograph

TOP = 65535
AT_A_TIME = 1 << 20  # pixels per chunk, which keeps temporary arrays small


@dataclass(frozen=True, slots=True, eq=False)
class ShelvedFilm:
    """A `reader.Film` whose pixels are indices (h, w) into a table of values (65536,)."""

    facts: Radiograph  # without pixels
    places: NDArray[np.uint16]
    values: NDArray[np.float32]
    decode_ms: float

    @property
    def radiograph(self) -> Radiograph:
        """The film as decoded."""
        return replace(self.facts, pixels=self.values[self.places])

    @property
    def simulated(self) -> bool:
        return self.facts.simulated

    @property
    def nbytes(self) -> int:
        return self.places.nbytes + self.values.nbytes


def shelved(film: Film) -> ShelvedFilm | None:
    """Return the film as 16-bit indices; None if it has too many distinct values."""
    pixels = film.radiograph.pixels
    flat, places = pixels.reshape(-1), np.empty(pixels.size, np.uint16)
    values = np.zeros(TOP + 1, np.float32)
    for part in _parts(flat.size):
        places[part] = np.rint(flat[part] * TOP)
        values[places[part]] = flat[part]
    if not all(np.array_equal(_bits(values[places[part]]), _bits(flat[part])) for part in _parts(flat.size)):
        return None
    facts = replace(film.radiograph, pixels=np.empty((0, 0), np.float32))
    return ShelvedFilm(facts, places.reshape(pixels.shape), values, film.decode_ms)


def compacted(film: Film | ShelvedFilm) -> Film | ShelvedFilm:
    """Return the film in half the memory if that is lossless, else unchanged."""
    return film if isinstance(film, ShelvedFilm) else shelved(film) or film


def _parts(size: int) -> list[slice]:
    return [slice(start, start + AT_A_TIME) for start in range(0, size, AT_A_TIME)]


def _bits(values: NDArray[np.float32]) -> NDArray[np.uint32]:
    """View floats as integers, because comparing floats ignores the sign of zero."""
    return values.view(np.uint32)

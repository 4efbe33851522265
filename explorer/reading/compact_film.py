"""A film as it is kept in memory between two questions: in half the room, and the same film to the last bit."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.reading.reader import Film
from models.radiograph import Radiograph

TOP = 65535
AT_A_TIME = 1 << 20  # pixels: what is made in between stays small


@dataclass(frozen=True, slots=True, eq=False)
class ShelvedFilm:
    """What a `Film` of `reader` is, its pixels as places (h, w) in a table (65536,) of the values that they have."""

    facts: Radiograph  # without pixels
    places: NDArray[np.uint16]
    values: NDArray[np.float32]
    decode_ms: float

    @property
    def radiograph(self) -> Radiograph:
        """The film as it was decoded."""
        return replace(self.facts, pixels=self.values[self.places])

    @property
    def simulated(self) -> bool:
        return self.facts.simulated

    @property
    def nbytes(self) -> int:
        return self.places.nbytes + self.values.nbytes


def shelved(film: Film) -> ShelvedFilm | None:
    """The film to be kept; None where it has more values than 16 bits can tell apart."""
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
    """The film as it is kept: in half the room where nothing is lost by it, else as it is."""
    return film if isinstance(film, ShelvedFilm) else shelved(film) or film


def _parts(size: int) -> list[slice]:
    return [slice(start, start + AT_A_TIME) for start in range(0, size, AT_A_TIME)]


def _bits(values: NDArray[np.float32]) -> NDArray[np.uint32]:
    """A zero has a sign, which numbers that are compared do not show."""
    return values.view(np.uint32)

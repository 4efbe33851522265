"""Stores films losslessly in half the memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.reading.reader import DecodedFilm
from models.radiograph import Radiograph

MAX_LEVEL = 65535
CHUNK_PIXELS = 1 << 20  # pixels per chunk, which keeps temporary arrays small


@dataclass(frozen=True, slots=True, eq=False)
class CompactFilm:
    """A `reader.DecodedFilm` whose pixels are indices (h, w) into a table of values (65536,)."""

    facts: Radiograph  # without pixels
    places: NDArray[np.uint16]
    values: NDArray[np.float32]
    decode_ms: float

    def unpacked(self) -> DecodedFilm:
        """Return the film as decoded, in newly allocated pixels: call it once per request."""
        return DecodedFilm(replace(self.facts, pixels=self.values[self.places]), self.decode_ms)

    @property
    def simulated(self) -> bool:
        return self.facts.simulated

    @property
    def nbytes(self) -> int:
        return self.places.nbytes + self.values.nbytes


def compact_film(film: DecodedFilm) -> CompactFilm | None:
    """Return the film as 16-bit indices; None if it has too many distinct values."""
    pixels = film.radiograph.pixels
    flat, places = pixels.reshape(-1), np.empty(pixels.size, np.uint16)
    values = np.zeros(MAX_LEVEL + 1, np.float32)
    for part in _parts(flat.size):
        places[part] = np.rint(flat[part] * MAX_LEVEL)
        values[places[part]] = flat[part]
    if not all(np.array_equal(_bits(values[places[part]]), _bits(flat[part])) for part in _parts(flat.size)):
        return None
    facts = replace(film.radiograph, pixels=np.empty((0, 0), np.float32))
    return CompactFilm(facts, places.reshape(pixels.shape), values, film.decode_ms)


def compacted_if_lossless(film: DecodedFilm | CompactFilm) -> DecodedFilm | CompactFilm:
    """Return the film in its compact form if that is lossless, else unchanged."""
    return film if isinstance(film, CompactFilm) else compact_film(film) or film


def _parts(size: int) -> list[slice]:
    return [slice(start, start + CHUNK_PIXELS) for start in range(0, size, CHUNK_PIXELS)]


def _bits(values: NDArray[np.float32]) -> NDArray[np.uint32]:
    """View floats as integers, because comparing floats ignores the sign of zero."""
    return values.view(np.uint32)

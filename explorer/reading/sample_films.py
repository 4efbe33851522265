"""The samples, which are the same films for everyone: decoded, read and drawn once, however many open them."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from explorer.reading.compact_film import ShelvedFilm, compacted
from explorer.reading.reader import Film, Reading, open_film
from explorer.reading.samples import SAMPLES, sample_bytes

Answer = TypeVar("Answer")


class SampleFilms:
    """Keeps every sample that was opened and what the model says of it. Safe to use from several threads.

    Only samples of the page are kept: nothing that a visitor brought is found here by another.
    """

    def __init__(self, bytes_of: Callable[[str], bytes] = sample_bytes) -> None:
        """`bytes_of` gives the file of a sample."""
        self._bytes_of = bytes_of
        self._locks: defaultdict[Hashable, threading.Lock] = defaultdict(threading.Lock)
        self._known: dict[Hashable, Any] = {}

    def film(self, key: str) -> Film | ShelvedFilm:
        """The sample, or the simulated film whose address `key` is. Raises NoSample, UnreadableRadiograph."""
        return self._once(key, ("film", key), lambda: self._opened(key))

    def reading(self, key: str, read: Callable[[], Reading]) -> Reading:
        """What the model says of it; `read` asks the model where nobody has. Raises what `read` does."""
        return self._once(key, ("reading", key), read)

    def picture(self, key: str, draw: Callable[[], Answer]) -> Answer:
        """The sample as a page gets it; `draw` makes that where nobody has."""
        return self._once(key, ("picture", key), draw)

    def _opened(self, key: str) -> Film | ShelvedFilm:
        return compacted(open_film(self._bytes_of(key)))

    def _once(self, key: str, asked: Hashable, answer: Callable[[], Answer]) -> Answer:
        """The answer; of several who ask at once, one finds it and the others wait. A failure is not kept."""
        if key not in {sample.key for sample in SAMPLES}:
            return answer()
        with self._locks[asked]:
            if asked not in self._known:
                self._known[asked] = answer()
            known: Answer = self._known[asked]
            return known

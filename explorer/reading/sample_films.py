"""Caches the samples, which are the same for all visitors: each is decoded, read and drawn once."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from explorer.reading.compact_film import CompactFilm, compacted_if_lossless
from explorer.reading.reader import DecodedFilm, Reading, open_film
from explorer.reading.samples import SAMPLES, sample_bytes

CachedAnswer = TypeVar("CachedAnswer")


class SampleFilms:
    """Caches opened samples and their readings. Thread-safe.

    Only the page's samples are cached, so no visitor's film can reach another visitor.
    """

    def __init__(self, bytes_of: Callable[[str], bytes] = sample_bytes) -> None:
        """`bytes_of` returns a sample's file."""
        self._bytes_of = bytes_of
        self._locks: defaultdict[Hashable, threading.Lock] = defaultdict(threading.Lock)
        self._known: dict[Hashable, Any] = {}

    def film(self, key: str) -> DecodedFilm | CompactFilm:
        """Return the sample, or the simulated film with the address `key`. Raises NoSample, UnreadableRadiograph."""
        return self._once(key, ("film", key), lambda: self._opened(key))

    def reading(self, key: str, read: Callable[[], Reading]) -> Reading:
        """Return the sample's reading, made by `read` if it is not cached. Raises the errors of `read`."""
        return self._once(key, ("reading", key), read)

    def picture(self, key: str, draw: Callable[[], CachedAnswer]) -> CachedAnswer:
        """Return the sample's picture, made by `draw` if it is not cached."""
        return self._once(key, ("picture", key), draw)

    def _opened(self, key: str) -> DecodedFilm | CompactFilm:
        return compacted_if_lossless(open_film(self._bytes_of(key)))

    def _once(self, key: str, cache_key: Hashable, answer: Callable[[], CachedAnswer]) -> CachedAnswer:
        """Return the cached result; of concurrent calls, one computes it, the others wait. Failures are not cached."""
        if key not in {sample.key for sample in SAMPLES}:
            return answer()
        with self._locks[cache_key]:
            if cache_key not in self._known:
                self._known[cache_key] = answer()
            known: CachedAnswer = self._known[cache_key]
            return known

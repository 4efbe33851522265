"""Provides the files of simulated films with their masks, rendered on demand or cached in a folder."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from threading import Lock
from typing import Protocol

from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.kept_file import OptionalCache, write_private
from explorer.simulator.film_png import FILM_SIZE
from explorer.simulator.packed_film import DamagedFilm, FilmFile, make_film_file, pack_film, unpack_film
from explorer.simulator.version import version_mtime

MB = 2**20
_LOCKS = 64


class FilmFiles(Protocol):
    """A source of simulated films."""

    def of(self, address: str, size: int = FILM_SIZE) -> FilmFile:
        """Return the film of an address. Raises WrongRequest for a text that is not an address."""


class RenderHere:
    """Renders each film on demand; remembers the last few."""

    def of(self, address: str, size: int = FILM_SIZE) -> FilmFile:
        return make_film_file(address, size)


RENDER_HERE = RenderHere()


class CachedFilms:
    """Renders each film once and caches it in a private folder of at most `limit` bytes, with LRU eviction.

    A file carries the simulator's version, so a new version renders its films again. If files cannot be written, each
    film is rendered on demand. Rendering waits in the same queue as decoding; cached films are read at once.
    Thread-safe; simultaneous requests for the same film render it only once.
    """

    def __init__(self, folder: Path, limit: int = 512 * MB, make: FilmFiles = RENDER_HERE) -> None:
        self._folder = folder
        self._limit = limit
        self._make = make
        self._locks = tuple(Lock() for _ in range(_LOCKS))
        self._limit_lock = Lock()
        self._bytes: int | None = None  # in the folder, None: not counted yet
        self._keeping = OptionalCache("Films cannot be cached in %s: %s. Each is rendered again.")

    def of(self, address: str, size: int = FILM_SIZE) -> FilmFile:
        """Return the film of an address; other sizes are not cached. Raises WrongRequest, QueueFull."""
        if size != FILM_SIZE:
            return self._make.of(address, size)
        target = self._folder / f"{hashlib.sha256(address.encode()).hexdigest()[:32]}.film"
        with self._locks[hash(target) % _LOCKS]:
            found = _read(target, version_mtime())
            if found is None:
                with DECODERS.turn(address):
                    found = self._make.of(address)
                self._keep(target, pack_film(found))
            return found

    def _keep(self, target: Path, data: bytes) -> None:
        with self._keeping.into(self._folder):
            write_private(target, data, time.time_ns(), version_mtime())
            self._enforce_limit(len(data))

    def _enforce_limit(self, more: int) -> None:
        """Enforce the limit. The folder is scanned at first use, and whenever it may be full."""
        with self._limit_lock:
            if self._bytes is not None and self._bytes + more <= self._limit:
                self._bytes += more
                return
            self._bytes = _evict(self._folder, self._limit)


def _evict(folder: Path, limit: int) -> int:
    """If the limit is exceeded, evict the least recently used files, down to nine tenths; returns the bytes left."""
    used = []
    for file in folder.iterdir():  # leftovers of killed programs are included, and are evicted in turn
        try:
            stat = file.stat()
        except FileNotFoundError:  # another program evicts from the same folder
            continue
        used.append((stat.st_atime_ns, stat.st_size, file))
    held = sum(size for _, size, _ in used)
    goal = limit if held <= limit else limit * 9 // 10
    for _, size, file in sorted(used):
        if held <= goal:
            break
        file.unlink(missing_ok=True)
        held -= size
    return held


def _read(file: Path, version_stamp: int) -> FilmFile | None:
    """Return a cached film, marked as used now; None if it is missing, outdated or damaged."""
    try:
        if file.stat().st_mtime_ns != version_stamp:
            return None
        found = unpack_film(file.read_bytes())
        os.utime(file, ns=(time.time_ns(), version_stamp))
    except (OSError, DamagedFilm):
        return None
    return found

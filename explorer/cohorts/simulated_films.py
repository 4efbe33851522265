"""The files of simulated films, with their masks: made anew each time, or kept in a folder once they were made."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from threading import Lock
from typing import Protocol

from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.kept_file import Keeping, write_private
from explorer.simulator.film_png import SIZE
from explorer.simulator.packed_film import DamagedFilm, FilmFile, made, packed, unpacked
from explorer.simulator.version import stamp

MB = 2**20
_LOCKS = 64


class FilmFiles(Protocol):
    """Where simulated films come from."""

    def of(self, address: str, size: int = SIZE) -> FilmFile:
        """The film of an address. Raises WrongRequest for a text that is not an address."""


class MadeHere:
    """Makes each when it is asked for; the last few are remembered."""

    def of(self, address: str, size: int = SIZE) -> FilmFile:
        return made(address, size)


MADE_HERE = MadeHere()


class KeptFilms:
    """Makes each once and keeps it in a private folder of at most `limit` bytes: those not asked for longest go.

    A file carries the simulator's version, so that another simulator makes its films again. Where no file
    can be written each is made anew. Those to be made stand in line with the films that are read; those kept are read
    at once. Safe to use from several threads; two that ask for the same film make it once.
    """

    def __init__(self, folder: Path, limit: int = 512 * MB, make: FilmFiles = MADE_HERE) -> None:
        self._folder = folder
        self._limit = limit
        self._make = make
        self._locks = tuple(Lock() for _ in range(_LOCKS))
        self._bounding = Lock()
        self._bytes: int | None = None  # in the folder, as far as is known
        self._keeping = Keeping("Films cannot be cached in %s: %s. Each is rendered again.")

    def of(self, address: str, size: int = SIZE) -> FilmFile:
        """The film of an address; those of another size are made anew. Raises WrongRequest, QueueFull."""
        if size != SIZE:
            return self._make.of(address, size)
        target = self._folder / f"{hashlib.sha256(address.encode()).hexdigest()[:32]}.film"
        with self._locks[hash(target) % _LOCKS]:
            found = _read(target, stamp())
            if found is None:
                with DECODERS.turn(address):
                    found = self._make.of(address)
                self._keep(target, packed(found))
            return found

    def _keep(self, target: Path, data: bytes) -> None:
        with self._keeping.into(self._folder):
            write_private(target, data, time.time_ns(), stamp())
            self._bound(len(data))

    def _bound(self, more: int) -> None:
        """Hold to the limit. The folder is looked at when the program begins, and each time that it may be full."""
        with self._bounding:
            if self._bytes is not None and self._bytes + more <= self._limit:
                self._bytes += more
                return
            self._bytes = _bounded(self._folder, self._limit)


def _bounded(folder: Path, limit: int) -> int:
    """Bytes in the folder once the files used longest ago are gone: down to nine tenths where there were too many."""
    used = []
    for file in folder.iterdir():  # what a program that was killed began to write is among them, and goes in its turn
        try:
            stat = file.stat()
        except FileNotFoundError:  # another program bounds the same folder
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


def _read(file: Path, made_by: int) -> FilmFile | None:
    """What is kept, which is marked as used now; None where there is none, an older one or a damaged one."""
    try:
        if file.stat().st_mtime_ns != made_by:
            return None
        found = unpacked(file.read_bytes())
        os.utime(file, ns=(time.time_ns(), made_by))
    except (OSError, DamagedFilm):
        return None
    return found

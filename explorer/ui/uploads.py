"""The folder of uploaded files: each is read once and gone; what nobody reads, or broke off, goes within minutes."""

from __future__ import annotations

import math
import os
import re
import shutil
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from models.refusal import Refusal

LIMIT_MB = 200
WAITING_MB = 5 * LIMIT_MB  # of all files together that are being sent or wait to be read
WAITS = 600.0  # seconds that a file may wait to be read, and a broken-off part for the others to arrive
MINUTE = 60.0
_FINISHED = re.compile(r"[0-9a-f]{64}")  # gradio's folder of a file, named by its content
_PARTS = "tmp*"  # gradio's name of a file while it arrives


class MissingUpload(Refusal):
    """An upload that cannot be read: `title` says what is wrong, `detail` what to do."""

    def __init__(self) -> None:
        super().__init__("The upload is no longer there", "It was read already or took too long. Open the film again.")


class NoRoom(Refusal):
    """An upload that there is no room for: `title` says so, `detail` what to do."""

    def __init__(self, *, disk: bool = False) -> None:
        super().__init__(
            "There is no room for another film",
            "The disk is full. Make room on it, then open the film again."
            if disk
            else f"{WAITING_MB} MB of films are already waiting to be read. Open this one again in a minute.",
        )


@dataclass(slots=True, eq=False)
class Coming:
    """An upload that is under way: how many bytes of it have yet to arrive."""

    left: int

    def arrived(self, nbytes: int) -> None:
        """Note what has arrived."""
        self.left = max(0, self.left - nbytes)


class Uploads:
    """Keeps room for uploads and hands out their bytes; whatever becomes of them, their files are unlinked."""

    def __init__(
        self, folder: Path, *, most_bytes: int = WAITING_MB * 2**20, clock: Callable[[], float] = time.time
    ) -> None:
        self._folder = folder.resolve()
        self._names = {self._folder, folder.absolute()}  # gradio says the second
        self._most_bytes = most_bytes
        self._clock = clock
        self._lock = threading.Lock()
        self._coming: set[Coming] = set()

    def is_place(self, path: str) -> bool:
        """Whether a path is plain and of where uploads are put, by its words alone: no disk is asked."""
        file = Path(path)
        return str(file) == path and ".." not in file.parts and "\0" not in path and file.parent.parent in self._names

    def take(self, path: str) -> bytes:
        """The bytes of an uploaded file, which no longer exists afterwards.

        Raises MissingUpload for anything that does not lie where uploads are put (a folder named by a hash, then the
        file): the path comes from the browser and may name any file of this machine.
        """
        file = Path(path)
        try:
            inside = file.resolve().parent.parent == self._folder and not file.is_symlink()
            if not inside:
                raise MissingUpload
            data = file.read_bytes()
            file.unlink()
        except (OSError, ValueError, RuntimeError) as error:  # before Python 3.13 links in a circle are the last
            raise MissingUpload from error
        with self._lock:
            self._drop_if_empty(file.parent)
        return data

    @contextmanager
    def coming(self, nbytes: int) -> Iterator[Coming]:
        """Keep room for an upload of so many bytes while it arrives. Raises NoRoom.

        When no other is under way, what is left of those that broke off is removed.
        """
        coming = Coming(nbytes)
        with self._lock:
            self._folder.mkdir(mode=0o700, exist_ok=True)  # a cleaner of temporary folders may have been here
            self._check_room(nbytes)
            self._coming.add(coming)
        try:
            yield coming
        finally:
            with self._lock:
                self._coming.remove(coming)
                if not self._coming:
                    self._drop_parts(before=math.inf)

    def sweep(self) -> None:
        """Remove files that nobody came for, and parts that broke off."""
        before = self._clock() - WAITS
        with self._lock:
            self._drop_parts(before)
            for folder in self._finished():
                is_old = folder.stat().st_mtime < before  # not one that is filled just now
                _unlink(_files_in(folder), before)
                if is_old:
                    self._drop_if_empty(folder)

    def sweep_forever(self, every: float = MINUTE) -> None:
        """Sweep again and again. For a daemon thread."""
        while True:
            time.sleep(every)
            with suppress(OSError):  # what was taken meanwhile; the rest goes next time
                self.sweep()

    def _check_room(self, nbytes: int) -> None:
        left = sum(coming.left for coming in self._coming)
        if shutil.disk_usage(self._folder).free < left + nbytes:
            raise NoRoom(disk=True)
        here = [*_files_in(self._folder, _PARTS), *(file for each in self._finished() for file in _files_in(each))]
        if sum(found.st_size for _, found in here) + left + nbytes > self._most_bytes:
            raise NoRoom

    def _drop_parts(self, before: float) -> None:
        """Emptied first: gradio may have one open still, and an open file keeps its room on the disk."""
        parts = [(part, found) for part, found in _files_in(self._folder, _PARTS) if found.st_mtime < before]
        for part, found in parts:
            with suppress(FileNotFoundError):
                if stat.S_ISREG(found.st_mode):
                    os.truncate(part, 0)
        _unlink(parts, before)

    def _drop_if_empty(self, folder: Path) -> None:
        """Remove the folder of a film, unless an upload is under way: it may be of the same film, for that folder."""
        if not self._coming:
            with suppress(OSError):  # the same film was uploaded twice at once and the other copy is still to be read
                folder.rmdir()

    def _finished(self) -> list[Path]:
        return [path for path in self._folder.iterdir() if _FINISHED.fullmatch(path.name)]


def _files_in(folder: Path, pattern: str = "*") -> list[tuple[Path, os.stat_result]]:
    """Files with what the disk says of them, without what is taken meanwhile."""
    found = []
    for path in folder.glob(pattern):
        with suppress(FileNotFoundError):
            found.append((path, path.lstat()))
    return [(path, known) for path, known in found if not stat.S_ISDIR(known.st_mode)]


def _unlink(files: list[tuple[Path, os.stat_result]], before: float) -> None:
    """Remove the files that were last written to before a moment."""
    for file, found in files:
        if found.st_mtime < before:
            file.unlink(missing_ok=True)

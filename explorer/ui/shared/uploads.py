"""The folder of uploaded files: each is read once and gone; what nobody reads, or broke off, goes within minutes."""

from __future__ import annotations

import os
import re
import shutil
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from models.refusal import Refusal

LIMIT_MB = 200
WAITING_MB = 5 * LIMIT_MB  # of all files together that are being sent or wait to be read
EACH_MB = WAITING_MB // 2  # of one visitor
WAITS = 600.0  # seconds that a file may wait to be read, and a broken-off part for the others to arrive
MINUTE = 60.0  # and as long as it may wait when another film needs its room
STEP = 2**20  # bytes that room is kept for ahead of those that have come
_FINISHED = re.compile(r"[0-9a-f]{64}")  # gradio's folder of a file, named by its content
_PARTS = "tmp*"  # gradio's name of a file while it arrives
Found = tuple[Path, os.stat_result]


class MissingUpload(Refusal):
    """An upload that cannot be read: `title` says what is wrong, `detail` what to do."""

    def __init__(self) -> None:
        super().__init__("The upload is no longer there", "It was read already or took too long. Open the film again.")


class NoRoom(Refusal):
    """An upload that there is no room for: `title` says so, `detail` what to do."""

    def __init__(self, *, disk: bool = False, own: bool = False) -> None:
        waiting = f"{EACH_MB} MB of your films" if own else f"{WAITING_MB} MB of films"
        super().__init__(
            "There is no room for another film",
            "The disk is full. Make room on it, then open the film again."
            if disk
            else f"{waiting} are already waiting to be read. Open this one again in a minute.",
        )


@dataclass(slots=True, eq=False)
class Coming:
    """An upload that is under way: whose it is, how many bytes have come, and for how many room is kept."""

    visitor: str
    here: int = 0
    room: int = 0


class Uploads:
    """Keeps room for uploads and hands out their bytes; whatever becomes of them, their files are unlinked.

    `clock` is one that nobody sets: how long a file has been as it is, is counted from when it was first seen so.
    """

    def __init__(
        self,
        folder: Path,
        *,
        most_bytes: int = WAITING_MB * 2**20,
        most_each: int = EACH_MB * 2**20,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder.resolve()
        self._names = {self._folder, folder.absolute()}  # gradio says the second
        self._most_bytes = most_bytes
        self._most_each = most_each
        self._clock = clock
        self._lock = threading.Lock()
        self._coming: set[Coming] = set()
        self._seen: dict[Path, tuple[int, float]] = {}  # a file's size, and since when it has it
        self._visitors: dict[Path, str] = {}  # whose a finished file is

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
            self._visitors.pop(file.resolve(), None)
            self._drop_if_empty(file.parent)
        return data

    @contextmanager
    def coming(self, nbytes: int, visitor: str = "") -> Iterator[Coming]:
        """Let an upload of so many bytes in, if there is room for it now. Raises NoRoom.

        Room is kept for what has come, not for what was announced: one that stands still holds nothing. When no other
        is under way, what is left of those that broke off is removed.
        """
        coming = Coming(visitor)
        with self._lock:
            self._folder.mkdir(mode=0o700, exist_ok=True)  # a cleaner of temporary folders may have been here
            self._make_room(coming, nbytes)
            self._coming.add(coming)
        try:
            yield coming
        finally:
            with self._lock:
                self._coming.remove(coming)
                if not self._coming:
                    _remove(self._parts())

    def arrived(self, coming: Coming, nbytes: int) -> None:
        """Keep room for what has come of an upload. Raises NoRoom."""
        coming.here += nbytes
        if coming.here > coming.room:
            more = max(STEP, coming.here - coming.room)
            with self._lock:
                self._make_room(coming, more)
                coming.room += more

    def finished(self, coming: Coming, paths: Iterable[str]) -> None:
        """Note whose these files are."""
        with self._lock:
            for file in map(Path, paths):
                self._visitors[self._folder / file.parent.name / file.name] = coming.visitor

    def sweep(self, waits: float = WAITS) -> None:
        """Remove files that nobody came for, and parts that broke off: what has been as it is for so many seconds."""
        with self._lock:
            self._sweep(waits)

    def sweep_forever(self, every: float = MINUTE) -> None:
        """Sweep again and again. For a daemon thread."""
        while True:
            time.sleep(every)
            with suppress(OSError):  # what was taken meanwhile; the rest goes next time
                self.sweep()

    def _make_room(self, coming: Coming, nbytes: int) -> None:
        """What has waited for a minute goes where there is no room otherwise. Raises NoRoom."""
        try:
            self._check_room(coming, nbytes)
        except NoRoom:
            self._sweep(MINUTE)
            self._check_room(coming, nbytes)

    def _check_room(self, coming: Coming, nbytes: int) -> None:
        left = sum(max(0, each.room - each.here) for each in self._coming)
        if shutil.disk_usage(self._folder).free < left + nbytes:
            raise NoRoom(disk=True)
        finished = self._finished()
        if sum(found.st_size for _, found in (*self._parts(), *finished)) + left + nbytes > self._most_bytes:
            raise NoRoom
        own = sum(found.st_size for file, found in finished if self._visitors.get(file) == coming.visitor)
        own += sum(each.room for each in self._coming if each.visitor == coming.visitor)
        if own + nbytes > self._most_each:
            raise NoRoom(own=True)

    def _sweep(self, waits: float) -> None:
        now, parts, finished = self._clock(), self._parts(), self._finished()
        before, self._seen = self._seen, {}
        for file, found in (*parts, *finished):
            size, since = before.get(file, (-1, now))
            self._seen[file] = (found.st_size, since if size == found.st_size else now)
        old = {file for file, (_, since) in self._seen.items() if since <= now - waits}
        _remove([each for each in parts if each[0] in old])
        _remove([each for each in finished if each[0] in old], empty=False)
        self._visitors = {file: visitor for file, visitor in self._visitors.items() if file in self._seen}
        for folder in self._folders():
            self._drop_if_empty(folder)

    def _drop_if_empty(self, folder: Path) -> None:
        """Remove the folder of a film, unless an upload is under way: it may be of the same film, for that folder."""
        if not self._coming:
            with suppress(OSError):  # the same film was uploaded twice at once and the other copy is still to be read
                folder.rmdir()

    def _folders(self) -> list[Path]:
        return [path for path in self._folder.iterdir() if _FINISHED.fullmatch(path.name)]

    def _finished(self) -> list[Found]:
        return [found for folder in self._folders() for found in _files_in(folder)]

    def _parts(self) -> list[Found]:
        return _files_in(self._folder, _PARTS)


def _files_in(folder: Path, pattern: str = "*") -> list[Found]:
    """Files with what the disk says of them, without what is taken meanwhile."""
    found = []
    for path in folder.glob(pattern):
        with suppress(FileNotFoundError):
            found.append((path, path.lstat()))
    return [(path, known) for path, known in found if not stat.S_ISDIR(known.st_mode)]


def _remove(files: Iterable[Found], *, empty: bool = True) -> None:
    """Remove files, emptied first: gradio may have one open still, and an open file keeps its room on the disk."""
    for file, found in files:
        with suppress(FileNotFoundError):
            if empty and stat.S_ISREG(found.st_mode):
                os.truncate(file, 0)
        file.unlink(missing_ok=True)

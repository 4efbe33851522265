"""The upload folder: each file is read once and deleted; unread files and broken uploads are removed within minutes."""

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

MAX_UPLOAD_MB = 200
MAX_WAITING_MB = 5 * MAX_UPLOAD_MB  # of all files being sent or waiting to be read
MAX_VISITOR_MB = MAX_WAITING_MB // 2  # of one visitor's files
MAX_WAIT_S = 600.0  # seconds that a file may wait to be read, or a broken upload stays on disk
MIN_WAIT_S = 60.0  # seconds after which a waiting file may be removed to make room
RESERVE_STEP = 2**20  # bytes reserved ahead of those received
_FINISHED = re.compile(r"[0-9a-f]{64}")  # Gradio names a file's folder by its content hash
_PARTS = "tmp*"  # Gradio's name of a file during the upload
FileStat = tuple[Path, os.stat_result]


class MissingUpload(Refusal):
    """An upload that cannot be read: `title` says what is wrong, `detail` what to do."""

    def __init__(self) -> None:
        super().__init__("The upload is no longer there", "It was read already or took too long. Open the film again.")


class NoUploadRoom(Refusal):
    """There is no room for an upload: `title` says that, `detail` what to do."""

    def __init__(self, *, disk: bool = False, own: bool = False) -> None:
        waiting = f"{MAX_VISITOR_MB} MB of your films" if own else f"{MAX_WAITING_MB} MB of films"
        super().__init__(
            "There is no room for another film",
            "The disk is full. Free some space, then open the film again."
            if disk
            else f"{waiting} are already waiting to be read. Open this one again in a minute.",
        )


@dataclass(slots=True, eq=False)
class IncomingUpload:
    """An upload in progress: its visitor, the bytes received and the bytes reserved."""

    visitor: str
    received: int = 0
    reserved: int = 0


class Uploads:
    """Reserves room for uploads and hands out their bytes; every file is deleted in the end.

    `clock` is monotonic: a file's age counts from when it was first seen at its present size.
    """

    def __init__(
        self,
        folder: Path,
        *,
        max_bytes: int = MAX_WAITING_MB * 2**20,
        max_visitor_bytes: int = MAX_VISITOR_MB * 2**20,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder.resolve()
        self._names = {self._folder, folder.absolute()}  # Gradio reports the unresolved path
        self._max_bytes = max_bytes
        self._max_visitor_bytes = max_visitor_bytes
        self._clock = clock
        self._lock = threading.Lock()
        self._coming: set[IncomingUpload] = set()
        self._seen: dict[Path, tuple[int, float]] = {}  # a file's size, and when it was first seen at that size
        self._visitors: dict[Path, str] = {}  # the visitor of each finished file

    def is_upload_path(self, path: str) -> bool:
        """Whether a path is plain and inside the upload folder, judged by its text alone, without disk access."""
        file = Path(path)
        return str(file) == path and ".." not in file.parts and "\0" not in path and file.parent.parent in self._names

    def take(self, path: str) -> bytes:
        """The bytes of an uploaded file, which is then deleted.

        Raises MissingUpload for any path outside the upload folder (a folder named by a hash, then the file): the path
        comes from the browser and may name any file on this machine.
        """
        file = Path(path)
        try:
            inside = file.resolve().parent.parent == self._folder and not file.is_symlink()
            if not inside:
                raise MissingUpload
            data = file.read_bytes()
            file.unlink()
        except (OSError, ValueError, RuntimeError) as error:  # before Python 3.13 circular links raise the last
            raise MissingUpload from error
        with self._lock:
            self._visitors.pop(file.resolve(), None)
            self._drop_if_empty(file.parent)
        return data

    @contextmanager
    def coming(self, nbytes: int, visitor: str = "") -> Iterator[IncomingUpload]:
        """Admit an upload of so many bytes if there is room for it now. Raises NoRoom.

        Room is reserved for received bytes, not for announced ones, so a stalled upload blocks nothing. When the last
        upload ends, the remains of broken ones are removed.
        """
        coming = IncomingUpload(visitor)
        with self._lock:
            self._folder.mkdir(mode=0o700, exist_ok=True)  # a cleaner of temporary folders may have removed it
            self._make_room(coming, nbytes)
            self._coming.add(coming)
        try:
            yield coming
        finally:
            with self._lock:
                self._coming.remove(coming)
                if not self._coming:
                    _remove(self._parts())

    def add_received(self, coming: IncomingUpload, nbytes: int) -> None:
        """Reserve room for the bytes received of an upload. Raises NoRoom."""
        coming.received += nbytes
        if coming.received > coming.reserved:
            more = max(RESERVE_STEP, coming.received - coming.reserved)
            with self._lock:
                self._make_room(coming, more)
                coming.reserved += more

    def note_owner(self, coming: IncomingUpload, paths: Iterable[str]) -> None:
        """Note which visitor sent these files."""
        with self._lock:
            for file in map(Path, paths):
                self._visitors[self._folder / file.parent.name / file.name] = coming.visitor

    def sweep(self, waits: float = MAX_WAIT_S) -> None:
        """Remove files that nobody read and broken uploads, if unchanged for so many seconds."""
        with self._lock:
            self._sweep(waits)

    def sweep_forever(self, every: float = MIN_WAIT_S) -> None:
        """Sweep at intervals, forever. For a daemon thread."""
        while True:
            time.sleep(every)
            with suppress(OSError):  # a file vanished meanwhile; the next sweep takes the rest
                self.sweep()

    def _make_room(self, coming: IncomingUpload, nbytes: int) -> None:
        """Check for room; if there is none, remove what has waited for a minute and check again. Raises NoRoom."""
        try:
            self._check_room(coming, nbytes)
        except NoUploadRoom:
            self._sweep(MIN_WAIT_S)
            self._check_room(coming, nbytes)

    def _check_room(self, coming: IncomingUpload, nbytes: int) -> None:
        left = sum(max(0, each.reserved - each.received) for each in self._coming)
        if shutil.disk_usage(self._folder).free < left + nbytes:
            raise NoUploadRoom(disk=True)
        note_owner = self._finished()
        if sum(found.st_size for _, found in (*self._parts(), *note_owner)) + left + nbytes > self._max_bytes:
            raise NoUploadRoom
        own = sum(found.st_size for file, found in note_owner if self._visitors.get(file) == coming.visitor)
        own += sum(each.reserved for each in self._coming if each.visitor == coming.visitor)
        if own + nbytes > self._max_visitor_bytes:
            raise NoUploadRoom(own=True)

    def _sweep(self, waits: float) -> None:
        now, parts, note_owner = self._clock(), self._parts(), self._finished()
        before, self._seen = self._seen, {}
        for file, found in (*parts, *note_owner):
            size, since = before.get(file, (-1, now))
            self._seen[file] = (found.st_size, since if size == found.st_size else now)
        old = {file for file, (_, since) in self._seen.items() if since <= now - waits}
        _remove([each for each in parts if each[0] in old])
        _remove([each for each in note_owner if each[0] in old], empty=False)
        self._visitors = {file: visitor for file, visitor in self._visitors.items() if file in self._seen}
        for folder in self._folders():
            self._drop_if_empty(folder)

    def _drop_if_empty(self, folder: Path) -> None:
        """Remove a film's folder, unless an upload in progress might need it for the same film."""
        if not self._coming:
            with suppress(OSError):  # the same film was uploaded twice, and the other copy is still unread
                folder.rmdir()

    def _folders(self) -> list[Path]:
        return [path for path in self._folder.iterdir() if _FINISHED.fullmatch(path.name)]

    def _finished(self) -> list[FileStat]:
        return [found for folder in self._folders() for found in _files_in(folder)]

    def _parts(self) -> list[FileStat]:
        return _files_in(self._folder, _PARTS)


def _files_in(folder: Path, pattern: str = "*") -> list[FileStat]:
    """Files with their stat, without files that vanish meanwhile."""
    found = []
    for path in folder.glob(pattern):
        with suppress(FileNotFoundError):
            found.append((path, path.lstat()))
    return [(path, known) for path, known in found if not stat.S_ISDIR(known.st_mode)]


def _remove(files: Iterable[FileStat], *, empty: bool = True) -> None:
    """Truncate and delete files: Gradio may hold one open, and an open file keeps its disk space until emptied."""
    for file, found in files:
        with suppress(FileNotFoundError):
            if empty and stat.S_ISREG(found.st_mode):
                os.truncate(file, 0)
        file.unlink(missing_ok=True)

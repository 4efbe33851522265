"""The folders of the visitors who are here now: each under a random token, for a bounded time."""

from __future__ import annotations

import secrets
import shutil
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from explorer.cohorts.unlisted import Unlisted
from explorer.film_folder.limits import MOST_FOLDERS, folder_gone, too_many_folders
from explorer.film_folder.visitor_folder import VisitorFolder
from explorer.reading.reader import Readers, Reading

MINUTE = 60.0
REMEMBERED = 64  # folders that are gone
LIFETIME = 30 * MINUTE  # since an open page last asked for it: it does every minute
SILENT = 5 * MINUTE  # the same, where another visitor needs the place


@dataclass(slots=True)
class _Place:
    folder: VisitorFolder
    visitor: str
    asked: float
    opened: float

    def gives_way(self, now: float) -> bool:
        """Whether nobody seems to be there: its page asks no more, or no file came in a minute."""
        return self.asked <= now - SILENT or (self.opened <= now - MINUTE and not self.folder.incoming.has_begun)


class OpenFolders:
    """One folder for each visitor, a few in all; whatever is forgotten goes from the disk, too. Thread-safe.

    `private` makes the place that they lie in when the first one is opened; Explore shows them from `unlisted`.
    `is_far` says whether a film is unlike the test films of its model.
    """

    def __init__(
        self,
        readers: Readers,
        private: Callable[[], Path],
        *,
        most: int = MOST_FOLDERS,
        clock: Callable[[], float] = time.monotonic,
        unlisted: Unlisted | None = None,
        is_far: Callable[[Reading], bool | None] = lambda reading: False,
    ) -> None:
        self._is_far = is_far
        self._readers = readers
        self._unlisted = unlisted
        self._private = private
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._places: dict[str, _Place] = {}
        self._below: Path | None = None
        self._gone: deque[Path] = deque(maxlen=REMEMBERED)

    def __len__(self) -> int:
        return len(self._places)

    def open(self, visitor: str, files: int, readers: Readers | None = None) -> str:
        """A new folder in place of the one that the visitor had; returns its token. Raises NoFolder.

        `readers` are those that the visitor chose, None: the usual ones.
        """
        self.drop_visitor(visitor)
        self.sweep()
        if len(self._places) >= self._most:
            now = self._clock()
            self._drop([token for token, place in list(self._places.items()) if place.gives_way(now)])
        with self._lock:
            if len(self._places) >= self._most:
                raise too_many_folders()
            if self._below is None or not self._below.is_dir():  # a cleaner of temporary folders may have been here
                self._below = self._private()
            token = secrets.token_urlsafe(24)
            below, reads = Path(tempfile.mkdtemp(dir=self._below)), readers or self._readers
            folder = VisitorFolder(below, reads, files, unlisted=self._unlisted, is_far=self._is_far)
            now = self._clock()
            self._places[token] = _Place(folder, visitor, asked=now, opened=now)
        return token

    def folder(self, token: object) -> VisitorFolder:
        """The folder behind a token. Raises NoFolder."""
        with self._lock:
            place = self._places.get(token) if isinstance(token, str) else None
            if place is None:
                raise folder_gone()
            place.asked = self._clock()
            return place.folder

    def drop(self, token: object) -> None:
        """Forget one."""
        self._drop([token] if isinstance(token, str) else [])

    def drop_visitor(self, visitor: str) -> None:
        """Forget what a visitor has."""
        self._drop([token for token, place in list(self._places.items()) if place.visitor == visitor])

    def sweep(self) -> None:
        """Forget those whose page asks no more, and what work that was under way has written into others since."""
        before = self._clock() - LIFETIME
        self._drop([token for token, place in list(self._places.items()) if place.asked < before])
        for place in list(self._gone):
            shutil.rmtree(place, ignore_errors=True)

    def sweep_forever(self, every: float = MINUTE) -> None:
        """Sweep again and again. For a daemon thread."""
        while True:
            time.sleep(every)
            self.sweep()

    def _drop(self, tokens: list[str]) -> None:
        with self._lock:
            gone = [place for token in tokens if (place := self._places.pop(token, None)) is not None]
        for place in gone:
            place.folder.close()
            self._gone.append(place.folder.place)

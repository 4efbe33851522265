"""The folders of current visitors, each under a random token and for a limited time."""

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
from explorer.film_folder.limits import MAX_FOLDERS, folder_gone, too_many_folders
from explorer.film_folder.visitor_folder import VisitorFolder
from explorer.reading.reader import Readers, Reading

MINUTE = 60.0
MAX_REMEMBERED = 64  # closed folders
LIFETIME_SECONDS = 30 * MINUTE  # since the page last asked; an open page asks every minute
SILENT_SECONDS = 5 * MINUTE  # after which another visitor may take the slot


@dataclass(slots=True)
class _OpenFolder:
    folder: VisitorFolder
    visitor: str
    last_asked: float
    opened: float

    def can_be_evicted(self, now: float) -> bool:
        """Whether the visitor seems gone: the page no longer asks, or no file arrived within a minute."""
        return self.last_asked <= now - SILENT_SECONDS or (
            self.opened <= now - MINUTE and not self.folder.incoming.has_begun
        )


class OpenFolders:
    """One folder per visitor, with a limit on their total number; dropped folders are deleted from disk. Thread-safe.

    `private` creates their parent folder when the first is opened; Explore shows them through `unlisted`. `is_far`
    tells whether a film is unlike the model's test films.
    """

    def __init__(
        self,
        readers: Readers,
        private: Callable[[], Path],
        *,
        most: int = MAX_FOLDERS,
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
        self._places: dict[str, _OpenFolder] = {}
        self._below: Path | None = None
        self._gone: deque[Path] = deque(maxlen=MAX_REMEMBERED)

    def __len__(self) -> int:
        return len(self._places)

    def open(self, visitor: str, files: int, readers: Readers | None = None) -> str:
        """Open a new folder, replacing the visitor's previous one; returns its token. Raises NoFolder.

        `readers` are those that the visitor chose, None: the default ones.
        """
        self.drop_visitor(visitor)
        self.sweep()
        if len(self._places) >= self._most:
            now = self._clock()
            self._drop([token for token, place in list(self._places.items()) if place.can_be_evicted(now)])
        with self._lock:
            if len(self._places) >= self._most:
                raise too_many_folders()
            if self._below is None or not self._below.is_dir():  # a cleaner of temporary folders may have removed it
                self._below = self._private()
            token = secrets.token_urlsafe(24)
            below, reads = Path(tempfile.mkdtemp(dir=self._below)), readers or self._readers
            folder = VisitorFolder(below, reads, files, unlisted=self._unlisted, is_far=self._is_far)
            now = self._clock()
            self._places[token] = _OpenFolder(folder, visitor, last_asked=now, opened=now)
        return token

    def folder(self, token: object) -> VisitorFolder:
        """Return the folder of a token. Raises NoFolder."""
        with self._lock:
            place = self._places.get(token) if isinstance(token, str) else None
            if place is None:
                raise folder_gone()
            place.last_asked = self._clock()
            return place.folder

    def drop(self, token: object) -> None:
        """Close and delete a folder."""
        self._drop([token] if isinstance(token, str) else [])

    def drop_visitor(self, visitor: str) -> None:
        """Close and delete a visitor's folder."""
        self._drop([token for token, place in list(self._places.items()) if place.visitor == visitor])

    def sweep(self) -> None:
        """Delete folders if their page is gone, and files that running work wrote into closed folders."""
        before = self._clock() - LIFETIME_SECONDS
        self._drop([token for token, place in list(self._places.items()) if place.last_asked < before])
        for place in list(self._gone):
            shutil.rmtree(place, ignore_errors=True)

    def sweep_forever(self, every: float = MINUTE) -> None:
        """Sweep repeatedly. For a daemon thread."""
        while True:
            time.sleep(every)
            self.sweep()

    def _drop(self, tokens: list[str]) -> None:
        with self._lock:
            closed = [place for token in tokens if (place := self._places.pop(token, None)) is not None]
        for place in closed:
            place.folder.close()
            self._gone.append(place.folder.place)

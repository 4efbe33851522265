"""Receives the files of a folder, dropped one by one or unpacked from a ZIP, and numbers them."""

from __future__ import annotations

import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from explorer.film_folder.film_rows import FolderFile
from explorer.film_folder.limits import MAX_FILM_NAME_CHARS, MB, Limits, NoFolder
from explorer.film_folder.zip_entries import NotUnpacked, UntrustedZip, is_system_file, is_zip, open_zip

MAX_WAIT_SECONDS = 600.0  # after this long without a file, the folder counts as complete
Refuse = Callable[[FolderFile, str, str], None]  # file, reason, detail


class IncomingFiles:
    """Files of a visitor in `place`. `refuse` is called for each file that cannot be read. Thread-safe."""

    def __init__(
        self,
        place: Path,
        expected: int,
        limits: Limits,
        refuse: Refuse,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.place = place
        self.note = ""  # a sentence, if reading stopped before the last file
        self._limits = limits
        self._refuse = refuse
        self._clock = clock
        self._begun = self._last = clock()
        self._changed = threading.Condition()
        self._waiting: deque[FolderFile] = deque()
        self._complete = self._stopped = False
        self._names: set[str] = set()
        self._expected = min(max(expected, 1), limits.files)
        self._files = self._bytes = self._passed_over = 0

    @property
    def expected(self) -> int:
        """The number of files known so far; those in a ZIP are counted when it is opened."""
        return self._expected

    @property
    def passed_over(self) -> int:
        """The number of skipped system files."""
        return self._passed_over

    @property
    def has_begun(self) -> bool:
        """Whether any file has arrived."""
        return self._files + self._passed_over > 0

    @property
    def stopped(self) -> bool:
        return self._stopped

    def add(self, data: bytes, name: str) -> None:
        """Add a film or a ZIP of films. Raises NoFolder if it is not accepted."""
        with self._changed:
            self._last = self._clock()
            if self._complete:
                raise NoFolder("The folder accepts no more films", "It is complete. Drop these as a new folder.")
            if self._files >= self._limits.files:
                raise self._too_many()
            if self._bytes + len(data) > self._limits.bytes:
                raise NoFolder("The folder is too large", f"At most {self._limits.bytes // MB:,} MB are accepted.")
            if shutil.disk_usage(self.place).free < 2 * len(data):
                raise NoFolder("The disk is full", "Free some space, then drop the films again.")
            if is_system_file(name):
                self._passed_over += 1
                return
            source = self._numbered(name)
            (self.place / source.file).write_bytes(data)
            self._bytes += len(data)
            self._waiting.append(source)
            self._expected = max(self._expected, self._files)
            self._changed.notify_all()

    def complete(self) -> None:
        """Declare that no more files will arrive."""
        with self._changed:
            self._complete = True
            self._changed.notify_all()

    def stop(self) -> None:
        """Stop handing out files."""
        with self._changed:
            self._complete = self._stopped = True
            self._changed.notify_all()

    def again(self, files: Iterable[FolderFile], others: int) -> None:
        """Hand out these files again after reading has ended; `others` are only counted."""
        with self._changed:
            self._waiting = deque(files)
            self._complete, self._stopped, self.note = True, False, ""
            self._expected = len(self._waiting) + others
            self._begun = self._last = self._clock()

    def each(self, idle: Callable[[], bool], is_full: Callable[[], bool]) -> Iterator[FolderFile | None]:
        """Yield every possible film in turn; None if there is none yet, unless the caller is `idle`.

        Once it `is_full`, further files are refused.
        """
        while not self._is_over():
            source = self._next(wait=idle())
            if source is None:
                yield None
            elif is_zip(self.place / source.file):
                yield from self._unpacked(source, is_full)
            elif is_full():
                self._refuse(source, self._limits.surplus, "")
            else:
                yield source

    def _next(self, *, wait: bool) -> FolderFile | None:
        with self._changed:
            if wait and not self._waiting and not self._complete:
                self._changed.wait(1.0)
            return self._waiting.popleft() if self._waiting else None

    def _is_over(self) -> bool:
        if self._clock() - self._begun >= self._limits.seconds:
            self.note = (
                f"Reading stopped after {round(self._limits.seconds / 60)} minutes. Drop the others as a new folder."
            )
            self.stop()
        with self._changed:
            if self._clock() - self._last >= MAX_WAIT_SECONDS and not self._waiting:
                self._complete = True
            return self._stopped or (self._complete and not self._waiting)

    def _numbered(self, name: str) -> FolderFile:
        """Number the next file and make its name unique: a second file with the same name gets (2)."""
        self._files += 1
        wanted = "".join(letter for letter in name if letter.isprintable())[-MAX_FILM_NAME_CHARS:] or "film"
        stem, dot, ending = wanted.rpartition(".")
        unique_name, copy = wanted, 1
        while unique_name.casefold() in self._names:
            copy += 1
            unique_name = f"{stem} ({copy}).{ending}" if dot and stem else f"{wanted} ({copy})"
        self._names.add(unique_name.casefold())
        return FolderFile(self._files, unique_name, f"{self._files:05}")

    def _unpacked(self, archive: FolderFile, is_full: Callable[[], bool]) -> Iterator[FolderFile]:
        path = self.place / archive.file
        try:
            with open_zip(path, self._limits) as files:
                self._expected += len(files.entries) - 1
                yield from self._entries(files, is_full)
                if self._files > self._limits.files:
                    raise self._too_many()
        except NoFolder as refusal:
            self._refuse(archive, refusal.title, refusal.detail)
        path.unlink(missing_ok=True)

    def _entries(self, files: UntrustedZip, is_full: Callable[[], bool]) -> Iterator[FolderFile]:
        for entry in files.entries:
            late = self._clock() - self._begun >= self._limits.seconds
            if self._stopped or late or self._files > self._limits.files:
                return
            if is_system_file(entry.filename):
                self._passed_over += 1
                continue
            with self._changed:
                source, room = self._numbered(entry.filename), self._limits.bytes - self._bytes
            if is_full():
                self._refuse(source, self._limits.surplus, "")
                continue
            try:
                self._bytes += files.write(entry, self.place / source.file, room)
            except NotUnpacked as reason:
                self._bytes += reason.unpacked
                self._refuse(source, str(reason), "")
                continue
            if is_zip(self.place / source.file):
                self._refuse(source, "A ZIP inside a ZIP is not opened", "Drop it by itself.")
            else:
                yield source

    def _too_many(self) -> NoFolder:
        return NoFolder("The folder holds too many files", f"At most {self._limits.files:,} files are accepted.")

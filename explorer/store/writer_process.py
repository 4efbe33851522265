"""Writes the prepared files of large cohorts in a process of its own, and tells how far it is.

There, its many small steps do not share an interpreter with threads that answer. Its memory is free once it has ended.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from pathlib import Path

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_manifest
from explorer.runtime.helper_process import HelperEnded, HelperProcess, serve_with_progress
from explorer.store.database import written_file
from explorer.store.prepared.file_place import PreparedFiles
from explorer.store.prepared.film_tables import Progress, no_progress
from explorer.store.results import StoreError
from models.refusal import Refusal

LARGE = 20_000  # films; fewer are prepared in about a second, as long as a process takes to start
NICENESS = 10  # a visitor may wait for it, but others' questions go first


class FilesWrittenApart(PreparedFiles):
    """Prepared files of which those of large cohorts are written in another process, one at a time. Thread-safe."""

    def __init__(self, place: Path) -> None:
        super().__init__(place, written_file)
        self._process = HelperProcess(__spec__.name, NICENESS)
        self._turn = threading.Lock()
        self._shares: dict[Path, float] = {}  # of files being written

    def close(self) -> None:
        """End the process; a file that it is writing is not written."""
        self._process.end()

    def is_large(self, folder: Folder) -> bool:
        """Whether a cohort's files are written apart."""
        return read_manifest(folder.manifest).cases >= LARGE

    def share(self, file: Path) -> float:
        """Return the share of a file that is written, 0 to 1."""
        return 1 if file.exists() else self._shares.get(file, 0)

    def write_films(self, folder: Folder, version: str, on_progress: Progress = no_progress) -> None:
        if self.is_large(folder):
            self._apart(self.films(folder, version), (folder, version))
        else:
            super().write_films(folder, version, on_progress)

    def write_pairs(
        self, folder: Folder, model: str, films: str, version: str, on_progress: Progress = no_progress
    ) -> None:
        if self.is_large(folder):
            self._apart(self.pairs(folder, model, version), (folder, model, films, version))
        else:
            super().write_pairs(folder, model, films, version, on_progress)

    def _apart(self, file: Path, arguments: tuple[object, ...]) -> None:
        """Write a file in the process, and end it. Raises what writing it raised, and StoreError if it ended early."""

        def note(share: bytes) -> None:
            self._shares[file] = float(share)

        with self._turn:
            try:
                failure = pickle.loads(self._process.ask(pickle.dumps((self.place, *arguments)), note))
            except HelperEnded as ended:
                raise StoreError(
                    "The cohort could not be prepared",
                    "The process that prepares it ended early, probably because the system ran out of memory. "
                    "Close other programs, then ask again.",
                ) from ended
            finally:
                self._shares.pop(file, None)
                self._process.end()
        if failure is not None:
            raise failure


def _write(question: bytes, tell: Callable[[bytes], None]) -> bytes:
    """Write the file that the other side asks for; returns what that raised, or None, pickled."""
    place, *arguments = pickle.loads(question)
    files = PreparedFiles(place, written_file)
    write: Callable[..., None] = files.write_films if len(arguments) == 2 else files.write_pairs
    try:
        write(*arguments, lambda share: tell(str(share).encode()))
    except (Refusal, OSError) as error:
        return pickle.dumps(error)
    return pickle.dumps(None)


if __name__ == "__main__":
    serve_with_progress(_write)

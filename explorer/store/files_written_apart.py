"""Writes the prepared files of large cohorts in a process of its own, and notes how far that is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from explorer.cohorts.large_cohorts import is_large
from explorer.cohorts.layout import Folder
from explorer.core.uncertainty import Policy
from explorer.runtime.helper_process import HelperEnded
from explorer.runtime.work_process import VISITOR_WAITS, WorkProcess
from explorer.store.database import written_file
from explorer.store.prepared.file_place import PreparedFiles
from explorer.store.prepared.film_tables import Progress, no_progress
from explorer.store.results import StoreError


class FilesWrittenApart(PreparedFiles):
    """Prepared files of which those of large cohorts are written in another process, one at a time. Thread-safe."""

    def __init__(self, place: Path) -> None:
        super().__init__(place, written_file)
        self._process = WorkProcess(VISITOR_WAITS, once=True)
        self._there = PreparedFiles(place, written_file)  # as the process has them
        self._shares: dict[Path, float] = {}  # of files being written

    def close(self) -> None:
        """End the process; a file that it is writing is not written."""
        self._process.close()

    def share(self, file: Path) -> float:
        """Return the share of a file that is written, 0 to 1."""
        return 1 if file.exists() else self._shares.get(file, 0)

    def write_films(self, folder: Folder, version: str, on_progress: Progress = no_progress) -> None:
        if is_large(folder):
            self._apart(self.films(folder, version), partial(self._there.write_films, folder, version))
        else:
            super().write_films(folder, version, on_progress)

    def write_pairs(
        self,
        folder: Folder,
        model: str,
        films: str,
        version: str,
        uncertain: Policy = "ignore",
        on_progress: Progress = no_progress,
    ) -> None:
        if is_large(folder):
            work = partial(self._there.write_pairs, folder, model, films, version, uncertain)
            self._apart(self.pairs(folder, model, version, uncertain), work)
        else:
            super().write_pairs(folder, model, films, version, uncertain, on_progress)

    def _apart(self, file: Path, work: Callable[..., None]) -> None:
        """Write a file in the process. Raises what writing it raised, and StoreError if the process ended early."""

        def note(share: float) -> None:
            self._shares[file] = share

        try:
            self._process(work, note)
        except HelperEnded as ended:
            raise StoreError(
                "The cohort could not be prepared",
                "The process that prepares it ended early, probably because the system ran out of memory. "
                "Close other programs, then ask again.",
            ) from ended
        finally:
            self._shares.pop(file, None)

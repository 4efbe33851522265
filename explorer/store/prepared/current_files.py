"""The prepared files of a cohort's current generation, written if they are not there."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from explorer.cohorts.large_cohorts import is_large
from explorer.cohorts.layout import DamagedCohort, Folder, NoCohort
from explorer.cohorts.listing import check_cohort, check_scores
from explorer.cohorts.unlisted import is_unlisted
from explorer.core.uncertainty import Policy
from explorer.store.prepared.file_place import one_writer
from explorer.store.prepared.generation import Generation
from explorer.store.prepared.signatures import own_files, score_files, signature
from explorer.store.results import StoreError, no_room

log = logging.getLogger(__name__)


class Changed(Exception):
    """Files changed while they were being read."""


class WritesFiles(Protocol):
    """The prepared files, see `explorer.store.files_written_apart`."""

    def films(self, folder: Folder, version: str) -> Path: ...
    def pairs(self, folder: Folder, model: str, version: str, uncertain: Policy = ...) -> Path: ...
    def write_films(self, folder: Folder, version: str) -> None: ...
    def write_pairs(self, folder: Folder, model: str, films: str, version: str, uncertain: Policy = ...) -> None: ...
    def forget(self, folder: Folder) -> None: ...
    def share(self, file: Path) -> float: ...


class CurrentFiles:
    """Files of `files`. There is none of an unlisted cohort, which is a visitor's, nor where none can be written."""

    def __init__(self, files: WritesFiles) -> None:
        self._files = files

    def forget(self, folder: Folder) -> None:
        """Delete a cohort's files."""
        self._files.forget(folder)

    def share(self, seen: Generation, model: str, uncertain: Policy = "ignore") -> float | None:
        """Return the share written of a large cohort's files for a model; None if there is nothing to wait for."""
        folder = seen.folder
        if is_unlisted(folder.name) or not is_large(folder):
            return None
        pairs = self._files.pairs(folder, model, seen.pairs(model), uncertain)
        shares = [self._files.share(file) for file in (self._files.films(folder, seen.films), pairs)]
        return None if min(shares) == 1 else sum(shares) / len(shares)

    def films(self, seen: Generation) -> Path | None:
        """Return the file of a cohort's films, written if it is not there; None if it is prepared in memory."""
        folder, version = seen.folder, seen.films

        def write() -> None:
            with of_one_version(lambda: signature(own_files(folder)), version):
                check_cohort(folder)
                self._files.write_films(folder, version)

        return self._file(folder, self._files.films(folder, version), write)

    def pairs(self, seen: Generation, model: str, uncertain: Policy = "ignore") -> Path | None:
        """Return the file of a model's pairs, written if it is not there; None if it is prepared in memory."""
        folder, version, film_file = seen.folder, seen.pairs(model), self.films(seen)
        if film_file is None:
            return None

        def write() -> None:
            with of_one_version(lambda: signature(score_files(folder, model)), seen.scores[model]):
                check_scores(folder, model)
                try:
                    self._files.write_pairs(folder, model, seen.films, version, uncertain)
                except StoreError as error:
                    if film_file.exists():
                        raise
                    raise Changed from error  # another process that saw other films has replaced their file

        return self._file(folder, self._files.pairs(folder, model, version, uncertain), write)

    def _file(self, folder: Folder, file: Path, write: Callable[[], None]) -> Path | None:
        """Return the file, written if it is not there. An unlisted cohort is a visitor's: it has no files here."""
        if is_unlisted(folder.name):
            return None
        with one_writer(file):
            if not file.exists():
                try:
                    write()
                except OSError as error:
                    if error.errno == errno.ENOSPC:
                        raise no_room(file.parent.parent) from error
                    log.warning("Prepared in memory, because %s cannot be written: %s", file, error.strerror)
                    return None
        return file


@contextmanager
def of_one_version(now: Callable[[], str], version: str) -> Iterator[None]:
    """Raise Changed if the files change during the block, even if the change made them look damaged."""
    try:
        yield
    except (DamagedCohort, NoCohort):
        if now() == version:
            raise
    if now() != version:
        raise Changed

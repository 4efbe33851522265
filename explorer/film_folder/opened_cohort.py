"""Shows a visitor's folder in Explore as a cohort for that visitor only: unlisted, and removed with the folder."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from explorer.cohorts.images import remember_root
from explorer.cohorts.layout import Folder
from explorer.cohorts.thumbnails import save_thumbnail
from explorer.cohorts.unlisted import Unlisted, new_name
from explorer.film_folder.film_rows import FilmRow, RefusedFile
from explorer.film_folder.folder_cohort import import_source, write_folder_scores
from explorer.ingest.make_cohort import write_cohort
from models.cards.card import Card

OLD_VERSION_SECONDS = 60.0  # how long a replaced version stays readable, longer than any query of the store may take


class OpenedCohort:
    """The cohort of the films in `films`; its files are below `place`, an empty folder. Thread-safe.

    When more films have been read, a new version is written beside the current one. Additions (marks, thresholds, a
    map) are stored in the overlay and persist.
    """

    def __init__(self, place: Path, films: Path, unlisted: Unlisted) -> None:
        self.name = new_name()
        self.additions = Folder(place / self.name)
        self._place = place
        self._films = films
        self._unlisted = unlisted
        self._lock = threading.Lock()
        self._holds = (0, 0, "")  # films, files still to come, name of the model
        self._pictured: set[str] = set()
        self._version = 0
        self._old: list[tuple[float, int]] = []  # replaced versions: time of replacement, number
        self._closed = False

    def show(
        self, rows: Sequence[FilmRow], refused: Sequence[RefusedFile], card: Card, *, simulated: bool, coming: int
    ) -> None:
        """Show these films, at least one, while `coming` files are still to be read. Raises OSError, NoCohort."""
        with self._lock:
            if self._closed or self._holds == (holds := (len(rows), coming, card.name)):
                return
            made = Folder(self._place / str(self._version) / self.name, overlay=self.additions.path)
            made.path.mkdir(mode=0o700, parents=True)
            source = import_source(rows, refused, simulated=simulated)
            source.coming = coming
            write_cohort(made, source, source.entries, source.rejects, self.name)
            write_folder_scores(made, rows, card)
            remember_root(made, self.name, self._films)
            self._keep_pictures(made, rows)
            self._unlisted.put(made)
            self._holds = holds
            self._remove_old_versions()
            self._version += 1

    def _remove_old_versions(self) -> None:
        """Remove versions that nobody reads anymore, and mark the current one as replaced."""
        now = time.monotonic()
        for replaced, version in [each for each in self._old if now - each[0] > OLD_VERSION_SECONDS]:
            shutil.rmtree(self._place / str(version), ignore_errors=True)
            self._old.remove((replaced, version))
        if self._version:
            self._old.append((now, self._version - 1))

    def close(self) -> None:
        """Remove the cohort; its files are deleted with the folder."""
        with self._lock:
            self._closed = True
            self._unlisted.forget(self.name)

    def _keep_pictures(self, made: Folder, rows: Sequence[FilmRow]) -> None:
        """Save the thumbnails of the films, so that the gallery need not decode them again."""
        shared = self._place / "thumbnails"
        shared.mkdir(mode=0o700, exist_ok=True)
        made.thumbnails.symlink_to(shared, target_is_directory=True)
        for row in rows:
            if row.source.name not in self._pictured:
                save_thumbnail(made, row.source.name, self._films / row.source.file, row.picture)
                self._pictured.add(row.source.name)

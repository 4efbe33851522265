"""A visitor's folder as a cohort that Explore shows to that visitor alone: unlisted, and gone with the folder."""

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
from explorer.film_folder.folder_cohort import source_of, write_scores
from explorer.ingest.make_cohort import write_cohort
from models.cards.card import Card

READ_FOR = 60.0  # s that a question may go on reading a version that was replaced: longer than the store lets any take


class OpenedCohort:
    """The cohort of the films in `films`, its files below `place`, an empty folder. Safe to use from several threads.

    It is written anew, beside what is being read, when more films were read. What is added to it - marks, thresholds, a
    map - lies in the overlay and stays.
    """

    def __init__(self, place: Path, films: Path, unlisted: Unlisted) -> None:
        self.name = new_name()
        self.additions = Folder(place / self.name)
        self._place = place
        self._films = films
        self._unlisted = unlisted
        self._lock = threading.Lock()
        self._holds = (0, 0, "")  # films, files that were still to come, the model that read them
        self._pictured: set[str] = set()
        self._version = 0
        self._old: list[tuple[float, int]] = []  # when each was replaced, and its number
        self._closed = False

    def show(
        self, rows: Sequence[FilmRow], refused: Sequence[RefusedFile], card: Card, *, simulated: bool, coming: int
    ) -> None:
        """Have these films in it, one at least, while so many files are still to be read. Raises OSError, NoCohort."""
        with self._lock:
            if self._closed or self._holds == (holds := (len(rows), coming, card.name)):
                return
            made = Folder(self._place / str(self._version) / self.name, overlay=self.additions.path)
            made.path.mkdir(mode=0o700, parents=True)
            source = source_of(rows, refused, simulated=simulated)
            source.coming = coming
            write_cohort(made, source, source.entries, source.rejects, self.name)
            write_scores(made, rows, card)
            remember_root(made, self.name, self._films)
            self._keep_pictures(made, rows)
            self._unlisted.put(made)
            self._holds = holds
            self._let_go()
            self._version += 1

    def _let_go(self) -> None:
        """Remove versions that nobody reads any more; the last one becomes another old one."""
        now = time.monotonic()
        for replaced, version in [each for each in self._old if now - each[0] > READ_FOR]:
            shutil.rmtree(self._place / str(version), ignore_errors=True)
            self._old.remove((replaced, version))
        if self._version:
            self._old.append((now, self._version - 1))

    def close(self) -> None:
        """There is no such cohort any more; its files go with the folder."""
        with self._lock:
            self._closed = True
            self._unlisted.forget(self.name)

    def _keep_pictures(self, made: Folder, rows: Sequence[FilmRow]) -> None:
        """The small pictures of the films, which are there: none is decoded again for the gallery."""
        shared = self._place / "thumbnails"
        shared.mkdir(mode=0o700, exist_ok=True)
        made.thumbnails.symlink_to(shared, target_is_directory=True)
        for row in rows:
            if row.source.name not in self._pictured:
                save_thumbnail(made, row.source.name, self._films / row.source.file, row.picture)
                self._pictured.add(row.source.name)

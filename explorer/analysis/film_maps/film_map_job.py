"""Makes film maps in the background, once per cohort and model, and saves them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.analysis.film_maps.film_map_of import check_has_features, make_film_map
from explorer.cohorts.film_map import FilmMap, KnownMap, save_map
from explorer.cohorts.layout import Folder
from explorer.core.progress import OnProgress
from explorer.runtime.background_jobs import BackgroundJob
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

MapMaker = Callable[[Folder, str, OnProgress], FilmMap]


class FilmMapsJob:
    """Returns a model's film map or its progress, without waiting. Thread-safe.

    The first request starts the work, which then runs to its end. A refusal is cached until the features change.
    """

    def __init__(self, store: Store, make: MapMaker = make_film_map) -> None:
        self._store = store
        self._make = make
        self._job = BackgroundJob()
        self._lock = threading.Lock()
        self._progress: dict[tuple[str, str], tuple[int, int]] = {}

    def ask(self, cohort: str, model: str) -> KnownMap | tuple[int, int]:
        """Return the map, or (rounds done, total), which is (0, 0) before the first round.

        Raises Refusal if no map can be made, FailedWork, and the store's errors.
        """
        known = self._store.film_map(cohort, model)
        if known is not None:
            return known
        check_has_features(self._store.folder(cohort, model), model)
        key = (cohort, model)
        answer = self._job.ask((*key, self._store.features_version(*key)), lambda: self._made(cohort, model))
        if isinstance(answer, Refusal):
            raise answer
        if answer is not None:
            known = self._store.film_map(cohort, model)  # it may have been saved in the meantime
            if known is not None:
                return known
            raise Refusal("The map was deleted", "Restart Tailscope to make it again.")
        with self._lock:
            return self._progress.get(key, (0, 0))

    def close(self) -> None:
        """Accept no more work."""
        self._job.close()

    def _made(self, cohort: str, model: str) -> KnownMap | Refusal:
        def note(done: int, of: int) -> None:
            with self._lock:
                self._progress[cohort, model] = (done, of)

        folder = self._store.folder(cohort, model)
        try:
            made = self._make(folder, model, note)
        except Refusal as refusal:
            return refusal
        try:
            save_map(folder, model, made)
        except OSError as error:
            logging.getLogger(__name__).warning("Cannot save a film map: %s.", error.strerror)
            return Refusal(
                "The map cannot be saved",
                f"{error.strerror}. Free disk space or make TAILSCOPE_HOME writable, then restart Tailscope.",
            )
        finally:
            with self._lock:
                self._progress.pop((cohort, model), None)
        return self._store.film_map(cohort, model) or Refusal(
            "The features changed while the map was made", "Open Map again."
        )

"""Maps of films, made once for each cohort and model while the page is already there, and kept."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.analysis.film_maps.film_map_of import check_there, film_map_of
from explorer.cohorts.film_map import FilmMap, KnownMap, keep
from explorer.cohorts.layout import Folder
from explorer.core.progress import OnProgress
from explorer.runtime.background_jobs import Job
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

Make = Callable[[Folder, str, OnProgress], FilmMap]


class FilmMapsJob:
    """The map of a model's films, or how far it is; never waits. Safe to use from several threads.

    Who asks has it made; once begun it is made to its end. A refusal is one of the features as they are, and stands
    until these are others.
    """

    def __init__(self, store: Store, make: Make = film_map_of) -> None:
        self._store = store
        self._make = make
        self._job = Job()
        self._lock = threading.Lock()
        self._far: dict[tuple[str, str], tuple[int, int]] = {}

    def ask(self, cohort: str, model: str) -> KnownMap | tuple[int, int]:
        """The map, or how many rounds of how many are done, (0, 0) before the first.

        Raises Refusal where there can be none, FailedWork, and what the store raises.
        """
        known = self._store.film_map(cohort, model)
        if known is not None:
            return known
        check_there(self._store.folder(cohort, model), model)
        key = (cohort, model)
        settled = self._job.ask((*key, self._store.features_version(*key)), lambda: self._made(cohort, model))
        if isinstance(settled, Refusal):
            raise settled
        if settled is not None:
            known = self._store.film_map(cohort, model)  # it may have been kept since the first look
            if known is not None:
                return known
            raise Refusal("The map was taken away", "Start Tailscope again: it makes another one.")
        with self._lock:
            return self._far.get(key, (0, 0))

    def close(self) -> None:
        """Take up no more work."""
        self._job.close()

    def _made(self, cohort: str, model: str) -> KnownMap | Refusal:
        def note(done: int, of: int) -> None:
            with self._lock:
                self._far[cohort, model] = (done, of)

        folder = self._store.folder(cohort, model)
        try:
            made = self._make(folder, model, note)
        except Refusal as refusal:
            return refusal
        try:
            keep(folder, model, made)
        except OSError as error:
            logging.getLogger(__name__).warning("A map of films cannot be kept: %s.", error.strerror)
            return Refusal(
                "The map cannot be kept",
                f"{error.strerror}. Make room or a way for TAILSCOPE_HOME to be written, and start Tailscope again.",
            )
        finally:
            with self._lock:
                self._far.pop((cohort, model), None)
        return self._store.film_map(cohort, model) or Refusal(
            "The features were changed while they were laid out", "Open Map again."
        )

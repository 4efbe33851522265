"""Films that recent pages listed, by the ids in their thumbnails' addresses, so that none must be looked up again."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from explorer.cohorts.film_source import FilmSource
from explorer.cohorts.public_ids import opaque_id

MAX_SHOWN = 8192  # films, a few hundred bytes each


@dataclass(frozen=True, slots=True)
class ShownFilm:
    """A film of a cohort."""

    cohort: str
    film: FilmSource


class ShownFilms:
    """Remembers the last films that pages listed. Thread-safe."""

    def __init__(self, most: int = MAX_SHOWN) -> None:
        self._most = most
        self._lock = Lock()
        self._films: OrderedDict[tuple[str, str], ShownFilm] = OrderedDict()

    def note(self, cohort: str, case_id: str, film: FilmSource) -> None:
        """Remember a film by its cohort and its case's opaque id."""
        key = opaque_id(cohort), case_id
        with self._lock:
            self._films[key] = ShownFilm(cohort, film)
            self._films.move_to_end(key)
            if len(self._films) > self._most:
                self._films.popitem(last=False)

    def find(self, cohort_id: str, case_id: str) -> ShownFilm | None:
        """Return the film of two opaque ids; None if no recent page listed it."""
        return self._films.get((cohort_id, case_id))

    def forget(self, cohort_id: str, case_id: str) -> None:
        """Forget a film that is no longer there."""
        with self._lock:
            self._films.pop((cohort_id, case_id), None)

"""Runs slice discovery in the background, one request at a time, and reports its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from explorer.analysis.slice_discovery.discovered_slices import CandidateSource
from explorer.analysis.slice_discovery.film_spectra import film_spectra
from explorer.analysis.slice_discovery.where_it_fails import WhereItFails, where_it_fails
from explorer.runtime.background_jobs import BackgroundJob
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.images import Images
    from explorer.store.store import Store

CACHE_SIZE = 32  # answers; each holds the films of dozens of slices


class DiscoveryClosed(Exception):
    """Raised when the program is closing, so that the current work stops."""


@dataclass(frozen=True, slots=True)
class DiscoveryProgress:
    """Progress: `done` of `of` findings, or films while spectra are computed; 0 of 0 before the start."""

    done: int
    of: int
    what: str


_NOT_BEGUN = DiscoveryProgress(0, 0, "findings")


class DiscoveryJob:
    """Returns a finished answer or the progress, without waiting."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._job = BackgroundJob(kept=CACHE_SIZE)
        self._now = _NOT_BEGUN  # of the current request
        self._at_work: object = None
        self._closed = False

    def ask(self, chosen: Slice, source: CandidateSource, images: Images) -> WhereItFails | DiscoveryProgress:
        """Return where the model fails in a slice, or the progress. Raises FailedWork and `where_it_fails`'
        refusals.
        """
        population = chosen.population()
        key = (population, source, self._store.version(chosen.cohort, chosen.model))
        answer = self._job.ask(key, partial(self._work, key, population, source, images))
        if isinstance(answer, Refusal):
            raise answer
        if answer is None:
            return self._now if self._at_work == key else _NOT_BEGUN
        return answer

    def close(self) -> None:
        """Accept no more work and stop the current one."""
        self._closed = True
        self._job.close()

    def _work(self, key: object, population: Slice, source: CandidateSource, images: Images) -> WhereItFails | Refusal:
        self._at_work, self._now = key, _NOT_BEGUN
        place = partial(self._store.folder, population.cohort, population.model)
        try:
            return where_it_fails(
                self._store,
                population,
                source,
                spectra=lambda: film_spectra(self._store, images, place(), self._report("films")),
                report=self._report("findings"),
            )
        except Refusal as refusal:
            return refusal

    def _report(self, what: str) -> Callable[[int, int], None]:
        def report(done: int, of: int) -> None:
            if self._closed:
                raise DiscoveryClosed
            self._now = DiscoveryProgress(done, of, what)

        return report

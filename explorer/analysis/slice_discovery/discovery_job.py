"""Slice discovery while the page is already there: one question at a time, with how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from explorer.analysis.slice_discovery.discovered_slices import Source
from explorer.analysis.slice_discovery.film_spectra import film_spectra
from explorer.analysis.slice_discovery.where_it_fails import WhereItFails, where_it_fails
from explorer.runtime.background_jobs import BackgroundJob
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.images import Images
    from explorer.store.store import Store

KEPT = 32  # answers: each holds which films are in some dozens of slices


class Closed(Exception):
    """The program ends: what is being read is given up."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work is: `done` of `of` findings, or films while their spectra are made; 0 of 0 before it begins."""

    done: int
    of: int
    what: str


_NOT_BEGUN = Progress(0, 0, "findings")


class DiscoveryJob:
    """Answers what is known, else says how far it is; nobody who asks waits."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._job = BackgroundJob(kept=KEPT)
        self._now = _NOT_BEGUN  # of the question that is being worked on
        self._at_work: object = None
        self._closed = False

    def ask(self, chosen: Slice, source: Source, images: Images) -> WhereItFails | Progress:
        """Where the model fails on the films of a slice. Raises FailedWork, and what `where_it_fails` refuses."""
        population = chosen.population()
        key = (population, source, self._store.version(chosen.cohort, chosen.model))
        answer = self._job.ask(key, partial(self._work, key, population, source, images))
        if isinstance(answer, Refusal):
            raise answer
        if answer is None:
            return self._now if self._at_work == key else _NOT_BEGUN
        return answer

    def close(self) -> None:
        """Take up no more work, and give up what is being read."""
        self._closed = True
        self._job.close()

    def _work(self, key: object, population: Slice, source: Source, images: Images) -> WhereItFails | Refusal:
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
                raise Closed
            self._now = Progress(done, of, what)

        return report

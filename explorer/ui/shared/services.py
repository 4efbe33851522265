"""The services that the page answers from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.analysis.studies.studies_job import StudiesJob

if TYPE_CHECKING:
    from explorer.analysis.cases.text_ranking import TextInterpreter
    from explorer.analysis.film_maps.film_map_job import FilmMapsJob
    from explorer.analysis.intervals.intervals_job import IntervalsJob
    from explorer.cohorts.images import Images
    from explorer.reading.model_routing import ByProvenance
    from explorer.reading.reader import Reader, Readers
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class Services:
    """The cohorts, their films, the models, and the background jobs for intervals, maps and study cohorts.

    `readers` read films, `askers` answer typed findings; each is None without its model.
    """

    store: Store
    images: Images
    readers: Readers | None
    intervals: IntervalsJob
    askers: ByProvenance[TextInterpreter] | None = None
    maps: FilmMapsJob | None = None
    studies: StudiesJob = field(default_factory=StudiesJob)

    def close(self) -> None:
        """Stop the background jobs and release the cohorts."""
        self.intervals.close()
        if self.maps is not None:
            self.maps.close()
        self.studies.close()
        self.store.close()

    def simulated(self, cohort: str) -> bool:
        """Whether a cohort's films are simulated."""
        return self.store.is_simulated(cohort)

    def reader(self, cohort: str) -> Reader | None:
        """The model that reads the films of a cohort."""
        return None if self.readers is None else self.readers.of(self.simulated(cohort))

    def asker(self, cohort: str) -> TextInterpreter | None:
        """The model that answers typed findings on the films of a cohort."""
        return None if self.askers is None else self.askers.of(self.simulated(cohort))

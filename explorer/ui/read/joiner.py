"""Compares films that were read with the cohorts."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from explorer.analysis.cases.cohort_context import CohortContext, cohort_context, films_to_compare, is_far
from explorer.analysis.cases.comparable_cohorts import comparable_cohorts
from explorer.cohorts.images import Images
from explorer.cohorts.public_ids import opaque_id
from explorer.reading.reader import Reader, Reading
from explorer.ui.read.join_payload import JoinPayload, join_payload
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


class Joiner:
    """Compares a film with the cases of the store."""

    def __init__(self, store: Store, images: Images) -> None:
        self._store = store
        self._images = images

    def join_first(self, reading: Reading) -> CohortContext | None:
        """The film compared with the first cohort that its model has scored; None if nothing can be compared."""
        try:
            return cohort_context(self._store, reading.card, reading.rows, reading.features)
        except Refusal:
            return None

    def is_far(self, reading: Reading, *, at_once: bool = False) -> bool | None:
        """Whether the film is unlike its model's test films; False if the model has none.

        None if `at_once` is set and the answer is not known yet: a model's first film takes a second.
        """
        try:
            films = films_to_compare(self._store, reading.card)
            if films is None:
                return False
            if at_once and not films.measured:
                return None
            return is_far(films.of_film(reading.features, 1))
        except Refusal:
            return False

    def measure(self, *readers: Reader) -> None:
        """Measure the test films of these models ahead of time, each once its model is loaded."""
        for reader in readers:
            with suppress(Refusal):
                films = films_to_compare(self._store, reader.card)
                if films is not None:
                    films.closer(0.0)

    def join(self, reading: Reading, cohort_id: str = "") -> JoinPayload | RefusedPayload:
        """The film compared with the cohort of this opaque id, by default the first that its model has scored.

        If nothing can be compared, the answer says why.
        """
        try:
            cohorts = comparable_cohorts(self._store, reading.card)
            name = next((each.name for each in cohorts if opaque_id(each.name) == cohort_id), None)
            joined = cohort_context(self._store, reading.card, reading.rows, reading.features, name)
            return join_payload(joined, reading, cohorts, self._images)
        except Refusal as refusal:
            return refusal_payload(refusal, "apart")

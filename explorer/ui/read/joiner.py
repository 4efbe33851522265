"""Sets a film that was read beside the cohorts, for whoever asks."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from explorer.analysis.cases.cohort_context import Join, films_to_compare, is_far, join
from explorer.analysis.cases.comparable_cohorts import comparable
from explorer.cohorts.images import Images
from explorer.cohorts.public_ids import opaque
from explorer.reading.reader import Reader, Reading
from explorer.ui.read.join_payload import JoinPayload, join_payload
from explorer.ui.shared.refusals import RefusedPayload, refused
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


class Joiner:
    """Knows the cohorts and where their films lie."""

    def __init__(self, store: Store, images: Images) -> None:
        self._store = store
        self._images = images

    def beside(self, reading: Reading) -> Join | None:
        """The film beside the first cohort that its model has scored; None where nothing can be compared."""
        try:
            return join(self._store, reading.card, reading.rows, reading.features)
        except Refusal:
            return None

    def is_far(self, reading: Reading, *, at_once: bool = False) -> bool | None:
        """Whether the film is unlike the test films of its model; False where it has none.

        None where `at_once` is asked for and that is not known yet: the first film of a model takes a second.
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
        """Measure the test films of these readers' models, each once its model is loaded: no visitor waits for it."""
        for reader in readers:
            with suppress(Refusal):
                films = films_to_compare(self._store, reader.card)
                if films is not None:
                    films.closer(0.0)

    def join(self, reading: Reading, cohort_id: str = "") -> JoinPayload | RefusedPayload:
        """The film beside the cohort with this opaque id, by default the first that the film's model has scored.

        Where nothing can be compared the answer says why.
        """
        try:
            cohorts = comparable(self._store, reading.card)
            name = next((each.name for each in cohorts if opaque(each.name) == cohort_id), None)
            joined = join(self._store, reading.card, reading.rows, reading.features, name)
            return join_payload(joined, reading, cohorts, self._images)
        except Refusal as refusal:
            return refused(refusal, "apart")

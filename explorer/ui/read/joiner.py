"""Sets a film that was read beside the cohorts, for whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.analysis.cohort_context import Join, join
from explorer.analysis.comparable_cohorts import comparable
from explorer.cohorts.images import Images
from explorer.cohorts.public_ids import opaque
from explorer.reading.reader import Reading
from explorer.ui.read.join_payload import JoinPayload, join_payload
from explorer.ui.refusals import RefusedPayload, refused
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

"""The call of Read's "How stable is this?"."""

from __future__ import annotations

from explorer.reading.stability_json import stability_answer
from explorer.runtime.fair_queue import QueueFull
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.read.payload import StabilityPayload
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from models.cards.card import UnusableModel


class StabilityCall:
    """Scores small changes of films that were read, once each; exports then carry the answer."""

    def __init__(self, reading: ReadHandlers) -> None:
        self._reading = reading

    def stability(self, token: object) -> StabilityPayload | RefusedPayload | None:
        """How stable the scores of the film behind `token` are; None if the film is gone or was not read."""
        opened = self._reading.opened(token)
        if opened is None or opened.reading is None:
            return None
        reading = opened.reading
        if not (reading.verdict.readable or opened.anyway):
            return None
        try:
            film = opened.stability or self._reading.reader(opened).stability(
                opened.film.unpacked().radiograph, name=str(token)
            )
        except (UnusableModel, QueueFull) as refusal:
            return refusal_payload(refusal, "unscored")
        self._reading.keep_stability(str(token), opened, film)
        return {"stage": "stability", **stability_answer(film, reading.rows)}

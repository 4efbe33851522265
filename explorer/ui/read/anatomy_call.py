"""The call of Read's "Heart size": the cardiothoracic ratio of an open film."""

from __future__ import annotations

from explorer.reading.anatomy import heart_size
from explorer.reading.anatomy_json import heart_size_answer
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.read.payload import HeartSizePayload
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from models.cards.card import UnusableModel


class AnatomyCall:
    """Measures the heart on films that were read."""

    def __init__(self, reading: ReadHandlers) -> None:
        self._reading = reading

    def heart_size(self, token: object) -> HeartSizePayload | RefusedPayload | None:
        """The ratio of the film behind `token`, or why there is none; None if the film is gone or was not read."""
        opened = self._reading.opened(token)
        if opened is None or opened.reading is None:
            return None
        try:
            film = opened.film.unpacked().radiograph
            outlines = self._reading.outlines(str(token), opened, film, opened.reading.verdict)
        except UnusableModel as refusal:
            return refusal_payload(refusal, "unscored")
        return {"stage": "heart size", **heart_size_answer(heart_size(outlines, film.view))}

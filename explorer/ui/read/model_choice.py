"""The classifiers offered in Read, and the reading of a second one for comparison."""

from __future__ import annotations

from explorer.reading.finding_json import row_payload
from explorer.reading.model_shelf import ModelShelf
from explorer.runtime.fair_queue import QueueFull
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.read.payload import BesideModelPayload, ModelOptionPayload
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import string_field
from models.cards.card import UnusableModel
from models.cards.download import download_share


class ModelChoice:
    """The script's calls about models."""

    def __init__(self, shelf: ModelShelf, reading: ReadHandlers) -> None:
        self._shelf = shelf
        self._reading = reading

    def models(self, _: object) -> list[ModelOptionPayload]:
        """Every classifier on offer, downloaded or not."""
        return [
            {
                "name": each.name,
                "title": each.title,
                "own": each.own,
                "simulated": each.simulated,
                "megabytes": each.megabytes,
            }
            for each in self._shelf.choices()
        ]

    def beside_model(self, sent: object) -> BesideModelPayload | RefusedPayload | None:
        """The reading of the film behind `token` by a second `model`; None if the film is gone."""
        token, name = string_field(sent, "token"), string_field(sent, "model")
        opened = self._reading.opened(token)
        if opened is None:
            return None
        try:
            read = self._shelf.reader(name).read(opened.film.unpacked().radiograph, name=f"{token} beside")
        except (UnusableModel, QueueFull) as refusal:
            return refusal_payload(refusal, "unscored")
        says = "" if read.verdict.readable else f"{name} may not read it: {read.verdict.reason}"
        return {"stage": "beside model", "model": name, "rows": [row_payload(row) for row in read.rows], "says": says}

    def fetched(self, name: object) -> float | None:
        """The fraction of a model's weights downloaded so far; None if no download is running."""
        return download_share(name) if isinstance(name, str) else None

"""Which classifiers a visitor can choose in Read, and what a second one says of the film beside the first."""

from __future__ import annotations

from explorer.reading.finding_json import row_payload
from explorer.reading.model_shelf import ModelShelf
from explorer.runtime.fair_queue import QueueFull
from explorer.ui.read.handlers import ReadHandlers, string_field
from explorer.ui.read.payload import BesideModelPayload, ModelChoicePayload
from explorer.ui.shared.refusals import RefusedPayload, refused
from models.cards.card import UnusableModel
from models.cards.download import under_way


class ModelChoice:
    """The calls of the script that are about models."""

    def __init__(self, shelf: ModelShelf, reading: ReadHandlers) -> None:
        self._shelf = shelf
        self._reading = reading

    def models(self, _: object) -> list[ModelChoicePayload]:
        """Every classifier that can be chosen, whether it is here or has to be fetched."""
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

    def beside_model(self, order: object) -> BesideModelPayload | RefusedPayload | None:
        """What `model` says of the film behind `token`, which another one has read; None when the film is gone."""
        token, name = string_field(order, "token"), string_field(order, "model")
        opened = self._reading.opened(token)
        if opened is None:
            return None
        try:
            read = self._shelf.reader(name).read(opened.film.radiograph, name=f"{token} beside")
        except (UnusableModel, QueueFull) as refusal:
            return refused(refusal, "unscored")
        says = "" if read.verdict.readable else f"{name} may not read it: {read.verdict.reason}"
        return {"stage": "beside model", "model": name, "rows": [row_payload(row) for row in read.rows], "says": says}

    def fetched(self, name: object) -> float | None:
        """How much of a model's weights is here, from 0 to 1, while they are fetched; None where they are not."""
        return under_way(name) if isinstance(name, str) else None

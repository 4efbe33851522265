"""Classifiers that a visitor chooses by name, each loaded when it is first chosen; one that failed is tried again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from explorer.reading.model_loader import LazyModel
from explorer.reading.reader import Reader, ReadingModel
from models.cards.card import Card, UnusableModel
from models.cards.classifier_card import CARD_KINDS, classifier_card
from models.cards.download import local_weights
from models.cards.registry import own_names, registered_names, registry_state

KEPT = 64  # cards


@dataclass(frozen=True, slots=True)
class Choice:
    """A classifier that can be chosen; `megabytes` have to be fetched first, 0: it is here."""

    name: str
    title: str
    own: bool
    simulated: bool  # it is for simulated films
    megabytes: int


class ModelShelf:
    """The registered classifiers and the user's own, as readers. Safe to be asked from threads."""

    def __init__(self, load: Callable[[str], ReadingModel], reader: Callable[[LazyModel], Reader] = Reader) -> None:
        self._load, self._reader = load, reader
        self._lock = threading.Lock()
        self._models: dict[str, LazyModel] = {}
        self._readers: dict[str, Reader] = {}

    def choices(self) -> tuple[Choice, ...]:
        """Those whose cards can be read, the registered ones first."""
        registry = registry_state()
        registered = (_choice(name, partial(_registered, name, registry)) for name in registered_names(*CARD_KINDS))
        own = (_choice(name, partial(classifier_card, name), own=True) for name in own_names(*CARD_KINDS))
        return tuple(each for each in (*registered, *own) if each is not None)

    def reader(self, name: str) -> Reader:
        """The reader of a model, which begins to load. Raises UnusableModel for one that is not among the choices."""
        if (
            name not in self._models
            and name not in registered_names(*CARD_KINDS)
            and name not in own_names(*CARD_KINDS)
        ):
            raise UnusableModel("There is no such model", "Choose one from the list.")
        with self._lock:
            if name not in self._models or self._models[name].failed:
                self._models[name] = LazyModel(name, partial(self._load, name))
                self._readers[name] = self._reader(self._models[name])
            self._models[name].start()
            return self._readers[name]


@lru_cache(maxsize=KEPT)
def _registered(name: str, _registry: tuple[object, ...]) -> Card:
    """A card that comes with the project, read once as long as these stay the same: each visit lists them all."""
    return classifier_card(name)


def _choice(name: str, read: Callable[[], Card], *, own: bool = False) -> Choice | None:
    try:
        about = read()
    except UnusableModel:
        return None  # `model list` says what is wrong with it
    size = about.download.megabytes if about.download and local_weights(about) is None else 0
    return Choice(name, about.title, own, about.films == "simulated", size)

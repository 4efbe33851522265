"""Classifiers that visitors choose by name, loaded on first use; failed loads are retried."""

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

MAX_CACHED_CARDS = 64  # cards


@dataclass(frozen=True, slots=True)
class ModelOption:
    """A selectable classifier; `megabytes` is how much must be downloaded first, 0 if it is local."""

    name: str
    title: str
    own: bool
    simulated: bool  # made for simulated films
    megabytes: int


class ModelShelf:
    """Readers of the registered classifiers and the user's own. Thread-safe."""

    def __init__(self, load: Callable[[str], ReadingModel], reader: Callable[[LazyModel], Reader] = Reader) -> None:
        self._load, self._reader = load, reader
        self._lock = threading.Lock()
        self._models: dict[str, LazyModel] = {}
        self._readers: dict[str, Reader] = {}

    def choices(self) -> tuple[ModelOption, ...]:
        """Return the classifiers with readable cards, registered ones first."""
        registry = registry_state()
        registered = (_choice(name, partial(_registered, name, registry)) for name in registered_names(*CARD_KINDS))
        own = (_choice(name, partial(classifier_card, name), own=True) for name in own_names(*CARD_KINDS))
        return tuple(each for each in (*registered, *own) if each is not None)

    def reader(self, name: str) -> Reader:
        """Return a model's reader and start loading the model. Raises UnusableModel for an unknown name."""
        if (
            name not in self._models
            and name not in registered_names(*CARD_KINDS)
            and name not in own_names(*CARD_KINDS)
        ):
            raise UnusableModel("This model does not exist", "Choose one from the list.")
        with self._lock:
            if name not in self._models or self._models[name].failed:
                self._models[name] = LazyModel(name, partial(self._load, name))
                self._readers[name] = self._reader(self._models[name])
            self._models[name].start()
            return self._readers[name]


@lru_cache(maxsize=MAX_CACHED_CARDS)
def _registered(name: str, _registry: tuple[object, ...]) -> Card:
    """Read a shipped card, cached until the registry changes, because each visit lists all cards."""
    return classifier_card(name)


def _choice(name: str, read: Callable[[], Card], *, own: bool = False) -> ModelOption | None:
    try:
        about = read()
    except UnusableModel:
        return None  # `model list` reports the problem
    size = about.download.megabytes if about.download and local_weights(about) is None else 0
    return ModelOption(name, about.title, own, about.films == "simulated", size)

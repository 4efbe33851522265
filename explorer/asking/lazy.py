"""A model that is loaded in the background once somebody wants it, and never for those who do not ask."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic

from explorer.background import BackgroundModel, Loaded


class LazyModel(Generic[Loaded]):
    """Called, it gives the model or raises what loading raised; loading begins with that or with `start`."""

    def __init__(self, name: str, load: Callable[[], Loaded]) -> None:
        self.name = name
        self._background = BackgroundModel(name, load)
        self._lock = threading.Lock()
        self._started = False

    def start(self) -> None:
        """Begin to load, unless that has begun."""
        with self._lock:
            if not self._started:
                self._started = True
                self._background.start()

    def __call__(self) -> Loaded:
        """The model; waits until it is there. Raises UnusableModel where it cannot be had."""
        self.start()
        return self._background()

    @property
    def loading(self) -> bool:
        """Whether it is being loaded: begun and not done."""
        return self._started and self._background.loading

    @property
    def status(self) -> str:
        """Where loading stands, in a few words."""
        return self._background.status if self._started else f"{self.name} is loaded with the first question"

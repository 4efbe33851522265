"""Runs a classifier in one dedicated thread."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from explorer.reading.reader import FilmHeat, ReadingModel
from models.cards.card import Card
from models.radiograph import Radiograph


class InOneThread:
    """A model that computes in one thread, because every thread that uses torch holds on to memory and workers forever.

    The page answers in dozens of threads, but films are read one at a time.
    """

    def __init__(self, model: ReadingModel) -> None:
        self._model = model
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="inference")

    @property
    def card(self) -> Card:
        return self._model.card

    @property
    def device(self) -> str:
        return self._model.device

    def read(self, radiograph: Radiograph) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return scores (findings,) and features (d,) of a film."""
        return self._thread.submit(self._model.read, radiograph).result()

    def heat(self, radiograph: Radiograph, findings: Sequence[str]) -> FilmHeat:
        """Return heat maps of some findings of a film."""
        return self._thread.submit(self._model.heat, radiograph, findings).result()

    def features(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]:
        """Return the features (n, d) of films."""
        return self._thread.submit(self._model.features, radiographs).result()

    def score(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]:
        """Return the scores (n, findings) of films."""
        return self._thread.submit(self._model.score, radiographs).result()

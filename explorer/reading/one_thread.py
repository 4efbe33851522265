"""A classifier that computes in one thread of its own, whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from explorer.reading.reader import FilmHeat, ReadingModel
from models.cards.card import Card
from models.radiograph import Radiograph


class InOneThread:
    """`model`, as `reader.Classifier`. A thread that computes with torch keeps memory and helpers for good.

    The page answers in dozens of threads; films are read one at a time, so that one thread is enough.
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
        """Scores (findings,) and features (d,) of a film."""
        return self._thread.submit(self._model.read, radiograph).result()

    def heat(self, radiograph: Radiograph, findings: Sequence[str]) -> FilmHeat:
        """Heat maps of some findings of a film."""
        return self._thread.submit(self._model.heat, radiograph, findings).result()

    def features(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]:
        """The features (n, d) of films."""
        return self._thread.submit(self._model.features, radiographs).result()

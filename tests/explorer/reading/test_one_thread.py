"""Whoever asks, one thread computes; the answers are the model's."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from explorer.reading.one_thread import InOneThread
from explorer.reading.reader import FilmHeat
from explorer.reading.samples import sample_bytes
from models.classifier.classifier import Classifier
from models.load import classifier
from models.radiograph import Radiograph, read_radiograph


class Watched:
    """A model that remembers which threads it computed in."""

    def __init__(self, model: Classifier) -> None:
        self.card, self.device, self._model = model.card, model.device, model
        self.threads: set[int] = set()

    def read(self, radiograph: Radiograph) -> tuple[np.ndarray, np.ndarray]:
        self.threads.add(threading.get_ident())
        return self._model.read(radiograph)

    def heat(self, radiograph: Radiograph, findings: Sequence[str]) -> FilmHeat:
        self.threads.add(threading.get_ident())
        return self._model.heat(radiograph, findings)

    def features(self, radiographs: list[Radiograph]) -> np.ndarray:
        self.threads.add(threading.get_ident())
        return self._model.features(radiographs)

    def score(self, radiographs: Sequence[Radiograph]) -> np.ndarray:
        self.threads.add(threading.get_ident())
        return self._model.score(radiographs)


def test_many_threads_ask_and_one_computes() -> None:
    model, film = classifier("phantom", "cpu"), read_radiograph(sample_bytes("phantom-normal"))
    watched = Watched(model)
    apart, (scores, features) = InOneThread(watched), model.read(film)
    maps = model.heat(film, ["Mass"]).maps
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: apart.read(film), range(8)))
        mapped = list(pool.map(lambda _: apart.heat(film, ["Mass"]), range(4)))
    assert len(watched.threads) == 1
    assert all(np.array_equal(answer[0], scores) and np.array_equal(answer[1], features) for answer in answers)
    assert all(np.array_equal(heat.maps, maps) for heat in mapped)
    assert np.array_equal(apart.features([film]), model.features([film]))
    assert np.array_equal(apart.score([film]), model.score([film]))
    assert (apart.card, apart.device) == (model.card, model.device)
    assert len(watched.threads) == 1

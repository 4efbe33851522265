"""One film read by one classifier: whether it may be read, rows, heat maps, and what they were made with."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.reading.finding_list import FindingRow, rows_of
from explorer.reading.model_routing import ByProvenance
from explorer.runtime.fair_queue import FairQueue
from models.cards.card import Card
from models.gate.judgment import Verdict, judge
from models.radiograph import Radiograph, read_radiograph_apart

Result = TypeVar("Result")


class InputBox(Protocol):
    """Where the film lies inside the square model input, in input pixels."""

    @property
    def size(self) -> int: ...
    @property
    def inner(self) -> tuple[int, int]: ...
    @property
    def offset(self) -> tuple[int, int]: ...


class ReadExplanation(Protocol):
    """Scores (findings,), raw heat maps (findings, g, g) in logit units over the square model input, features (d,)."""

    @property
    def scores(self) -> NDArray[np.float32]: ...
    @property
    def maps(self) -> NDArray[np.float32]: ...
    @property
    def features(self) -> NDArray[np.float32]: ...
    @property
    def box(self) -> InputBox: ...


class ReadingModel(Protocol):
    """What reading needs of a model; `models.classifier.classifier.Classifier` is one."""

    @property
    def card(self) -> Card: ...
    @property
    def device(self) -> str: ...
    def explain(self, radiograph: Radiograph) -> ReadExplanation: ...
    def features(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]: ...


class Model(Protocol):
    """A classifier that may still be loading; `explorer.reading.model_loader.BackgroundModel` is one."""

    def __call__(self) -> ReadingModel: ...
    @property
    def loading(self) -> bool: ...


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """A decoded film and how long decoding took."""

    radiograph: Radiograph
    decode_ms: float

    @property
    def simulated(self) -> bool:
        return self.radiograph.simulated

    @property
    def nbytes(self) -> int:
        """What its pixels take in memory."""
        return self.radiograph.pixels.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one model says of one film. `maps` (rows, g, g) are in the order of `rows`; `features` (d,) find its like.

    Where the verdict is that the film may not be read, rows and maps say nothing and are shown only on request.
    """

    verdict: Verdict
    rows: tuple[FindingRow, ...]
    maps: NDArray[np.float32]
    features: NDArray[np.float32]
    box: InputBox
    card: Card
    device: str
    wait_ms: float
    explain_ms: float
    judge_ms: float


def open_film(data: bytes) -> Film:
    """Decode a visitor's film, in a process of its own; raises UnreadableRadiograph."""
    return timed_film(lambda: read_radiograph_apart(data))


def timed_film(read: Callable[[], Radiograph]) -> Film:
    """The film that `read` gives; raises what that does."""
    return Film(*_timed(read))


class Reader:
    """Reads films with one model, one at a time: two at once gain nothing on a CPU and may fill a GPU."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._line = FairQueue()

    def read(self, radiograph: Radiograph, name: str = "") -> Reading:
        """Judge the film, score every finding and map where it is seen; `name` stands in line for it.

        Raises UnusableModel where the model is unavailable, QueueFull where too many wait.
        """
        model = self._model()  # waits until it is loaded
        arrived = time.perf_counter()
        with self._line.turn(name):
            wait_ms = (time.perf_counter() - arrived) * 1000
            said, explain_ms = _timed(lambda: model.explain(radiograph))
            verdict, judge_ms = _timed(lambda: judge(radiograph, model, said.features))
        rows = rows_of(model.card, said.scores)
        order = [model.card.findings.index(row.finding) for row in rows]
        maps, features = said.maps[order], said.features
        return Reading(verdict, rows, maps, features, said.box, model.card, model.device, wait_ms, explain_ms, judge_ms)

    @property
    def card(self) -> Card:
        """The model's card, once it is loaded. Raises UnusableModel where the model is unavailable."""
        return self._model().card

    @property
    def loading(self) -> bool:
        """Whether films wait for the model to be loaded."""
        return self._model.loading

    def ahead(self, name: str) -> int | None:
        """How many films are read before the one of this name; None when it is not in line."""
        return self._line.ahead(name)


Readers = ByProvenance[Reader]


def _timed(call: Callable[[], Result]) -> tuple[Result, float]:
    start = time.perf_counter()
    result = call()
    return result, (time.perf_counter() - start) * 1000

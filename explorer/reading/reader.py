"""One film read by one classifier: whether it may be read, its rows, and heat maps of those that are asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.metrics.localization import map_correlations
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


class FilmHeat(Protocol):
    """Raw heat maps (k, g, g), 0 or more, over the square input that the film lies in."""

    @property
    def maps(self) -> NDArray[np.float32]: ...
    @property
    def box(self) -> InputBox: ...


class ReadingModel(Protocol):
    """What reading needs of a model; `models.classifier.classifier.Classifier` is one."""

    @property
    def card(self) -> Card: ...
    @property
    def device(self) -> str: ...
    def read(self, radiograph: Radiograph) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores (findings,) in the order of the card, and features (d,)."""

    def heat(self, radiograph: Radiograph, findings: Sequence[str]) -> FilmHeat: ...
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
    """What one model says of one film; `features` (d,) find its like.

    Where the verdict is that the film may not be read, the rows say nothing and are shown only on request.
    """

    verdict: Verdict
    rows: tuple[FindingRow, ...]
    features: NDArray[np.float32]
    card: Card
    device: str
    wait_ms: float
    score_ms: float
    judge_ms: float


@dataclass(frozen=True, slots=True, eq=False)
class MappedFilm:
    """Heat maps (k, g, g) of the findings that were asked for, in their order.

    `similarity` is the median correlation between two of them, None where there are not two with heat.
    """

    findings: tuple[str, ...]
    heat: FilmHeat
    similarity: float | None
    heat_ms: float


def open_film(data: bytes) -> Film:
    """Decode a visitor's film, in a process of its own; raises UnreadableRadiograph."""
    return timed_film(lambda: read_radiograph_apart(data))


def timed_film(read: Callable[[], Radiograph]) -> Film:
    """The film that `read` gives; raises what that does."""
    return Film(*_timed(read))


class Reader:
    """Reads films with one model, one at a time: two at once gain nothing on a CPU and may fill a GPU."""

    def __init__(self, model: Model, placed: Callable[[Card], Card] = lambda card: card) -> None:
        """`placed` gives the card thresholds where it has none, each time that a film is read."""
        self._model = model
        self._placed = placed
        self._line = FairQueue()

    def read(self, radiograph: Radiograph, name: str = "", *, low_priority: bool = False) -> Reading:
        """Judge the film and score every finding; `name` stands in line for it, and `low_priority` to all who do not.

        Raises UnusableModel where the model is unavailable, QueueFull where too many wait.
        """
        model = self._model()  # waits until it is loaded
        arrived = time.perf_counter()
        with self._line.turn(name, low_priority=low_priority):
            wait_ms = (time.perf_counter() - arrived) * 1000
            (scores, features), score_ms = _timed(lambda: model.read(radiograph))
            verdict, judge_ms = _timed(lambda: judge(radiograph, model, features))
        card = self._placed(model.card)
        rows = rows_of(card, scores)
        return Reading(verdict, rows, features, card, model.device, wait_ms, score_ms, judge_ms)

    def as_of_now(self, reading: Reading) -> Reading:
        """An earlier reading by this model, with the thresholds that are in force now. Raises UnusableModel."""
        card = self._placed(self._model().card)
        if card.operating_points == reading.card.operating_points:
            return reading
        scores = {row.finding: row.score for row in reading.rows}
        rows = rows_of(card, np.asarray([scores[finding] for finding in card.findings], np.float32))
        return replace(reading, rows=rows, card=card)

    def heat(self, radiograph: Radiograph, findings: Sequence[str], name: str = "") -> MappedFilm:
        """Heat maps of some findings of the card, one after the other; `name` stands in line for it.

        Raises as `read` does, and ValueError for a finding that the model does not look for.
        """
        model = self._model()
        with self._line.turn(name):
            heat, heat_ms = _timed(lambda: model.heat(radiograph, findings))
        alike = map_correlations(heat.maps)
        known = alike[~np.isnan(alike)]
        return MappedFilm(tuple(findings), heat, float(np.median(known)) if known.size else None, heat_ms)

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

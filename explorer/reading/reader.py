"""Reads one film with one classifier: the gate's verdict, the finding rows, and heat maps on request."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.metrics.localization import map_correlations
from explorer.reading.finding_list import FindingRow, finding_rows
from explorer.reading.model_routing import ByProvenance
from explorer.reading.stability import FilmStability
from explorer.runtime.fair_queue import FairQueue
from models.cards.card import Card
from models.gate.judgment import Verdict, judge
from models.radiograph import Radiograph, read_radiograph_apart

TimedResult = TypeVar("TimedResult")


class InputBox(Protocol):
    """The film's position inside the square model input, in input pixels."""

    @property
    def size(self) -> int: ...
    @property
    def inner(self) -> tuple[int, int]: ...
    @property
    def offset(self) -> tuple[int, int]: ...


class FilmHeat(Protocol):
    """Raw heat maps (k, g, g), 0 or more, over the square model input."""

    @property
    def maps(self) -> NDArray[np.float32]: ...
    @property
    def box(self) -> InputBox: ...


class ReadingModel(Protocol):
    """The interface that a model must have for reading; `models.classifier.classifier.Classifier` has it."""

    @property
    def card(self) -> Card: ...
    @property
    def device(self) -> str: ...
    def read(self, radiograph: Radiograph) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return scores (findings,) in the card's order, and features (d,)."""

    def heat(self, radiograph: Radiograph, findings: Sequence[str]) -> FilmHeat: ...
    def features(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]: ...
    def score(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]:
        """Return scores (n, findings) in the card's order."""


class LoadableModel(Protocol):
    """A classifier that may still be loading; `explorer.reading.model_loader.BackgroundModel` is one."""

    def __call__(self) -> ReadingModel: ...
    @property
    def loading(self) -> bool: ...


@dataclass(frozen=True, slots=True, eq=False)
class DecodedFilm:
    """A decoded film and its decoding time."""

    radiograph: Radiograph
    decode_ms: float

    @property
    def simulated(self) -> bool:
        return self.radiograph.simulated

    @property
    def nbytes(self) -> int:
        """The memory that its pixels take, in bytes."""
        return self.radiograph.pixels.nbytes

    @property
    def facts(self) -> Radiograph:
        """What is known about the film; its pixels may be missing."""
        return self.radiograph

    def unpacked(self) -> DecodedFilm:
        """Return itself; see `explorer.reading.compact_film.CompactFilm`."""
        return self


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One model's reading of one film; `features` (d,) find similar films.

    If the verdict refuses the film, the rows are meaningless and shown only on request.
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
    """Heat maps (k, g, g) of the requested findings, in their order.

    `similarity` is the median correlation between pairs of maps, None with fewer than two maps with heat.
    """

    findings: tuple[str, ...]
    heat: FilmHeat
    similarity: float | None
    heat_ms: float


def open_film(data: bytes) -> DecodedFilm:
    """Decode a visitor's film in a separate process. Raises UnreadableRadiograph."""
    return timed_film(lambda: read_radiograph_apart(data))


def timed_film(read: Callable[[], Radiograph]) -> DecodedFilm:
    """Return the film from `read` with the time it took; raises the errors of `read`."""
    return DecodedFilm(*_timed(read))


class Reader:
    """Reads films with one model, one at a time: two at once gain nothing on a CPU and may exhaust a GPU."""

    def __init__(self, model: LoadableModel, placed: Callable[[Card], Card] = lambda card: card) -> None:
        """`placed` completes the card's missing thresholds each time a film is read."""
        self._model = model
        self._placed = placed
        self._line = FairQueue()

    def read(self, radiograph: Radiograph, name: str = "", *, low_priority: bool = False) -> Reading:
        """Judge the film and score every finding; `name` identifies it in the queue; `low_priority`: others go first.

        Raises UnusableModel if the model is unavailable, QueueFull if too many are waiting.
        """
        model = self._model()  # waits until it is loaded
        arrived = time.perf_counter()
        with self._line.turn(name, low_priority=low_priority):
            wait_ms = (time.perf_counter() - arrived) * 1000
            (scores, features), score_ms = _timed(lambda: model.read(radiograph))
            verdict, judge_ms = _timed(lambda: judge(radiograph, model, features))
        card = self._placed(model.card)
        rows = finding_rows(card, scores)
        return Reading(verdict, rows, features, card, model.device, wait_ms, score_ms, judge_ms)

    def as_of_now(self, reading: Reading) -> Reading:
        """Return an earlier reading by this model with current thresholds. Raises UnusableModel."""
        card = self._placed(self._model().card)
        if card.operating_points == reading.card.operating_points:
            return reading
        scores = {row.finding: row.score for row in reading.rows}
        rows = finding_rows(card, np.asarray([scores[finding] for finding in card.findings], np.float32))
        return replace(reading, rows=rows, card=card)

    def heat(self, radiograph: Radiograph, findings: Sequence[str], name: str = "") -> MappedFilm:
        """Return heat maps of some findings of the card; `name` identifies the film in the queue.

        Raises the errors of `read`, and ValueError for a finding that the model does not look for.
        """
        model = self._model()
        with self._line.turn(name):
            heat, heat_ms = _timed(lambda: model.heat(radiograph, findings))
        correlations = map_correlations(heat.maps)
        known = correlations[~np.isnan(correlations)]
        return MappedFilm(tuple(findings), heat, float(np.median(known)) if known.size else None, heat_ms)

    def stability(self, radiograph: Radiograph, name: str = "") -> FilmStability:
        """Return the film's scores after each small change, all in one call of the model.

        `name` identifies the film in the queue. Raises the errors of `read`.
        """
        # SciPy takes a while to import, and only this question needs it.
        from models.perturbations.film import working_film
        from models.perturbations.small_changes import small_changes

        model = self._model()
        working, changes = working_film(radiograph), small_changes()
        changed, change_ms = _timed(lambda: [each.of(working, radiograph.sha256) for each in changes])
        arrived = time.perf_counter()
        with self._line.turn(name):
            wait_ms = (time.perf_counter() - arrived) * 1000
            scores, score_ms = _timed(lambda: model.score(changed))
        names = tuple(each.name for each in changes)
        return FilmStability(names, model.card.findings, scores, wait_ms, change_ms, score_ms)

    def score_rows(self, radiographs: Sequence[Radiograph], name: str = "") -> list[tuple[FindingRow, ...]]:
        """Return the finding rows of films that a program changed, in one call of the model; no gate judges them.

        `name` identifies the film in the queue. Raises the errors of `read`.
        """
        model = self._model()
        with self._line.turn(name):
            scores = model.score(radiographs)
        card = self._placed(model.card)
        return [finding_rows(card, each) for each in scores]

    def score(self, radiographs: Sequence[Radiograph], finding: str, name: str = "") -> NDArray[np.float32]:
        """Return the scores (n,) of one finding of the card on films that a program changed, in one call of the model.

        `name` identifies the film in the queue. Raises the errors of `read`.
        """
        model = self._model()
        with self._line.turn(name):
            scores = model.score(radiographs)
        return scores[:, model.card.findings.index(finding)]

    @property
    def card(self) -> Card:
        """The model's card; waits until the model is loaded. Raises UnusableModel if it is unavailable."""
        return self._model().card

    @property
    def loading(self) -> bool:
        """Whether the model is still loading."""
        return self._model.loading

    def ahead(self, name: str) -> int | None:
        """Return how many films are ahead of this one in the queue; None if it is not queued."""
        return self._line.ahead(name)


Readers = ByProvenance[Reader]


def _timed(call: Callable[[], TimedResult]) -> tuple[TimedResult, float]:
    start = time.perf_counter()
    result = call()
    return result, (time.perf_counter() - start) * 1000

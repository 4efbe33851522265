"""One film read by one classifier: rows, heat maps, and what both were made with."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from models.card import Card
from models.radiograph import Radiograph, read_radiograph


class Box(Protocol):
    """Where the film lies inside the square model input, in input pixels."""

    @property
    def size(self) -> int: ...
    @property
    def inner(self) -> tuple[int, int]: ...
    @property
    def offset(self) -> tuple[int, int]: ...


class Explanation(Protocol):
    """Scores (findings,) and raw heat maps (findings, g, g) in logit units over the square model input."""

    @property
    def scores(self) -> NDArray[np.float32]: ...
    @property
    def maps(self) -> NDArray[np.float32]: ...
    @property
    def box(self) -> Box: ...


class Classifier(Protocol):
    """What reading needs of a model; `models.classifier.Classifier` is one."""

    @property
    def card(self) -> Card: ...
    @property
    def device(self) -> str: ...
    def explain(self, radiograph: Radiograph) -> Explanation: ...


@dataclass(frozen=True, slots=True)
class Row:
    """One finding: its raw score, where its threshold lies if it has one, and what its card warns of."""

    finding: str
    score: float
    threshold: float | None
    warning: str | None = None

    @property
    def margin(self) -> float | None:
        """Score minus threshold; None without a threshold."""
        return None if self.threshold is None else self.score - self.threshold

    @property
    def above(self) -> bool | None:
        """Whether the score reaches the threshold; None without one: then it is neither positive nor negative."""
        return None if self.threshold is None else self.score >= self.threshold


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """A decoded film and how long decoding took."""

    radiograph: Radiograph
    decode_ms: float


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one model says of one film. `maps` (rows, g, g) are in the order of `rows`."""

    rows: tuple[Row, ...]
    maps: NDArray[np.float32]
    box: Box
    card: Card
    device: str
    explain_ms: float


def open_film(data: bytes) -> Film:
    """Decode a film; raises UnreadableRadiograph."""
    start = time.perf_counter()
    radiograph = read_radiograph(data)
    return Film(radiograph, _milliseconds_since(start))


class Reader:
    """Reads films with one model, one at a time: two at once gain nothing on a CPU and may fill a GPU."""

    def __init__(self, classifier: Callable[[], Classifier]) -> None:
        """`classifier` gives the model, waiting for it if need be; it may raise UnusableModel."""
        self._classifier = classifier
        self._lock = threading.Lock()

    def read(self, radiograph: Radiograph) -> Reading:
        """Score every finding and map where it is seen; raises UnusableModel."""
        model = self._classifier()
        with self._lock:
            start = time.perf_counter()
            explanation = model.explain(radiograph)
            explain_ms = _milliseconds_since(start)
        rows = rows_of(model.card, explanation.scores)
        order = [model.card.findings.index(row.finding) for row in rows]
        return Reading(rows, explanation.maps[order], explanation.box, model.card, model.device, explain_ms)


def rows_of(card: Card, scores: NDArray[np.float32]) -> tuple[Row, ...]:
    """Rows by margin over threshold, largest first; findings without a threshold follow by score."""
    points = card.operating_points
    rows = [
        Row(finding, float(score), points[finding].threshold if finding in points else None, card.warnings.get(finding))
        for finding, score in zip(card.findings, scores, strict=True)
    ]
    return tuple(sorted(rows, key=_rank))


def _rank(row: Row) -> tuple[bool, float]:
    return row.margin is None, -(row.score if row.margin is None else row.margin)


def _milliseconds_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000

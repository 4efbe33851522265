"""The cases of a cohort whose features are nearest to a film's, and how near that is among the cohort's own films."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.patients import numbered
from explorer.rates import Rate
from explorer.remembered import remembered

if TYPE_CHECKING:
    from explorer.store import Store

NEAREST = 6
EVERY = 5000  # films of a cohort whose own nearest are all looked for; of more films
ASKED = 1000  # so many: a percentile is then right within 3 of 100 (95 % interval)
# Of nih-mini: a film saved again as JPEG of quality 90 or at half its size is at most 0.04 of that median away
# (60 films), the nearest two films of one patient that are not the same 0.31, of two patients 0.5.
COPY = 0.2
_ROWS = 16_384  # features at a time: 84 MB of 1,280 floats
_TOGETHER = 256  # films asked at a time: 17 MB of distances

Floats = NDArray[np.float32]


class Features(Protocol):
    """Cases and their feature vectors (n, d); `explorer.store.Features` is one."""

    @property
    def cases(self) -> tuple[str, ...]: ...
    @property
    def vectors(self) -> NDArray[np.floating]: ...


@dataclass(frozen=True, slots=True)
class Near:
    """A case, and its cosine distance: 0 the same direction, 1 nothing in common, 2 opposite.

    `closer` counts, of the cohort's films that were asked, those that are farther from their own nearest film of
    another patient: "closer than 93 % of the cohort's films are to their own nearest of another patient".
    """

    case: str
    distance: float
    closer: Rate
    same_patient: bool


class Neighbors:
    """Exact nearest cases by cosine distance, a chunk of the features at a time; nothing is copied as a whole."""

    def __init__(self, features: Features, patients: NDArray[np.int64] | None = None) -> None:
        """`patients` (n,) is a number for each film's patient, see `explorer.patients`; None: each has one film."""
        self.cases = features.cases
        self._vectors = features.vectors
        self._place = {case: place for place, case in enumerate(self.cases)}
        self._patient = np.arange(len(self.cases)) if patients is None else patients
        rows = _slices(len(self.cases), _ROWS)
        self._norms = np.concatenate([np.linalg.norm(self._chunk(some), axis=1) for some in rows])
        self._own_nearest: NDArray[np.float64] | None = None
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.cases)

    def of_film(self, vector: NDArray[np.floating], most: int = NEAREST) -> tuple[Near, ...]:
        """The cases nearest to a film with features (d,), nearest first, equal ones by name.

        Raises ValueError where the features are of another length: they are another model's.
        """
        query = np.asarray(vector, dtype=np.float32)
        if not len(self):
            return ()
        if query.shape != self._vectors.shape[1:]:
            raise ValueError(f"The film has features {query.shape}, the cohort {self._vectors.shape[1:]}.")
        return self._near(self._distances(query[None])[0], most, None)

    def of_case(self, case: str, most: int = NEAREST) -> tuple[Near, ...]:
        """The cases nearest to one of the cohort, itself left out; none where it has no features."""
        place = self._place.get(case)
        if place is None:
            return ()
        distances = self._distances(self._chunk(slice(place, place + 1)))[0]
        distances[place] = np.inf
        return self._near(distances, min(most, len(self) - 1), place)

    def copies(self, cases: Iterable[str]) -> list[tuple[str, str, float]]:
        """Pairs of the cases that are no farther apart than copies of one film, the nearest first; n ** 2 work."""
        rows = np.array(sorted(self._place[case] for case in set(cases) if case in self._place), dtype=np.intp)
        found: list[tuple[str, str, float]] = []
        bound = self.copy
        for some in _slices(len(rows), _TOGETHER):
            queries = np.asarray(self._vectors[rows[some]], dtype=np.float32)
            for others in _slices(len(rows), _ROWS):
                apart = self._apart(queries, rows[others])
                for one, other in zip(*np.nonzero(apart <= bound), strict=True):
                    first, second = rows[some][one], rows[others][other]
                    if first < second:
                        found.append((self.cases[first], self.cases[second], float(apart[one, other])))
        return sorted(found, key=lambda pair: (pair[2], pair[:2]))

    @property
    def copy(self) -> float:
        """Distances up to this one are those of the same film saved again: COPY of the median own nearest distance.

        NaN where no film has one. Each model's features have a scale of their own.
        """
        own = self._nearest_of_others()
        return COPY * float(np.median(own)) if len(own) else float("nan")

    def closer(self, distance: float) -> Rate:
        """Of the films asked, how many are farther than `distance` from their own nearest of another patient."""
        own = self._nearest_of_others()
        return Rate(int((own > distance).sum()), len(own))

    def _near(self, distances: Floats, most: int, place: int | None) -> tuple[Near, ...]:
        most = min(most, len(self))
        bound = np.partition(distances, most - 1)[most - 1] if most else -np.inf
        candidates = np.flatnonzero(distances <= bound)
        order = sorted(candidates, key=lambda row: (distances[row], self.cases[row]))[:most]
        return tuple(
            Near(
                self.cases[row],
                float(distances[row]),
                self.closer(float(distances[row])),
                place is not None and bool(self._patient[row] == self._patient[place]),
            )
            for row in order
        )

    def _nearest_of_others(self) -> NDArray[np.float64]:
        """Distances (asked,) of films to their own nearest of another patient, computed once; finite ones only."""
        with self._lock:
            if self._own_nearest is None:
                n = len(self)
                asked = np.arange(n) if n <= EVERY else np.random.default_rng(0).choice(n, ASKED, replace=False)
                own = np.concatenate([self._own(np.sort(asked)[rows]) for rows in _slices(len(asked), _TOGETHER)])
                self._own_nearest = own[np.isfinite(own)]
            return self._own_nearest

    def _own(self, asked: NDArray[np.intp]) -> NDArray[np.float64]:
        queries = np.asarray(self._vectors[asked], dtype=np.float32)
        nearest = np.full(len(asked), np.inf)
        for rows in _slices(len(self), _ROWS):
            distances = self._apart(queries, rows)
            distances[self._patient[asked][:, None] == self._patient[rows][None]] = np.inf
            np.minimum(nearest, distances.min(axis=1, initial=np.inf), out=nearest)
        return nearest

    def _distances(self, queries: Floats) -> Floats:
        return np.concatenate([self._apart(queries, rows) for rows in _slices(len(self), _ROWS)], axis=1)

    def _apart(self, queries: Floats, rows: slice | NDArray[np.intp]) -> Floats:
        """Distances (queries, rows), never negative; a vector of zeros has nothing in common with any."""
        lengths = np.linalg.norm(queries, axis=1)[:, None] * self._norms[rows][None]
        cosines = np.zeros(lengths.shape, np.float32)
        np.divide(queries @ self._chunk(rows).T, lengths, out=cosines, where=lengths > 0)
        apart: Floats = np.clip(1 - cosines, 0, 2)
        return apart

    def _chunk(self, rows: slice | NDArray[np.intp]) -> Floats:
        return np.asarray(self._vectors[rows], dtype=np.float32)


def _slices(n: int, size: int) -> list[slice]:
    """The parts of n rows, one at least."""
    return [slice(start, min(start + size, n)) for start in range(0, max(n, 1), size)]


def neighbors_of(store: Store, cohort: str, model: str) -> Neighbors:
    """The neighbors by a model's features of a cohort; kept in memory until its files change."""
    return _neighbors_of(store, cohort, model, store.version(cohort, model))


@remembered(2)
def _neighbors_of(store: Store, cohort: str, model: str, version: str) -> Neighbors:
    features = store.features(cohort, model)
    known = store.patients(cohort)
    whose = [known.get(case, (None, "")) for case in features.cases]
    return Neighbors(features, numbered([patient for patient, _ in whose], [center for _, center in whose]))

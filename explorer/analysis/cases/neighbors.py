"""The cases of a cohort whose features are nearest to a film's, and how near that is among the cohort's own films."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.core.rates import Rate
from explorer.metrics.distances import Vectors, lengths_of
from explorer.metrics.patient_ids import numbered
from explorer.runtime.cached_per_owner import remembered
from models.array_types import Float32

if TYPE_CHECKING:
    from explorer.store.store import Store

NEAREST = 6
EVERY = 5000  # films of a cohort whose own nearest are all looked for; of more films
ASKED = 1000  # so many: a percentile is then right within 3 of 100 (95 % interval)
# Of nih-mini: a film saved again as JPEG of quality 90 or at half its size is at most 0.04 of that median away
# (60 films), the nearest two films of one patient that are not the same 0.31, of two patients 0.5.
COPY = 0.2
_ROWS = 16_384  # features at a time: 84 MB of 1,280 floats
_TOGETHER = 256  # films asked at a time: 17 MB of distances


class CaseFeatures(Protocol):
    """Cases and their feature vectors (n, d); `explorer.store.store.Features` is one."""

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
    """Exact nearest cases by cosine distance, a chunk of the features at a time; nothing is copied as a whole.

    Fast products tell which distances may matter; those are worked out, so that a distance is of the two films alone.
    """

    def __init__(self, features: CaseFeatures, patients: NDArray[np.int64] | None = None) -> None:
        """`patients` (n,): a number for each film's patient, see `metrics.patient_ids`; None: each has one film."""
        self.cases = features.cases
        self._vectors = features.vectors
        self._place = {case: place for place, case in enumerate(self.cases)}
        self._patient = np.arange(len(self.cases)) if patients is None else patients
        rows = _slices(len(self.cases), _ROWS)
        self._lengths = np.concatenate([lengths_of(self._vectors[some]) for some in rows])
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
        return self._near(Vectors.of(query[None]), most, None)

    def of_case(self, case: str, most: int = NEAREST) -> tuple[Near, ...]:
        """The cases nearest to one of the cohort, itself left out; none where it has no features."""
        place = self._place.get(case)
        if place is None:
            return ()
        return self._near(self._exact(np.array([place])), most, place)

    def copies(self, cases: Iterable[str]) -> list[tuple[str, str, float]]:
        """Pairs of the cases no farther apart than copies of one film, the nearest first, then by name; n ** 2 work."""
        rows = np.array(sorted(self._place[case] for case in set(cases) if case in self._place), dtype=np.intp)
        found: list[tuple[str, str, float]] = []
        bound = np.array([self.copy])  # in double precision, as `copy` is where one film is asked about
        if np.isnan(bound):
            return found
        for these in _slices(len(rows), _ROWS):
            for some in _slices(len(rows), _TOGETHER):
                asked = self._exact(rows[some])
                perhaps = ~(self._about(asked, rows[these]) > bound + asked.doubt).all(axis=0)
                near = rows[these][perhaps]
                apart = asked.apart(self._exact(near))
                for one, other in zip(*np.nonzero(apart <= bound), strict=True):
                    first, second = rows[some][one], near[other]
                    if first < second:
                        names = sorted((self.cases[first], self.cases[second]))
                        found.append((names[0], names[1], float(apart[one, other])))
        return sorted(found, key=lambda pair: (pair[2], pair[:2]))

    def are_copies(self, vectors: NDArray[np.floating]) -> NDArray[np.bool_]:
        """Whether each of the films with features (n, d) is a copy of one of these."""
        found = np.zeros(len(vectors), np.bool_)
        bound = np.array([self.copy])
        for some in _slices(len(vectors), _TOGETHER):
            asked = Vectors.of(np.asarray(vectors[some], np.float32))
            for rows in _slices(len(self), _ROWS):
                perhaps = ~(self._about(asked, rows) > bound + asked.doubt).all(axis=0)
                near = np.arange(len(self))[rows][perhaps]
                found[some] |= (asked.apart(self._exact(near)) <= bound).any(axis=1)
        return found

    @property
    def copy(self) -> float:
        """Distances up to this one are those of the same film saved again: COPY of the median own nearest distance.

        NaN where no film has one. Each model's features have a scale of their own.
        """
        own = self._nearest_of_others()
        return COPY * float(np.median(own)) if len(own) else float("nan")

    @property
    def measured(self) -> bool:
        """Whether `closer` answers at once: the first time it takes a second of a core for 1,650 films."""
        return self._own_nearest is not None

    def closer(self, distance: float) -> Rate:
        """Of the films asked, how many are farther than `distance` from their own nearest of another patient."""
        own = self._nearest_of_others()
        return Rate(int((own > distance).sum()), len(own))

    def _near(self, film: Vectors, most: int, place: int | None) -> tuple[Near, ...]:
        rows = self._perhaps_near(film, most if place is None else most + 1)
        rows = rows[rows != place]
        names, distances = [self.cases[row] for row in rows], film.apart(self._exact(rows))[0]
        same = self._patient[rows] == (None if place is None else self._patient[place])
        return tuple(
            Near(names[at], float(distances[at]), self.closer(float(distances[at])), bool(same[at]))
            for at in np.lexsort((names, distances))[:most]
        )

    def _perhaps_near(self, film: Vectors, most: int) -> NDArray[np.intp]:
        """The rows that may be among the nearest of a film."""
        about = np.concatenate([self._about(film, rows)[0] for rows in _slices(len(self), _ROWS)])
        last = min(most, len(self)) - 1
        return np.flatnonzero(~(about > np.partition(about, last)[last] + 2 * film.doubt))

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
        films, nearest = self._exact(asked), np.full(len(asked), np.inf)
        for rows in _slices(len(self), _ROWS):
            others = np.arange(len(self))[rows]
            same = self._patient[asked][:, None] == self._patient[rows]
            about = np.where(same, np.inf, self._about(films, rows))
            bound = np.fmin(nearest, np.fmin.reduce(about, axis=1, initial=np.inf)) + 2 * films.doubt
            perhaps = (~(about > bound[:, None]) & ~same).any(axis=0)
            apart = np.where(same[:, perhaps], np.inf, films.apart(self._exact(others[perhaps])))
            np.minimum(nearest, apart.min(axis=1, initial=np.inf), out=nearest)
        return nearest

    def _about(self, films: Vectors, rows: slice | NDArray[np.intp]) -> Float32:
        return films.about(np.asarray(self._vectors[rows], np.float32), self._lengths[rows])

    def _exact(self, rows: NDArray[np.intp]) -> Vectors:
        return Vectors.of(self._vectors[rows])


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
    return Neighbors(features, numbered(known.get(case, (None, ""))[0] for case in features.cases))

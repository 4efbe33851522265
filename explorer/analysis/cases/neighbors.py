"""Finds a film's nearest cases in a cohort and compares their distance with the cohort's own distances."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.core.rates import Rate
from explorer.metrics.distances import Vectors, lengths_of
from explorer.metrics.patient_ids import patient_numbers
from explorer.runtime.cached_per_owner import cached_per_owner
from models.array_types import Float32

if TYPE_CHECKING:
    from explorer.store.store import Store

MAX_NEIGHBORS = 6
MAX_EXHAUSTIVE_FILMS = 5000  # larger cohorts use a sample of their films for percentiles,
SAMPLE_SIZE = 1000  # of this size: a percentile is then accurate to 3 points (95 % interval)
# Measured with nih-mini, in units of the median: a film saved again as JPEG of quality 90 or at half its size is at
# most 0.04 away (60 films); the two nearest films of the same patient are 0.31 apart, those of two patients 0.5.
COPY_FRACTION = 0.2
_ROWS = 16_384  # feature vectors per chunk: 84 MB at 1,280 floats
_TOGETHER = 256  # query films per chunk: 17 MB of distances


class CaseFeatures(Protocol):
    """Cases and their feature vectors (n, d); `explorer.store.store.Features` is one."""

    @property
    def cases(self) -> tuple[str, ...]: ...
    @property
    def vectors(self) -> NDArray[np.floating]: ...


@dataclass(frozen=True, slots=True)
class NearCase:
    """A case and its cosine distance from the film: 0 for the same direction, 1 for orthogonal, 2 for opposite.

    `closer` counts the cohort's (sampled) films that are farther from their nearest film of another patient: "closer
    than 93 % of the cohort's films are to their nearest film of another patient".
    """

    case: str
    distance: float
    closer: Rate
    same_patient: bool


class Neighbors:
    """Exact nearest cases by cosine distance, computed in chunks so that the features are never copied as a whole.

    Fast products select candidates; only their distances are computed exactly, so each depends on just two films.
    """

    def __init__(self, features: CaseFeatures, patients: NDArray[np.int64] | None = None) -> None:
        """`patients` (n,) numbers each film's patient (see `metrics.patient_ids`); None: one film per patient."""
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

    def of_film(self, vector: NDArray[np.floating], most: int = MAX_NEIGHBORS) -> tuple[NearCase, ...]:
        """Return the cases nearest to a film with features (d,), nearest first, ties by name.

        Raises ValueError if the features have a different length, as another model's do.
        """
        query = np.asarray(vector, dtype=np.float32)
        if not len(self):
            return ()
        if query.shape != self._vectors.shape[1:]:
            raise ValueError(f"The film has features {query.shape}, the cohort {self._vectors.shape[1:]}.")
        return self._near(Vectors.of(query[None]), most, None)

    def of_case(self, case: str, most: int = MAX_NEIGHBORS) -> tuple[NearCase, ...]:
        """Return the cases nearest to a case of the cohort, excluding that case; empty if it has no features."""
        place = self._place.get(case)
        if place is None:
            return ()
        return self._near(self._exact(np.array([place])), most, place)

    def copies(self, cases: Iterable[str]) -> list[tuple[str, str, float]]:
        """Return pairs of cases as close as copies of one film, nearest first, then by name; takes quadratic time."""
        rows = np.array(sorted(self._place[case] for case in set(cases) if case in self._place), dtype=np.intp)
        found: list[tuple[str, str, float]] = []
        bound = np.array([self.copy])  # double precision, as when `copy` is compared for a single film
        if np.isnan(bound):
            return found
        for these in _slices(len(rows), _ROWS):
            for some in _slices(len(rows), _TOGETHER):
                queries = self._exact(rows[some])
                perhaps = ~(self._about(queries, rows[these]) > bound + queries.fast_error).all(axis=0)
                near = rows[these][perhaps]
                apart = queries.cosine_distances(self._exact(near))
                for one, other in zip(*np.nonzero(apart <= bound), strict=True):
                    first, second = rows[some][one], near[other]
                    if first < second:
                        names = sorted((self.cases[first], self.cases[second]))
                        found.append((names[0], names[1], float(apart[one, other])))
        return sorted(found, key=lambda pair: (pair[2], pair[:2]))

    def are_copies(self, vectors: NDArray[np.floating]) -> NDArray[np.bool_]:
        """Return whether each film with features (n, d) is a copy of a case of the cohort, as (n,)."""
        found = np.zeros(len(vectors), np.bool_)
        bound = np.array([self.copy])
        for some in _slices(len(vectors), _TOGETHER):
            queries = Vectors.of(np.asarray(vectors[some], np.float32))
            for rows in _slices(len(self), _ROWS):
                perhaps = ~(self._about(queries, rows) > bound + queries.fast_error).all(axis=0)
                near = np.arange(len(self))[rows][perhaps]
                found[some] |= (queries.cosine_distances(self._exact(near)) <= bound).any(axis=1)
        return found

    @property
    def copy(self) -> float:
        """Largest distance between two copies of one film: a fixed fraction of the cohort's median nearest distance.

        NaN if no film has a neighbor. It is relative because each model's features have their own scale.
        """
        own = self._nearest_of_others()
        return COPY_FRACTION * float(np.median(own)) if len(own) else float("nan")

    @property
    def measured(self) -> bool:
        """Whether `closer` is fast: its first call takes a second of one core for 1,650 films."""
        return self._own_nearest is not None

    def closer(self, distance: float) -> Rate:
        """Return the share of (sampled) films farther than `distance` from their nearest film of another patient."""
        own = self._nearest_of_others()
        return Rate(int((own > distance).sum()), len(own))

    def _near(self, film: Vectors, most: int, place: int | None) -> tuple[NearCase, ...]:
        rows = self._perhaps_near(film, most if place is None else most + 1)
        rows = rows[rows != place]
        names, distances = [self.cases[row] for row in rows], film.cosine_distances(self._exact(rows))[0]
        same = self._patient[rows] == (None if place is None else self._patient[place])
        return tuple(
            NearCase(names[at], float(distances[at]), self.closer(float(distances[at])), bool(same[at]))
            for at in np.lexsort((names, distances))[:most]
        )

    def _perhaps_near(self, film: Vectors, most: int) -> NDArray[np.intp]:
        """Return the rows that may be among a film's nearest cases."""
        about = np.concatenate([self._about(film, rows)[0] for rows in _slices(len(self), _ROWS)])
        last = min(most, len(self)) - 1
        return np.flatnonzero(~(about > np.partition(about, last)[last] + 2 * film.fast_error))

    def _nearest_of_others(self) -> NDArray[np.float64]:
        """Return the finite distances of (sampled) films to their nearest film of another patient, computed once."""
        with self._lock:
            if self._own_nearest is None:
                n = len(self)
                queries = (
                    np.arange(n)
                    if n <= MAX_EXHAUSTIVE_FILMS
                    else np.random.default_rng(0).choice(n, SAMPLE_SIZE, replace=False)
                )
                own = np.concatenate([self._own(np.sort(queries)[rows]) for rows in _slices(len(queries), _TOGETHER)])
                self._own_nearest = own[np.isfinite(own)]
            return self._own_nearest

    def _own(self, queries: NDArray[np.intp]) -> NDArray[np.float64]:
        films, nearest = self._exact(queries), np.full(len(queries), np.inf)
        for rows in _slices(len(self), _ROWS):
            others = np.arange(len(self))[rows]
            same = self._patient[queries][:, None] == self._patient[rows]
            about = np.where(same, np.inf, self._about(films, rows))
            bound = np.fmin(nearest, np.fmin.reduce(about, axis=1, initial=np.inf)) + 2 * films.fast_error
            perhaps = (~(about > bound[:, None]) & ~same).any(axis=0)
            apart = np.where(same[:, perhaps], np.inf, films.cosine_distances(self._exact(others[perhaps])))
            np.minimum(nearest, apart.min(axis=1, initial=np.inf), out=nearest)
        return nearest

    def _about(self, films: Vectors, rows: slice | NDArray[np.intp]) -> Float32:
        return films.fast_distances(np.asarray(self._vectors[rows], np.float32), self._lengths[rows])

    def _exact(self, rows: NDArray[np.intp]) -> Vectors:
        return Vectors.of(self._vectors[rows])


def _slices(n: int, size: int) -> list[slice]:
    """Split n rows into slices of `size`, at least one."""
    return [slice(start, min(start + size, n)) for start in range(0, max(n, 1), size)]


def neighbors_of(store: Store, cohort: str, model: str) -> Neighbors:
    """Return a cohort's neighbor search by a model's features, cached until its files change."""
    return _neighbors_of(store, cohort, model, store.version(cohort, model))


@cached_per_owner(2)
def _neighbors_of(store: Store, cohort: str, model: str, version: str) -> Neighbors:
    features = store.features(cohort, model)
    known = store.patients(cohort) if features.cases else {}
    return Neighbors(features, patient_numbers(known.get(case, (None, ""))[0] for case in features.cases))

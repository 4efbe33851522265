"""Candidate slices without names: clusters of a finding's films by a model's embeddings, or by the films' spectra."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.slice_discovery.candidate_facets import Facet
from explorer.analysis.slice_discovery.film_clusters import ERRORS_WEIGH, Clusters, clusters, reduced
from explorer.analysis.slice_discovery.finding_films import FindingFilms
from explorer.core.arrays import Floats
from explorer.runtime.cached_per_owner import remembered
from models.array_types import Bools
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


class NothingToCluster(Refusal):
    """A cohort whose films have no vectors: `title` says which are missing, `detail` what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class FilmPoints:
    """A point (films, d) for each film of a cohort, NaN where it has none; `source` says of what they are made.

    `traits` are what films may have of it besides the filters' values, with which films do (films,).
    """

    points: NDArray[np.float64]
    source: str
    traits: tuple[tuple[Facet, Bools], ...] = ()

    @classmethod
    def of(cls, vectors: Floats, source: str, traits: tuple[tuple[Facet, Bools], ...] = ()) -> FilmPoints:
        """The principal components of vectors (films, d), NaN where a film has none."""
        there = ~np.isnan(vectors).any(axis=1)
        found = reduced(vectors[there])
        points = np.full((len(vectors), found.shape[1]), np.nan)
        points[there] = found
        return cls(points, source, traits)


@dataclass(frozen=True, slots=True, eq=False)
class ClusterCandidates:
    """The films inside each cluster (C, n), and how certainly each film is of its own (n,)."""

    inside: Bools
    certainty: Floats


def embeddings_of(store: Store, cohort: str, model: str) -> FilmPoints:
    """The model's own, else those of the first model of the cohort that has any. Raises NothingToCluster."""
    others = [each.model for each in store.models(cohort) if each.model != model]
    there = store.patients(cohort).keys()
    for name in (model, *others):
        if not there.isdisjoint(store.features(cohort, name).cases):
            return _embeddings_of(store, cohort, name, store.version(cohort, name))
    raise NothingToCluster(
        f"No model has kept embeddings of {cohort}",
        "Clusters are made of them. Score the cohort with a model of Tailscope's, or look by facets.",
    )


@remembered(2)
def _embeddings_of(store: Store, cohort: str, model: str, _version: str) -> FilmPoints:
    place = {case: number for number, case in enumerate(store.patients(cohort))}
    features = store.features(cohort, model)
    known = [number for number, case in enumerate(features.cases) if case in place]
    vectors = np.full((len(place), features.vectors.shape[1]), np.nan)
    vectors[[place[features.cases[number]] for number in known]] = features.vectors[known]
    return FilmPoints.of(vectors, f"embeddings of {model}")


def cluster_candidates(one: FindingFilms, films: FilmPoints, *, weigh: float = ERRORS_WEIGH) -> ClusterCandidates:
    """Clusters of the finding's films; those without a vector are in none."""
    points = films.points[one.films]
    there: Bools = np.asarray(~np.isnan(points).any(axis=1))
    present, called = one.present.astype(np.float64)[there], one.called.astype(np.float64)[there]
    found: Clusters = clusters(points[there], present, called, one.looked[there], weigh=weigh)
    numbers = np.unique(found.number)
    inside = np.zeros((len(numbers), len(there)), dtype=np.bool_)
    inside[:, there] = found.number == numbers[:, None]
    certainty = np.zeros(len(there))
    certainty[there] = found.certainty
    return ClusterCandidates(inside, certainty)

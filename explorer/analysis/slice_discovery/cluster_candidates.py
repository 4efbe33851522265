"""Candidate slices from clusters of a finding's films, by a model's embeddings or by power spectra."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.slice_discovery.candidate_facets import Facet
from explorer.analysis.slice_discovery.film_clusters import ERROR_WEIGHT, Clusters, cluster_films, principal_components
from explorer.analysis.slice_discovery.finding_films import FindingFilms
from explorer.core.arrays import Floats
from explorer.runtime.cached_per_owner import cached_per_owner
from models.array_types import Bools
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


class NothingToCluster(Refusal):
    """A cohort without film vectors: `title` says which are missing, `detail` what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class FilmPoints:
    """A point for each film of a cohort (films, d), NaN if it has none; `source` says where points come from.

    `traits` are further facets derived from the source, each with the films that have it (films,).
    """

    points: NDArray[np.float64]
    source: str
    traits: tuple[tuple[Facet, Bools], ...] = ()

    @classmethod
    def of(cls, vectors: Floats, source: str, traits: tuple[tuple[Facet, Bools], ...] = ()) -> FilmPoints:
        """Reduce vectors (films, d), NaN for films without one, to principal components."""
        there = ~np.isnan(vectors).any(axis=1)
        found = principal_components(vectors[there])
        points = np.full((len(vectors), found.shape[1]), np.nan)
        points[there] = found
        return cls(points, source, traits)


@dataclass(frozen=True, slots=True, eq=False)
class ClusterCandidates:
    """The films inside each cluster (C, n), and each film's membership probability (n,)."""

    inside: Bools
    certainty: Floats


def embedding_points(store: Store, cohort: str, model: str) -> FilmPoints:
    """Return the model's embeddings, else those of the cohort's first model with any. Raises NothingToCluster."""
    others = [each.model for each in store.models(cohort) if each.model != model]
    there = store.patients(cohort).keys()
    for name in (model, *others):
        if not there.isdisjoint(store.features(cohort, name).cases):
            return _embeddings_of(store, cohort, name, store.version(cohort, name))
    raise NothingToCluster(
        f"{cohort} has no embeddings to cluster",
        "Score the cohort with one of Tailscope's models, or search by facets.",
    )


@cached_per_owner(2)
def _embeddings_of(store: Store, cohort: str, model: str, _version: str) -> FilmPoints:
    place = {case: number for number, case in enumerate(store.patients(cohort))}
    features = store.features(cohort, model)
    known = [number for number, case in enumerate(features.cases) if case in place]
    vectors = np.full((len(place), features.vectors.shape[1]), np.nan)
    vectors[[place[features.cases[number]] for number in known]] = features.vectors[known]
    return FilmPoints.of(vectors, f"embeddings of {model}")


def cluster_candidates(one: FindingFilms, films: FilmPoints, *, weigh: float = ERROR_WEIGHT) -> ClusterCandidates:
    """Cluster a finding's films; films without a vector are in no cluster."""
    points = films.points[one.films]
    there: Bools = np.asarray(~np.isnan(points).any(axis=1))
    present, called = one.present.astype(np.float64)[there], one.called.astype(np.float64)[there]
    found: Clusters = cluster_films(points[there], present, called, one.searched[there], weigh=weigh)
    numbers = np.unique(found.number)
    inside = np.zeros((len(numbers), len(there)), dtype=np.bool_)
    inside[:, there] = found.number == numbers[:, None]
    certainty = np.zeros(len(there))
    certainty[there] = found.certainty
    return ClusterCandidates(inside, certainty)

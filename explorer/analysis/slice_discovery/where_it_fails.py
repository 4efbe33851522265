"""Finds the most costly slices of one finding, or of all findings of a slice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.performance.performance_table import count_table as table_of
from explorer.analysis.slice_discovery.candidate_facets import (
    Facet,
    FacetCandidates,
    facet_candidates,
    facet_words,
    open_facets,
)
from explorer.analysis.slice_discovery.cluster_candidates import (
    FilmPoints,
    NothingToCluster,
    cluster_candidates,
    embedding_points,
)
from explorer.analysis.slice_discovery.cluster_words import OverrepresentedFacet, cluster_name, overrepresented_facets
from explorer.analysis.slice_discovery.discovered_slices import (
    MAX_SLICES,
    MIN_SIDE_FILMS,
    CandidateSource,
    CountedSlice,
    SliceProposal,
    count_slices,
    propose_slices,
    rank_slices,
)
from explorer.analysis.slice_discovery.film_clusters import ERROR_WEIGHT
from explorer.analysis.slice_discovery.finding_films import FAILURE_KINDS, FindingFilms
from explorer.core.arrays import Floats
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from models.array_types import Bools
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

MAX_SLICES_PER_FINDING = 5  # slices per finding when all findings are searched
MAX_FILMS_SHOWN = 12  # films shown per cluster
RESAMPLES, SEED = 2000, 0  # the smallest p is 1/2,001, enough to adjust over dozens of slices
PointsSource = Callable[[], FilmPoints]
ProgressReport = Callable[[int, int], None]  # findings done, total


class TooFewFilms(Refusal):
    """A slice with too few films to search: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class FailingSlice:
    """A discovered slice with its figures.

    A cluster has no `facets`; its `marks` are its overrepresented facets, and `name` lists them, if there are any.
    `films` counts films of both halves with a label and a threshold, `positives` those with the finding. `first` are a
    cluster's films to show, misread ones first, then by membership probability; `members` are all its films.
    """

    finding: str
    words: str
    name: str
    facets: tuple[Facet, ...]
    marks: tuple[OverrepresentedFacet, ...]
    films: int
    positives: int
    first: tuple[int, ...]
    members: tuple[int, ...]
    figures: CountedSlice

    @property
    def outcome(self) -> Outcome:
        """The outcome of its failures."""
        return Outcome.MISS if self.figures.proposal.failure == "miss" else Outcome.FALSE_ALARM


@dataclass(frozen=True, slots=True, eq=False)
class WhereItFails:
    """The counted slices, most costly first.

    `looks` is the number of candidates x kinds of failure over all `findings`. `searched` and `counted` are numbers of
    films in the search half and the held-out half. `made_of` names the source of clusters, empty for facets. `left_out`
    are findings with too few films or no threshold.
    """

    rows: tuple[FailingSlice, ...]
    looks: int
    findings: tuple[str, ...]
    left_out: tuple[str, ...]
    searched: int
    counted: int
    made_of: str


@dataclass(frozen=True, slots=True, eq=False)
class _SearchedFinding:
    """A searched finding with its candidates and proposals."""

    one: FindingFilms
    facets: FacetCandidates | None
    certainty: Floats | None
    traits: tuple[tuple[Facet, Bools], ...]  # of the cohort's films
    proposals: list[SliceProposal]


def where_it_fails(
    store: Store,
    chosen: Slice,
    source: CandidateSource = "facets",
    *,
    spectra: PointsSource | None = None,
    resamples: int = RESAMPLES,
    report: ProgressReport = lambda done, of: None,
) -> WhereItFails:
    """Search the slice's population for failures of its finding, else of each of its findings.

    Raises TooFewFilms if no finding has a threshold and enough films, NothingToCluster, and the store's errors.
    """
    population = chosen.population()
    names = _findings(store, population)
    points = _points(store, population, source, spectra)
    weigh = 0.0 if source == "spectra" else ERROR_WEIGHT
    most = MAX_SLICES if len(names) == 1 else MAX_SLICES_PER_FINDING
    found, left_out, looks = [], [], 0
    for done, finding in enumerate(names):
        report(done, len(names))
        one = FindingFilms.of(store.column(population.of(finding), finding), finding)
        if not _can_search(one):
            left_out.append(finding)
            continue
        search, tried = _search(store, population.of(finding), one, source, points, weigh, most)
        looks += tried
        found.append(search)
    report(len(names), len(names))
    if not found:
        raise TooFewFilms(
            "Too few films to search",
            f"A finding needs a threshold and, in each half of the patients, {2 * MIN_SIDE_FILMS} films with it or "
            "without it. Remove a filter, or choose another finding.",
        )
    first = _costliest(found)
    kept = [(search, [each for each in search.proposals if each in first]) for search in found]
    return WhereItFails(
        rows=tuple(_rows(store, population, kept, resamples)),
        looks=looks,
        findings=tuple(search.one.finding for search in found),
        left_out=tuple(left_out),
        searched=max(int(each.one.searched.sum()) for each in found),
        counted=max(int((~each.one.searched).sum()) for each in found),
        made_of=points.source if points else "",
    )


def _points(
    store: Store, population: Slice, source: CandidateSource, spectra: PointsSource | None
) -> FilmPoints | None:
    if source == "spectra":
        if spectra is None:
            raise NothingToCluster("No spectra are available", "They need the films themselves, which were not given.")
        return spectra()
    return embedding_points(store, population.cohort, population.model) if source == "embeddings" else None


def _findings(store: Store, population: Slice) -> Sequence[str]:
    if population.finding is not None:
        return (population.finding,)
    return [line.finding for line in table_of(store, population).lines]


def _can_search(one: FindingFilms) -> bool:
    """Return whether a candidate can have enough films inside and outside in both halves, for some failure."""
    return any(
        min(int(one.searched[rows].sum()), int((~one.searched[rows]).sum())) >= 2 * MIN_SIDE_FILMS
        for rows in (np.flatnonzero(one.present), np.flatnonzero(~one.present))
    )


def _search(
    store: Store,
    chosen: Slice,
    one: FindingFilms,
    source: CandidateSource,
    points: FilmPoints | None,
    weigh: float,
    most: int,
) -> tuple[_SearchedFinding, int]:
    if points is None:
        facets = facet_candidates(store, chosen, one)
        found, looks = propose_slices(one, [(source, facets.inside)], most)
        return _SearchedFinding(one, facets, None, (), found), looks
    clustered = cluster_candidates(one, points, weigh=weigh)
    found, looks = propose_slices(one, [(source, clustered.inside)], most)
    return _SearchedFinding(one, None, clustered.certainty, points.traits, found), looks


def _costliest(found: Sequence[_SearchedFinding]) -> list[SliceProposal]:
    """Return the most costly proposals over all findings, for each kind of failure."""
    every = [(each, search.one.finding) for search in found for each in search.proposals]
    every.sort(key=lambda entry: (-entry[0].low, entry[1], entry[0].place))
    return [
        each
        for failure in FAILURE_KINDS
        for each in [each for each, _ in every if each.failure == failure][:MAX_SLICES]
    ]


def _rows(
    store: Store, population: Slice, kept: Sequence[tuple[_SearchedFinding, list[SliceProposal]]], resamples: int
) -> Iterator[FailingSlice]:
    results, searched_by_proposal = [], {}
    for search, those in kept:
        for each in count_slices(search.one, those, resamples, SEED):
            searched_by_proposal[id(each.proposal)] = search
            results.append(each)
    for each in rank_slices(results):
        yield _row(store, population, searched_by_proposal[id(each.proposal)], each)


def _row(store: Store, population: Slice, search: _SearchedFinding, figures: CountedSlice) -> FailingSlice:
    one, inside, place = search.one, figures.proposal.inside, figures.proposal.place
    facets: tuple[Facet, ...] = ()
    marks: tuple[OverrepresentedFacet, ...] = ()
    first: tuple[int, ...] = ()
    members: tuple[int, ...] = ()
    words = f"Cluster {place + 1}"
    if search.facets is not None:
        facets = search.facets.facets[place]
        words = facet_words(facets)
    elif search.certainty is not None:
        marks = _marks(store, population.of(one.finding), search, figures.proposal)
        members = tuple(one.films[inside].tolist())
        first = _first(one, inside, figures.proposal.failure == "miss", search.certainty)
    return FailingSlice(
        finding=one.finding,
        words=words,
        name=words if facets else cluster_name(marks),
        facets=facets,
        marks=marks,
        films=int(inside.sum()),
        positives=int((inside & one.present).sum()),
        first=first,
        members=members,
        figures=figures,
    )


def _marks(
    store: Store, chosen: Slice, search: _SearchedFinding, proposal: SliceProposal
) -> tuple[OverrepresentedFacet, ...]:
    """Return a cluster's overrepresented facets among films that can show the failure."""
    one = search.one
    rows = one.rows(proposal.failure)
    traits = ((facet, has[one.films]) for facet, has in search.traits)
    every = chain(open_facets(store, chosen, one), traits)
    return overrepresented_facets(proposal.inside[rows], ((facet, has[rows]) for facet, has in every))


def _first(one: FindingFilms, inside: Bools, missed: bool, certainty: Floats) -> tuple[int, ...]:
    """Return a cluster's films that can show the failure, misread ones first, then by membership probability."""
    rows = np.flatnonzero(inside & (one.present == missed))
    order = np.lexsort((one.films[rows], -certainty[rows], ~one.wrong()[rows]))[:MAX_FILMS_SHOWN]
    return tuple(int(film) for film in one.films[rows[order]])

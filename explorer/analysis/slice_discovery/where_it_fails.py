"""Where a model fails: the slices of one finding, or of all of a slice's findings together, that cost most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.performance.performance_table import counted as table_of
from explorer.analysis.slice_discovery.candidate_facets import Candidates, Facet, candidates, facets_of, words_of
from explorer.analysis.slice_discovery.cluster_candidates import (
    FilmPoints,
    NothingToCluster,
    cluster_candidates,
    embeddings_of,
)
from explorer.analysis.slice_discovery.cluster_words import MoreOften, cluster_name, more_often
from explorer.analysis.slice_discovery.discovered_slices import (
    FEWEST,
    MOST,
    Counted,
    Proposal,
    Source,
    counted,
    proposals,
    ranked,
)
from explorer.analysis.slice_discovery.film_clusters import ERRORS_WEIGH
from explorer.analysis.slice_discovery.finding_films import FAILURES, FindingFilms
from explorer.core.arrays import Floats
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from models.array_types import Bools
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

OF_EACH = 5  # slices of a finding, where all findings are looked at together
SHOWN = 12  # films of a cluster
RESAMPLES, SEED = 2000, 0  # the least p that they can tell is 1 in 2,001, of some dozens of slices
Points = Callable[[], FilmPoints]
Report = Callable[[int, int], None]  # findings done, of how many


class NowhereToLook(Refusal):
    """A slice in which no failure can be counted: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class FailingSlice:
    """A slice with its figures. A cluster has no `facets`: `marks` are what its films have more often than others, of
    those on which the model can fail so, and `name` says it; it is empty where there is nothing to say.

    `films` are its films with a label of the finding and a threshold, in both halves, and `positives` those with it.
    `first` are numbers of a cluster's films, the most certain first, misread ones before the others; `members` are
    those of all its films.
    """

    finding: str
    words: str
    name: str
    facets: tuple[Facet, ...]
    marks: tuple[MoreOften, ...]
    films: int
    positives: int
    first: tuple[int, ...]
    members: tuple[int, ...]
    figures: Counted

    @property
    def outcome(self) -> Outcome:
        """What its failures are called."""
        return Outcome.MISS if self.figures.proposal.failure == "miss" else Outcome.FALSE_ALARM


@dataclass(frozen=True, slots=True, eq=False)
class WhereItFails:
    """The slices that were counted, the most costly first.

    `looks`: candidates times kinds of failure, over all `findings`. `looked` and `counted` are films of the two halves
    of the patients. `made_of`: of what clusters are made, empty for facets. `left_out` are findings in which nothing
    can be looked for: too few films, or no threshold.
    """

    rows: tuple[FailingSlice, ...]
    looks: int
    findings: tuple[str, ...]
    left_out: tuple[str, ...]
    looked: int
    counted: int
    made_of: str


@dataclass(frozen=True, slots=True, eq=False)
class _Looked:
    """A finding with its candidates and the proposals among them."""

    one: FindingFilms
    facets: Candidates | None
    certainty: Floats | None
    traits: tuple[tuple[Facet, Bools], ...]  # of the cohort's films
    proposals: list[Proposal]


def where_it_fails(
    store: Store,
    chosen: Slice,
    source: Source = "facets",
    *,
    spectra: Points | None = None,
    resamples: int = RESAMPLES,
    report: Report = lambda done, of: None,
) -> WhereItFails:
    """Over the films of a slice, whatever the model said; of its finding, else of each of its findings.

    Raises NowhereToLook where no finding has a threshold and films enough, NothingToCluster, and what the store raises.
    """
    population = chosen.population()
    names = _findings(store, population)
    points = _points(store, population, source, spectra)
    weigh = 0.0 if source == "spectra" else ERRORS_WEIGH
    most = MOST if len(names) == 1 else OF_EACH
    found, left_out, looks = [], [], 0
    for done, finding in enumerate(names):
        report(done, len(names))
        one = FindingFilms.of(store.column(population.of(finding), finding), finding)
        if not _can_look(one):
            left_out.append(finding)
            continue
        looked, tried = _look(store, population.of(finding), one, source, points, weigh, most)
        looks += tried
        found.append(looked)
    report(len(names), len(names))
    if not found:
        raise NowhereToLook(
            "There is nowhere to look",
            f"A finding needs a threshold, and {2 * FEWEST} films with it or without it in each half of the patients. "
            "Remove a filter, or choose another finding.",
        )
    first = _first_of(found)
    kept = [(looked, [each for each in looked.proposals if each in first]) for looked in found]
    return WhereItFails(
        rows=tuple(_rows(store, population, kept, resamples)),
        looks=looks,
        findings=tuple(looked.one.finding for looked in found),
        left_out=tuple(left_out),
        looked=max(int(each.one.looked.sum()) for each in found),
        counted=max(int((~each.one.looked).sum()) for each in found),
        made_of=points.source if points else "",
    )


def _points(store: Store, population: Slice, source: Source, spectra: Points | None) -> FilmPoints | None:
    if source == "spectra":
        if spectra is None:
            raise NothingToCluster("There are no spectra here", "They are made of films, which were not given.")
        return spectra()
    return embeddings_of(store, population.cohort, population.model) if source == "embeddings" else None


def _findings(store: Store, population: Slice) -> Sequence[str]:
    if population.finding is not None:
        return (population.finding,)
    return [line.finding for line in table_of(store, population).lines]


def _can_look(one: FindingFilms) -> bool:
    """Whether a candidate of one kind of failure can have films enough on both sides in both halves."""
    return any(
        min(int(one.looked[rows].sum()), int((~one.looked[rows]).sum())) >= 2 * FEWEST
        for rows in (np.flatnonzero(one.present), np.flatnonzero(~one.present))
    )


def _look(
    store: Store,
    chosen: Slice,
    one: FindingFilms,
    source: Source,
    points: FilmPoints | None,
    weigh: float,
    most: int,
) -> tuple[_Looked, int]:
    if points is None:
        facets = candidates(store, chosen, one)
        found, looks = proposals(one, [(source, facets.inside)], most)
        return _Looked(one, facets, None, (), found), looks
    clustered = cluster_candidates(one, points, weigh=weigh)
    found, looks = proposals(one, [(source, clustered.inside)], most)
    return _Looked(one, None, clustered.certainty, points.traits, found), looks


def _first_of(found: Sequence[_Looked]) -> list[Proposal]:
    """The most costly proposals of all findings, of each kind of failure."""
    every = [(each, looked.one.finding) for looked in found for each in looked.proposals]
    every.sort(key=lambda entry: (-entry[0].low, entry[1], entry[0].place))
    return [each for failure in FAILURES for each in [each for each, _ in every if each.failure == failure][:MOST]]


def _rows(
    store: Store, population: Slice, kept: Sequence[tuple[_Looked, list[Proposal]]], resamples: int
) -> Iterator[FailingSlice]:
    results, whose = [], {}
    for looked, those in kept:
        for each in counted(looked.one, those, resamples, SEED):
            whose[id(each.proposal)] = looked
            results.append(each)
    for each in ranked(results):
        yield _row(store, population, whose[id(each.proposal)], each)


def _row(store: Store, population: Slice, looked: _Looked, figures: Counted) -> FailingSlice:
    one, inside, place = looked.one, figures.proposal.inside, figures.proposal.place
    facets: tuple[Facet, ...] = ()
    marks: tuple[MoreOften, ...] = ()
    first: tuple[int, ...] = ()
    members: tuple[int, ...] = ()
    words = f"Cluster {place + 1}"
    if looked.facets is not None:
        facets = looked.facets.facets[place]
        words = words_of(facets)
    elif looked.certainty is not None:
        marks = _marks(store, population.of(one.finding), looked, figures.proposal)
        members = tuple(one.films[inside].tolist())
        first = _first(one, inside, figures.proposal.failure == "miss", looked.certainty)
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


def _marks(store: Store, chosen: Slice, looked: _Looked, proposal: Proposal) -> tuple[MoreOften, ...]:
    """Of a cluster, among the films on which the model can fail so."""
    one = looked.one
    rows = one.rows(proposal.failure)
    traits = ((facet, has[one.films]) for facet, has in looked.traits)
    every = chain(facets_of(store, chosen, one), traits)
    return more_often(proposal.inside[rows], ((facet, has[rows]) for facet, has in every))


def _first(one: FindingFilms, inside: Bools, missed: bool, certainty: Floats) -> tuple[int, ...]:
    """Films of a cluster that can fail so, misread ones first, then the most certain."""
    rows = np.flatnonzero(inside & (one.present == missed))
    order = np.lexsort((one.films[rows], -certainty[rows], ~one.wrong()[rows]))[:SHOWN]
    return tuple(int(film) for film in one.films[rows[order]])

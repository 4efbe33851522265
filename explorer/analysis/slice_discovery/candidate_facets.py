"""Candidate slices: values of film and appearance filters, other findings on the film, and pairs of these.

Splits are no candidates: they were drawn by chance, so a model that fails on one of them shows nothing about films.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.analysis.slice_discovery.finding_films import FindingFilms
from explorer.core.uncertainty import Policy
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.filter_kinds import AppearanceFilter, Choice, Choices, FilmFilter
from explorer.store.filter_registry import FILTERS, PART
from explorer.store.slices import Slice
from models.array_types import Bools

if TYPE_CHECKING:
    from explorer.store.store import Store

OTHER_FINDING = "with"  # the filter by another labeled finding
MIN_FACET_FILMS = 10  # at least this many films, both inside and outside a candidate


@dataclass(frozen=True, slots=True)
class Facet:
    """A filter value: a slice whose `field` is `value`; `words` is its clause in a slice's sentence."""

    field: str
    value: Any
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class FacetCandidates:
    """Candidates of one or two facets each, and the films inside (C, n)."""

    facets: tuple[tuple[Facet, ...], ...]
    inside: Bools


def facet_candidates(store: Store, chosen: Slice, one: FindingFilms) -> FacetCandidates:
    """Return facets and pairs of facets with enough films, from filters that the slice does not set.

    Of candidates with the same films, the one with the fewest facets is kept.
    """
    single = [(facet, inside) for facet, inside in open_facets(store, chosen, one) if _enough(inside)]
    found: dict[bytes, tuple[tuple[Facet, ...], Bools]] = {}
    for facet, inside in single:
        found.setdefault(np.packbits(inside).tobytes(), ((facet,), inside))
    for (facet, inside), (other, also) in combinations(single, 2):
        both = inside & also
        if facet.field != other.field and _enough(both):
            found.setdefault(np.packbits(both).tobytes(), ((facet, other), both))
    sets = [inside for _, inside in found.values()]
    return FacetCandidates(
        tuple(facets for facets, _ in found.values()),
        np.array(sets, dtype=np.bool_).reshape(len(sets), len(one.films)),
    )


def open_facets(store: Store, chosen: Slice, one: FindingFilms) -> Iterator[tuple[Facet, Bools]]:
    """Yield each facet with the films inside (n,), from filters that the slice does not set."""
    version = store.version(chosen.cohort, chosen.model)
    every = _of_cohort(store, chosen.cohort, chosen.model, one.finding, chosen.policy, version)
    for facet, inside in every:
        if getattr(chosen, facet.field) is None:
            yield facet, inside[one.films]


def facet_words(facets: Iterable[Facet]) -> str:
    """Describe a candidate: `AP films, at B`."""
    text = ", ".join(facet.words for facet in facets)
    return text[:1].upper() + text[1:]


def facet_filters(facets: Iterable[Facet]) -> Mapping[str, Any]:
    """Return the filter values of a slice by field."""
    return {facet.field: facet.value for facet in facets}


def _enough(inside: Bools) -> bool:
    n = int(inside.sum())
    return n >= MIN_FACET_FILMS and len(inside) - n >= MIN_FACET_FILMS


@cached_per_owner(64)
def _of_cohort(
    store: Store, cohort: str, model: str, finding: str, uncertain: Policy, version: str
) -> tuple[tuple[Facet, Bools], ...]:
    """Return all facets over all films of the cohort."""
    return (*_of_films(store, cohort, model, version), *_of_finding(store, cohort, model, finding, uncertain))


@cached_per_owner(4)
def _of_films(store: Store, cohort: str, model: str, _version: str) -> tuple[tuple[Facet, Bools], ...]:
    those = (each for each in FILTERS if isinstance(each, FilmFilter) and each.column != PART)
    return tuple(found for each in those for found in _of_values(store, cohort, model, each, None))


def _of_finding(
    store: Store, cohort: str, model: str, finding: str, uncertain: Policy
) -> Iterator[tuple[Facet, Bools]]:
    """Yield facets of the finding's appearance and of other findings on the film."""
    for each in FILTERS:
        if isinstance(each, AppearanceFilter):
            yield from _of_values(store, cohort, model, each, finding)
        elif isinstance(each, Choice) and each.key == OTHER_FINDING:
            grid = store.grid(cohort, model, uncertain=uncertain)
            for place, other in enumerate(grid.findings):
                if other != finding:
                    yield _facet(Slice(cohort, model), each, other), np.asarray(grid.label[:, place] == 1)


def _of_values(
    store: Store, cohort: str, model: str, each: Choice, finding: str | None
) -> Iterator[tuple[Facet, Bools]]:
    """Yield a facet for each value of a filter; appearance filters refer to `finding`."""
    word, every = each.word, len(store.film_facts(cohort).center)
    for value in word.shown(Choices(cohort, store.facets(cohort, model), ())):
        inside = np.zeros(every, dtype=np.bool_)
        inside[store.films(Slice(cohort, model, finding=finding, **{word.field: value}))] = True
        yield _facet(Slice(cohort, model), each, value), inside


def _facet(whole: Slice, each: Choice, value: Any) -> Facet:  # noqa: ANN401 - a filter's values are of its own type
    field = each.word.field
    clause = each.clause(dict(whole.values()) | {field: value}, "score")
    return Facet(
        field, value, clause or (f"at {value}" if field == "center" else f"{each.title} {each.word.title(value)}")
    )

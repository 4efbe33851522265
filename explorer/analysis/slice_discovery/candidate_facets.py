"""Candidate slices: each value of each filter of films and of a finding's appearance, other findings, and pairs of these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.analysis.slice_discovery.finding_films import Booleans, FindingFilms
from explorer.store.filter_kinds import AppearanceFilter, Choice, Choices, FilmFilter
from explorer.store.filters import FILTERS
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

OTHER_FINDING = "with"  # the filter by another finding that is present on the film
FILMS, FAILING = 10, 5  # fewest films of a candidate, and fewest on which the model could fail; on either side


@dataclass(frozen=True, slots=True)
class Facet:
    """One value of one filter: `field` of a slice is `value`. In words: `title` is the filter's, `name` the value's."""

    field: str
    value: Any
    title: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Facets, one or two to a candidate, and the films inside (C, n)."""

    facets: tuple[tuple[Facet, ...], ...]
    inside: Booleans


def candidates(store: Store, chosen: Slice, one: FindingFilms) -> Candidates:
    """Single facets and pairs of two filters, with films enough on both sides; equal sets of films once, by the fewer
    facets.
    """
    single = [(facet, inside) for facet, inside in _facets(store, chosen, one) if _enough(inside)]
    found: dict[bytes, tuple[tuple[Facet, ...], Booleans]] = {}
    for facet, inside in single:
        found.setdefault(np.packbits(inside).tobytes(), ((facet,), inside))
    for (facet, inside), (other, also) in combinations(single, 2):
        both = inside & also
        if facet.field != other.field and _enough(both):
            found.setdefault(np.packbits(both).tobytes(), ((facet, other), both))
    sets = [inside for _, inside in found.values()]
    return Candidates(
        tuple(facets for facets, _ in found.values()),
        np.array(sets, dtype=np.bool_).reshape(len(sets), len(one.films)),
    )


def _enough(inside: Booleans) -> bool:
    n = int(inside.sum())
    return n >= FILMS and len(inside) - n >= FILMS


def _facets(store: Store, chosen: Slice, one: FindingFilms) -> Iterator[tuple[Facet, Booleans]]:
    """Of filters that the slice leaves open."""
    offered = Choices(chosen.cohort, store.facets(chosen.cohort, chosen.model), ())
    for each in FILTERS:
        if not isinstance(each, Choice) or getattr(chosen, each.word.field) not in (None, ()):
            continue
        if isinstance(each, FilmFilter):
            yield from _of_values(store, chosen, one, each, offered, None)
        elif isinstance(each, AppearanceFilter):
            yield from _of_values(store, chosen, one, each, offered, one.finding)
        elif each.key == OTHER_FINDING:
            yield from _of_other_findings(store, chosen, one, each)


def _of_values(
    store: Store, chosen: Slice, one: FindingFilms, each: Choice, offered: Choices, finding: str | None
) -> Iterator[tuple[Facet, Booleans]]:
    """`finding`: the one whose appearance is meant."""
    word = each.word
    for value in (word.offered or word.values or _none)(offered):
        films = store.films(Slice(chosen.cohort, chosen.model, finding=finding, **{word.field: value}))
        yield Facet(word.field, value, each.title, word.title(value)), np.isin(one.films, films)


def _none(offered: Choices) -> tuple[Any, ...]:
    return ()


def _of_other_findings(store: Store, chosen: Slice, one: FindingFilms, each: Choice) -> Iterator[tuple[Facet, Booleans]]:
    grid = store.grid(chosen.cohort, chosen.model)
    for place, finding in enumerate(grid.findings):
        if finding != one.finding:
            yield (
                Facet(each.word.field, finding, each.title, finding),
                np.asarray(grid.label[one.films, place] == 1),
            )


def words_of(facets: tuple[Facet, ...]) -> str:
    """A candidate in words: `View AP, Center B`."""
    return ", ".join(f"{facet.title} {facet.name}" for facet in facets)


def filters_of(facets: tuple[Facet, ...]) -> Mapping[str, Any]:
    """The values of a slice's filters, by field."""
    return {facet.field: facet.value for facet in facets}

"""Slices where the model fails more often, for the script and a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

from explorer.analysis.slice_discovery.candidate_facets import facet_filters
from explorer.analysis.slice_discovery.cluster_words import OverrepresentedFacet
from explorer.analysis.slice_discovery.finding_films import Failure
from explorer.analysis.slice_discovery.where_it_fails import FailingSlice, WhereItFails
from explorer.core.arrays import or_none
from explorer.reading.finding_json import RateAnswer, rate_payload
from explorer.store.slices import Slice
from explorer.ui.shared.film_line import FilmLinePayload, film_line_payload
from explorer.ui.shared.links import slice_words
from explorer.ui.shared.panel_words import ValuePayload, bounds_payload
from explorer.ui.shared.services import Services

SIGNIFICANT_P = 0.05  # a slice with a smaller adjusted p is marked as worse than the others


class ClusterTraitPayload(TypedDict):
    """A property that is more frequent among a cluster's films than among the others on which the model could fail."""

    words: str
    here: RateAnswer
    rest: RateAnswer


class FailingSlicePayload(TypedDict):
    """A slice; `state` are the address words of its failures, null for a cluster, which shows `films` instead.

    `name` is the slice's name; a cluster's `words` describe it if possible. `here` and `rest` are rates of failure on
    the counted half. `worse`: adjusted p is below 0.05.
    """

    finding: str
    failure: Failure
    words: str
    name: str
    films: int
    positives: int
    here: RateAnswer
    rest: RateAnswer
    cost: ValuePayload
    p: float | None
    adjusted: float | None
    worse: bool
    state: dict[str, str] | None
    marks: list[ClusterTraitPayload]
    first: list[FilmLinePayload]


class WhereItFailsPayload(TypedDict):
    """All rows, and how many films and tests produced them."""

    rows: list[FailingSlicePayload]
    looks: int
    findings: list[str]
    left_out: list[str]
    looked: int
    counted: int
    made_of: str


def where_it_fails_payload(services: Services, chosen: Slice, found: WhereItFails) -> WhereItFailsPayload:
    """The rows, with the films of clusters."""
    films = _films(services, chosen, found.rows)
    return {
        "rows": [_row(chosen, each, films) for each in found.rows],
        "looks": found.looks,
        "findings": list(found.findings),
        "left_out": list(found.left_out),
        "looked": found.searched,
        "counted": found.counted,
        "made_of": found.made_of,
    }


def _films(services: Services, chosen: Slice, rows: Sequence[FailingSlice]) -> Mapping[int, FilmLinePayload]:
    """The films of clusters, by number."""
    wanted = sorted({number for row in rows for number in row.first})
    names = list(services.store.patients(chosen.cohort)) if wanted else []
    known = services.store.cases(chosen.cohort, [names[number] for number in wanted])
    lines = (film_line_payload(services.images, chosen.cohort, each) for each in known)
    return dict(zip(wanted, lines, strict=True))


def _row(chosen: Slice, each: FailingSlice, films: Mapping[int, FilmLinePayload]) -> FailingSlicePayload:
    figures = each.figures
    adjusted = or_none(figures.adjusted)
    return {
        "finding": each.finding,
        "failure": figures.proposal.failure,
        "words": each.words,
        "name": each.name or each.words,
        "films": each.films,
        "positives": each.positives,
        "here": rate_payload(figures.here),
        "rest": rate_payload(figures.rest),
        "cost": {"value": or_none(figures.cost), **bounds_payload(figures.interval)},
        "p": or_none(figures.p),
        "adjusted": adjusted,
        "worse": adjusted is not None and adjusted < SIGNIFICANT_P,
        "state": _state(chosen, each) if each.facets else None,
        "marks": [_mark(mark) for mark in each.marks],
        "first": [films[number] for number in each.first if number in films],
    }


def _state(chosen: Slice, each: FailingSlice) -> dict[str, str]:
    failures = replace(chosen.population().of(each.finding), outcomes=(each.outcome,), **facet_filters(each.facets))
    return slice_words(failures)


def _mark(mark: OverrepresentedFacet) -> ClusterTraitPayload:
    return {"words": mark.films, "here": rate_payload(mark.here), "rest": rate_payload(mark.rest)}

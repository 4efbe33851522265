"""The calls of the panel *where it fails*: slices with more failures, on the page and as a file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Literal, TypedDict, get_args
from urllib.parse import parse_qsl, urlencode

from explorer.analysis.cases.marked_sentence import marked_sentence
from explorer.analysis.slice_discovery.discovered_slices import CandidateSource
from explorer.analysis.slice_discovery.discovery_job import DiscoveryProgress
from explorer.analysis.slice_discovery.failing_slices_csv import failing_slices_csv
from explorer.analysis.slice_discovery.where_it_fails import WhereItFails
from explorer.cohorts.unlisted import public_name
from explorer.store.slices import Slice
from explorer.ui.explore.where_it_fails_payload import WhereItFailsPayload, where_it_fails_payload
from explorer.ui.shared.links import resolve_slice, slice_words
from explorer.ui.shared.request_values import state_in
from explorer.ui.shared.services import Services
from models.refusal import Refusal

SLICE_SOURCES: tuple[CandidateSource, ...] = get_args(CandidateSource)


class StillSearching(Refusal):
    """A file was requested before its computation finished."""


class WithinPayload(TypedDict):
    """The films searched: a sentence with counts, and the address words that select them."""

    sentence: str
    pairs: int
    films: int
    within: str
    source: CandidateSource


class FailsPanelPayload(WithinPayload, WhereItFailsPayload):
    """The slices found."""

    stage: Literal["where it fails"]
    computing: Literal[False]


class LookingPanelPayload(WithinPayload):
    """The search's progress: `done` of `of` findings or films."""

    stage: Literal["looking"]
    computing: Literal[True]
    done: int
    of: int
    what: str


class FailsFilePayload(TypedDict):
    """A file to save; `data` is base 64."""

    stage: Literal["export"]
    name: str
    type: str
    data: str


def where_it_fails_panel(
    services: Services, chosen: Slice, sent: Mapping[str, Any]
) -> FailsPanelPayload | LookingPanelPayload:
    """The slices within the films that the state names as `within`, else within its own slice."""
    base, source = searched_slice(services, chosen, sent)
    count = services.store.count(base)
    within_payload: WithinPayload = {
        "sentence": marked_sentence(services.store, base),
        "pairs": count.pairs,
        "films": count.films,
        "within": urlencode(slice_words(base)),
        "source": source,
    }
    found = discovered_slices(services, base, source)
    if isinstance(found, DiscoveryProgress):
        return {
            "stage": "looking",
            "computing": True,
            **within_payload,
            "done": found.done,
            "of": found.of,
            "what": found.what,
        }
    return {
        "stage": "where it fails",
        "computing": False,
        **within_payload,
        **where_it_fails_payload(services, base, found),
    }


def where_it_fails_csv(services: Services, chosen: Slice, sent: Mapping[str, Any]) -> FailsFilePayload:
    """The same rows as CSV. Raises NotYet."""
    base, source = searched_slice(services, chosen, sent)
    found = discovered_slices(services, base, source)
    if isinstance(found, DiscoveryProgress):
        raise StillSearching("The search for slices is still running", "Save them once they are on the page.")
    text = failing_slices_csv(base, found, simulated=services.simulated(base.cohort)).encode()
    name = f"tailscope_where-it-fails_{public_name(base.cohort)}_{base.model}_{source}.csv"
    return {"stage": "export", "name": name, "type": "text/csv", "data": b64encode(text).decode()}


def searched_slice(services: Services, chosen: Slice, sent: Mapping[str, Any]) -> tuple[Slice, CandidateSource]:
    """The films to search, from the state's `within` or its own slice, whatever the outcomes; and the method."""
    state = state_in(sent)
    within = state.get("within")
    searched = resolve_slice(services.store, dict(parse_qsl(within))) if isinstance(within, str) and within else chosen
    source = next((each for each in SLICE_SOURCES if each == state.get("fails")), SLICE_SOURCES[0])
    return searched.population(), source


def discovered_slices(services: Services, base: Slice, source: CandidateSource) -> WhereItFails | DiscoveryProgress:
    """The slices, or the progress of the search."""
    return services.intervals.discovery.ask(base, source, services.images)

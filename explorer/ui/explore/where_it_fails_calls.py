"""What the panel *where it fails* asks: the slices of the films that it looks within, and the same as a file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Literal, TypedDict, get_args
from urllib.parse import parse_qsl, urlencode

from explorer.analysis.cases.marked_sentence import marked_sentence
from explorer.analysis.slice_discovery.discovered_slices import Source
from explorer.analysis.slice_discovery.discovery_job import Progress
from explorer.analysis.slice_discovery.failing_slices_csv import failing_slices_csv
from explorer.analysis.slice_discovery.where_it_fails import WhereItFails
from explorer.cohorts.unlisted import shown_name
from explorer.store.slices import Slice
from explorer.ui.explore.where_it_fails_payload import WhereItFailsPayload, where_it_fails_payload
from explorer.ui.shared.links import chosen, state_of
from explorer.ui.shared.request_values import state_in
from explorer.ui.shared.services import Services
from models.refusal import Refusal

SOURCES: tuple[Source, ...] = get_args(Source)


class NotYet(Refusal):
    """A file of what is still being computed."""


class WithinPayload(TypedDict):
    """The films that are looked at: a sentence with its counts, and the words of an address that mean them."""

    sentence: str
    pairs: int
    films: int
    within: str
    source: Source


class FailsPanelPayload(WithinPayload, WhereItFailsPayload):
    """The slices."""

    stage: Literal["where it fails"]
    computing: Literal[False]


class LookingPanelPayload(WithinPayload):
    """What is being done: `done` of `of` findings or films."""

    stage: Literal["looking"]
    computing: Literal[True]
    done: int
    of: int
    what: str


class FailsFilePayload(TypedDict):
    """A file to save; `data` is Base64."""

    stage: Literal["export"]
    name: str
    type: str
    data: str


def where_it_fails_panel(
    services: Services, asked: Slice, sent: Mapping[str, Any]
) -> FailsPanelPayload | LookingPanelPayload:
    """The slices of the films that the state names as `within`, else of the state's own."""
    base, source = looked_within(services, asked, sent)
    count = services.store.count(base)
    said: WithinPayload = {
        "sentence": marked_sentence(services.store, base),
        "pairs": count.pairs,
        "films": count.films,
        "within": urlencode(state_of(base)),
        "source": source,
    }
    found = discovered(services, base, source)
    if isinstance(found, Progress):
        return {"stage": "looking", "computing": True, **said, "done": found.done, "of": found.of, "what": found.what}
    return {"stage": "where it fails", "computing": False, **said, **where_it_fails_payload(services, base, found)}


def where_it_fails_csv(services: Services, asked: Slice, sent: Mapping[str, Any]) -> FailsFilePayload:
    """The same rows as CSV. Raises NotYet."""
    base, source = looked_within(services, asked, sent)
    found = discovered(services, base, source)
    if isinstance(found, Progress):
        raise NotYet("The slices are still being looked for", "Save them once they are on the page.")
    text = failing_slices_csv(base, found, simulated=services.simulated(base.cohort)).encode()
    name = f"tailscope_where-it-fails_{shown_name(base.cohort)}_{base.model}_{source}.csv"
    return {"stage": "export", "name": name, "type": "text/csv", "data": b64encode(text).decode()}


def looked_within(services: Services, asked: Slice, sent: Mapping[str, Any]) -> tuple[Slice, Source]:
    """The films that the state names as `within`, else its own, whatever the model said; and how slices are found."""
    state = state_in(sent)
    within = state.get("within")
    there = chosen(services.store, dict(parse_qsl(within))) if isinstance(within, str) and within else asked
    source = next((each for each in SOURCES if each == state.get("fails")), SOURCES[0])
    return there.population(), source


def discovered(services: Services, base: Slice, source: Source) -> WhereItFails | Progress:
    """The slices, or how far the search is."""
    return services.intervals.discovery.ask(base, source, services.images)

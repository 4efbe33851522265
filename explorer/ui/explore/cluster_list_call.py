"""Saves a cluster of *where it fails* as a list of cases: a cluster is not a filter, but a list is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, TypedDict

from explorer.analysis.slice_discovery.discovery_job import DiscoveryProgress
from explorer.cohorts.case_marks import ListedCase
from explorer.ui.explore.mark_calls import unless_hidden
from explorer.ui.explore.where_it_fails_calls import StillSearching, discovered_slices, searched_slice
from explorer.ui.shared.links import resolve_link, slice_words
from explorer.ui.shared.refusals import RefusedPayload
from explorer.ui.shared.request_values import state_in, value_in
from explorer.ui.shared.saved_marks import save_list
from explorer.ui.shared.services import Services
from models.refusal import Refusal


class NoCluster(Refusal):
    """A cluster that is not among those found."""


class ClusterListPayload(TypedDict):
    """The list that holds a cluster's films, and the address words that show its failures."""

    stage: Literal["cluster listed"]
    name: str
    state: dict[str, str]


def calls(services: Services) -> list[Callable[[object], object]]:
    """The script's call."""

    def cluster_listed(sent: object) -> ClusterListPayload | RefusedPayload:
        return unless_hidden(sent, lambda: _listed(services, sent))

    return [cluster_listed]


def _listed(services: Services, sent: object) -> ClusterListPayload:
    """Save all films of a cluster as a list of cases, and return the address of its failures.

    The cluster is named by {finding, words, failure} of its row. Raises NotYet, NoCluster and WrongMark.
    """
    chosen = resolve_link(services.store, state_in(sent)).slice
    base, source = searched_slice(services, chosen, sent if isinstance(sent, Mapping) else {})
    found = discovered_slices(services, base, source)
    if isinstance(found, DiscoveryProgress):
        raise StillSearching("The search for clusters is still running", "Save a cluster once it is on the page.")
    wanted = tuple(value_in(sent, name) for name in ("finding", "words", "failure"))
    rows = (each for each in found.rows if each.members)
    row = next((each for each in rows if (each.finding, each.words, each.figures.proposal.failure) == wanted), None)
    if row is None:
        raise NoCluster("There is no such cluster", "Its films or scores may have changed: look again.")
    cases = list(services.store.patients(base.cohort))
    listed = [ListedCase(cases[number], row.finding) for number in row.members]
    marked = save_list(services.store, base.cohort, f"{row.finding[:30]}, {row.words.lower()}", listed)
    failures = replace(base.of(row.finding), outcomes=(row.outcome,), marked=marked)
    return {"stage": "cluster listed", "name": marked.name, "state": slice_words(failures)}

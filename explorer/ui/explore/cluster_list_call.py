"""Saves a cluster of *where it fails* as a list of cases: a cluster is not a filter, but a list is."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, TypedDict

from explorer.analysis.slice_discovery.discovery_job import DiscoveryProgress
from explorer.cohorts.case_marks import CaseMarks, ListedCase
from explorer.cohorts.mark_edits import listing
from explorer.store.marked import every_marked
from explorer.ui.explore.mark_calls import save_marks, unless_hidden
from explorer.ui.explore.where_it_fails_calls import StillSearching, discovered_slices, searched_slice
from explorer.ui.shared.links import resolve_link, slice_words
from explorer.ui.shared.refusals import RefusedPayload
from explorer.ui.shared.request_values import state_in, value_in
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
    name = _free_name(services.store.marks(base.cohort), f"{row.finding[:30]}, {row.words.lower()}")
    listed = [ListedCase(cases[number], row.finding) for number in row.members]
    marks = save_marks(services.store, base.cohort, listing(name, listed))
    marked = next(each for each in every_marked(marks) if (each.kind, each.name) == ("list", name))
    failures = replace(base.of(row.finding), outcomes=(row.outcome,), marked=marked)
    return {"stage": "cluster listed", "name": name, "state": slice_words(failures)}


def _free_name(marks: CaseMarks, name: str) -> str:
    """The name, with a number if a list of that name exists."""
    names = itertools.chain([name], (f"{name} ({number})" for number in itertools.count(2)))
    return next(each for each in names if each not in marks.lists)

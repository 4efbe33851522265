"""Values of filters that are computed: how many findings a film has, which tasks a model scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.core.finding_counts import FindingCount, finding_count
from explorer.core.findings import TASKS, ChallengeTask
from explorer.core.map_area import MapArea
from explorer.store.filter_words import WrongFilter
from explorer.store.marked import Marked

if TYPE_CHECKING:
    from explorer.store.filter_kinds import Choices
    from explorer.store.results import Case


def findings_of(case: Case) -> FindingCount:
    """How many findings the labels of a case together say are there."""
    known = (each.label in ("present", "absent") for each in case.labels if each.counts)
    return finding_count(case.present, labeled=any(known))


def tasks_scored(choices: Choices) -> list[ChallengeTask]:
    """Those of which the model scores any finding."""
    return [task for task, findings in TASKS.items() if not choices.facets.findings.keys().isdisjoint(findings)]


def check_kinds(marked: object, lasso: object) -> None:
    """Raises WrongFilter for marked cases or an area of the map that are not given as such."""
    if not isinstance(marked, Marked | None):
        raise WrongFilter("A slice holds the marked cases themselves", "Name them as a filter: `marked=starred`.")
    if not isinstance(lasso, MapArea | None):
        raise WrongFilter("That is no area of the map", "Give filters in words: `lasso=...` of an address.")

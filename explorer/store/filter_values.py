"""Values of filters that are computed: how many findings a film has, which tasks a model scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.core.finding_counts import FindingCount, finding_count
from explorer.core.findings import TASKS, ChallengeTask

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

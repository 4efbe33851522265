"""Lists labels that cannot all be true."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from explorer.analysis.label_issues.issue import LabelIssue, RuleIssues, single_finding
from explorer.cohorts.counted import Counted
from explorer.core.word_lists import and_list
from explorer.store.results import Contradiction
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

# By what the cohort counts: the films of a study have one label where studies are counted.
CONTRADICTIONS_NOTE: Mapping[Counted, str] = MappingProxyType(
    {
        "film": "Labels that cannot all be true: Normal with a finding other than Support Devices, a finding present "
        "on one film of a study and absent on another, or two sources that disagree.",
        "study": "Labels that cannot all be true: Normal with a finding other than Support Devices, or two sources "
        "that disagree.",
    }
)
_SAYS: Mapping[str, Callable[[Contradiction], str]] = MappingProxyType(
    {
        "normal": lambda each: f"Labeled Normal, but also {and_list(each.findings)}.",
        "study": lambda each: f"{each.findings[0]} is present on one film of the study and absent on another.",
        "sources": lambda each: f"{each.findings[0]}: {each.sources[0]} says present, {each.sources[1]} says absent.",
    }
)


def label_contradictions(store: Store, population: Slice, limit: int) -> RuleIssues:
    """Return contradictions in the population; for a slice of one finding, those that involve it."""
    found = [
        LabelIssue("contradiction", _SAYS[each.kind](each), each.cases, single_finding(each.findings))
        for each in store.contradictions(population)
        if population.finding in (None, *each.findings, *(("Normal",) if each.kind == "normal" else ()))
    ]
    note = CONTRADICTIONS_NOTE[store.counted(population.cohort)]
    return RuleIssues("contradiction", "Contradictions", note, len(found), tuple(found[:limit]))

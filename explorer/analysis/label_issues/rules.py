"""Finds doubtful labels by simple, checkable rules; nothing is learned or corrected."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from explorer.analysis.label_issues.confident import confident_disagreements
from explorer.analysis.label_issues.contradictions import label_contradictions
from explorer.analysis.label_issues.issue import RuleIssues
from explorer.analysis.label_issues.missing_findings import missing_findings
from explorer.analysis.label_issues.near_duplicates import near_duplicates
from explorer.analysis.label_issues.report_disagreements import report_disagreements, report_source
from explorer.analysis.performance.performance_table import count_table
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

__all__ = ["RuleIssues", "label_issues"]


def label_issues(store: Store, chosen: Slice, *, limit: int = 60) -> tuple[RuleIssues, ...]:
    """Return each rule's issues in the slice's population, at most `limit` per rule.

    Labels are taken as they are: an uncertain one contradicts nothing, however the slice counts it.
    """
    population = replace(chosen.population(), uncertain=None)
    return _label_issues(store, population, limit, store.version(population.cohort, population.model))


@cached_per_owner(32)
def _label_issues(store: Store, population: Slice, limit: int, version: str) -> tuple[RuleIssues, ...]:
    lines = count_table(store, population).lines
    names = tuple(store.patients(population.cohort))
    source = report_source(store, population)
    reports = () if source is None else (report_disagreements(store, population, source, lines, names, limit),)
    return (
        *reports,
        label_contradictions(store, population, limit),
        near_duplicates(store, population, [line.finding for line in lines], names, limit),
        missing_findings(store, population, lines, names, limit),
        confident_disagreements(store, population, lines, names, limit),
    )

"""Labels that may be wrong, by rules that anybody can check; nothing is learned, and nothing is corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.analysis.label_issues.confident import confident
from explorer.analysis.label_issues.contradictions import contradictions
from explorer.analysis.label_issues.issue import RuleIssues
from explorer.analysis.label_issues.near_duplicates import near_duplicates
from explorer.analysis.performance.performance_table import counted
from explorer.runtime.cached_per_owner import remembered
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

__all__ = ["RuleIssues", "label_issues"]


def label_issues(store: Store, asked: Slice, *, limit: int = 60) -> tuple[RuleIssues, ...]:
    """What each rule says of the slice's films, whatever the model said; at most `limit` issues of each."""
    population = asked.population()
    return _label_issues(store, population, limit, store.version(population.cohort, population.model))


@remembered(32)
def _label_issues(store: Store, population: Slice, limit: int, version: str) -> tuple[RuleIssues, ...]:
    lines = counted(store, population).lines
    names = tuple(store.patients(population.cohort))
    return (
        contradictions(store, population, limit),
        near_duplicates(store, population, [line.finding for line in lines], names, limit),
        confident(store, population, lines, names, limit),
    )

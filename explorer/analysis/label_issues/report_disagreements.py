"""Finds films whose label and report say the opposite, first those where the model sides with the report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.label_issues.eligible_films import EligibleFilms
from explorer.analysis.label_issues.issue import LabelIssue, RuleIssues
from explorer.analysis.label_issues.out_of_fold import out_of_fold
from explorer.analysis.performance.performance_table import FindingLine
from explorer.core.figures import percent_text
from explorer.core.in_sample import optimistic_centers
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.results import Column
    from explorer.store.store import Store

TITLE = "Report and label disagree"
_REPORT = re.compile(r"\breports?\b", re.IGNORECASE)
_STATES = {1: "present", 0: "absent"}


def report_source(store: Store, population: Slice) -> str | None:
    """Return the cohort's label source that is read from reports, if other labels count; None without one.

    Such a source has the word "report" in its name, as those that `ingest --reports` makes.
    """
    counted = population.label_source or store.default_source(population.cohort)
    if counted == store.default_source(population.cohort) and store.is_simulated(population.cohort):
        return None  # a simulator's labels are exact
    if counted is None:
        return None  # all sources count together: contradictions list those that disagree
    named = store.facets(population.cohort, population.model).label_sources
    return next((name for name in named if name != counted and _REPORT.search(name)), None)


def report_disagreements(
    store: Store, population: Slice, source: str, lines: Sequence[FindingLine], names: Sequence[str], limit: int
) -> RuleIssues:
    """Return pairs that the counted labels and those of the report `source` call present and absent, or the reverse.

    `names` are all cases of the cohort in order. A report that does not mention a finding disagrees with nothing.
    """
    fitted = optimistic_centers(store.model(population.cohort, population.model).origins)
    reports = store.labels(population.cohort, source)
    found: list[tuple[float, LabelIssue]] = []
    for line in lines:
        if line.finding in reports.findings:
            column = store.column(population, line.finding)
            said = reports.labels[column.case, reports.findings.index(line.finding)]
            sided = out_of_fold(column, EligibleFilms.of(column, fitted).inside)
            found += _opposite(line.finding, column, said, sided, names)
    found.sort(key=lambda each: -each[0])
    return RuleIssues(
        "report",
        TITLE,
        f"The label says the opposite of {source}. First come those where {population.model} sides with the report: "
        "where most films with such a score are labeled as the report says, by the labels of other patients.",
        len(found),
        tuple(issue for _, issue in found[:limit]),
    )


def _opposite(
    finding: str, column: Column, said: np.ndarray, sided: np.ndarray, names: Sequence[str]
) -> Iterator[tuple[float, LabelIssue]]:
    """Yield each disagreement with the share of like films that are labeled as the report says; -1 if unknown."""
    for row in np.flatnonzero((said >= 0) & (column.label == 1 - said)):
        state = int(said[row])
        share = float(sided[row] if state else 1 - sided[row])
        words = "" if share != share else f" {percent_text(share)} of films with such a score are {_STATES[state]}."
        reason = f"{finding} is labeled {_STATES[1 - state]}, but the report says {_STATES[state]}.{words}"
        yield (-1.0 if share != share else share), LabelIssue("report", reason, (names[column.case[row]],), finding)

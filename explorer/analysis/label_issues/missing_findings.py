"""Finds labels that seem to leave out a finding: absent, though most films scored so are labeled present.

Reports leave out findings far more often than they name one that is not there, so only the labels absent are doubted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.label_issues.eligible_films import EligibleFilms, left_out_words
from explorer.analysis.label_issues.issue import CheckedFinding, LabelIssue, RuleIssues
from explorer.analysis.label_issues.out_of_fold import FOLDS, out_of_fold
from explorer.analysis.performance.performance_table import FindingLine
from explorer.core.figures import percent_rate_text, percent_text
from explorer.core.in_sample import optimistic_centers
from explorer.core.rates import Rate
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.results import Column
    from explorer.store.store import Store

LEAST_PROBABILITY = 0.75
FIRST_CHECKED = 100  # the strongest issues whose precision is counted
TITLE = "Findings that may be missing from the labels"


def missing_findings(
    store: Store, population: Slice, lines: Sequence[FindingLine], names: Sequence[str], limit: int
) -> RuleIssues:
    """Return labels absent that most films with such a score do not have, the most probable findings first.

    `names` are all cases of the cohort in order. Where another label source counts by default, it says how many of the
    first 100 are wrong (`checked`).
    """
    fitted = optimistic_centers(store.model(population.cohort, population.model).origins)
    found: list[tuple[float, LabelIssue]] = []
    looked_at, excluded = [], []
    absent: list[tuple[str, str]] = []
    for line in lines:
        if line.finding == "Normal":
            continue
        column = store.column(population, line.finding)
        eligible = EligibleFilms.of(column, fitted)
        if eligible.too_few:
            excluded.append((line.finding, eligible.too_few))
            continue
        doubted = list(_doubted(line.finding, column, out_of_fold(column, eligible.inside), names))
        absent += [(line.finding, names[row]) for row in column.case[eligible.inside & (column.label == 0)].tolist()]
        found += doubted
        looked_at.append(CheckedFinding(line.finding, eligible.positives, eligible.negatives, len(doubted)))
    found.sort(key=lambda each: -each[0])
    issues = [issue for _, issue in found]
    return RuleIssues(
        "missing",
        TITLE,
        _explanation(population.model, fitted),
        len(issues),
        tuple(issues[:limit]),
        tuple(excluded),
        tuple(looked_at),
        _checked(store, population, issues[:FIRST_CHECKED], absent, names),
    )


def _doubted(
    finding: str, column: Column, probability: np.ndarray, names: Sequence[str]
) -> Iterator[tuple[float, LabelIssue]]:
    for row in np.flatnonzero((column.label == 0) & (probability >= LEAST_PROBABILITY)):
        p = float(probability[row])
        share = f"{percent_text(p)} of other patients' films with such a score"
        reason = f"{finding} is labeled absent, but {share} are labeled present."
        yield p, LabelIssue("missing", reason, (names[column.case[row]],), finding)


def _explanation(model: str, fitted: Sequence[str]) -> str:
    return (
        f"Labeled absent, though at least three quarters of the films that {model} scores so are labeled present. "
        f"The most probable findings come first. Shares are fitted on other patients, {FOLDS - 1} fifths at a time. "
        "Reports often leave a finding out, and rarely invent one: labels present are not doubted here."
        f"{left_out_words(fitted)}"
    )


def _checked(
    store: Store,
    population: Slice,
    first: Sequence[LabelIssue],
    absent: Sequence[tuple[str, str]],
    names: Sequence[str],
) -> str:
    """Return how many of the first issues are wrong by the default source, beside all labels absent; "" without one."""
    source = store.default_source(population.cohort)
    if source is None or population.label_source in (None, source) or not first:
        return ""
    labels = store.labels(population.cohort, source)
    rows, columns = ({name: place for place, name in enumerate(each)} for each in (names, labels.findings))

    def rate(pairs: Sequence[tuple[str, str]]) -> Rate:
        known = [int(labels.labels[rows[case], columns[finding]]) for finding, case in pairs if finding in columns]
        return Rate(sum(label == 1 for label in known), sum(label >= 0 for label in known))

    ours, every = rate([(str(each.finding), each.cases[0]) for each in first]), rate(absent)
    return (
        f"Checked by {source}: of the first {ours.n}, {ours.hits} are wrong, {percent_rate_text(ours)}; of all "
        f"{every.n:,} labels absent, {percent_rate_text(every)}."
    )

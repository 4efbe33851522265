"""Films that are nearly the same and labeled differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from explorer.analysis.cases.neighbors import COPY, Neighbors, neighbors_of
from explorer.analysis.label_issues.issue import LabelIssue, RuleIssues, only
from explorer.core.figures import fixed
from explorer.core.word_lists import and_list
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

MOST_FILMS = 20_000  # that are compared with one another: 200 million pairs
TITLE = "Near-duplicate films with different labels"

Patient = tuple[str | None, str]  # with the center of the film
Labels = dict[str, dict[str, float]]  # by case and finding: 1 present, 0 absent


def near_duplicates(
    store: Store, population: Slice, findings: Sequence[str], names: Sequence[str], limit: int
) -> RuleIssues:
    """Those of the population's films, by the labels of `findings`; `names` are all cases of the cohort in order."""
    films = store.count(population).films
    if films > MOST_FILMS:
        why = (
            f"Not looked for among {films:,} films, because every film is compared with every other. "
            f"Choose {MOST_FILMS:,} films or fewer."
        )
        return RuleIssues("near-duplicate", TITLE, why, 0, ())
    neighbors = neighbors_of(store, population.cohort, population.model)
    if not len(neighbors):
        why = f"Not looked for: {population.model} has no features of these films."
        return RuleIssues("near-duplicate", TITLE, why, 0, ())
    found = _different(neighbors, _labels(store, population, findings, names), store.patients(population.cohort))
    explains = (
        f"Films whose features are at most {fixed(neighbors.copy, 3)} apart (cosine distance), {COPY:g} of the median "
        "distance of a film to its nearest of another patient: one film saved twice, or nearly so."
    )
    return RuleIssues("near-duplicate", TITLE, explains, len(found), tuple(found[:limit]))


def _different(neighbors: Neighbors, labels: Labels, patients: Mapping[str, Patient]) -> list[LabelIssue]:
    found = []
    for one, other, apart in neighbors.copies(labels):
        differ = [name for name, label in labels[one].items() if labels[other].get(name, label) != label]
        if differ:
            whose = _whose(patients[one], patients[other])
            said = f"{and_list(differ)} labeled present on one and absent on the other."
            reason = f"Distance {fixed(apart, 3)}, {whose}, but {said}"
            found.append(LabelIssue("near-duplicate", reason, (one, other), only(differ)))
    return found


def _whose(one: Patient, other: Patient) -> str:
    if one[0] and one[0] == other[0]:
        return "of one patient"
    if one[1] != other[1]:
        return "of two centers"  # whose patients nobody has compared
    return "of different patients" if one[0] and other[0] else "of patients not known"


def _labels(store: Store, population: Slice, findings: Sequence[str], names: Sequence[str]) -> Labels:
    labels: Labels = {}
    for finding in findings:
        column = store.column(population, finding)
        for film, label in zip(column.case.tolist(), column.label.tolist(), strict=True):
            if label == label:
                labels.setdefault(names[film], {})[finding] = label
    return labels

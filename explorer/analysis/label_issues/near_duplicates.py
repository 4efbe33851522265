"""Finds nearly identical films with different labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from explorer.analysis.cases.neighbors import COPY_FRACTION, Neighbors, neighbors_of
from explorer.analysis.label_issues.issue import LabelIssue, RuleIssues, single_finding
from explorer.core.figures import fixed
from explorer.core.word_lists import and_list
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

MAX_COMPARED_FILMS = 20_000  # compared pairwise: 200 million pairs
NEAR_DUPLICATES_TITLE = "Near-duplicate films with different labels"

PatientOfFilm = tuple[str | None, str]  # with the film's center
LabelsByCase = dict[str, dict[str, float]]  # label by case and finding: 1 present, 0 absent


def near_duplicates(
    store: Store, population: Slice, findings: Sequence[str], names: Sequence[str], limit: int
) -> RuleIssues:
    """Return near-duplicates in the population whose labels of `findings` differ; `names` are all cases in order."""
    films = store.count(population).films
    if films > MAX_COMPARED_FILMS:
        why = (
            f"Not searched among {films:,} films, because every film is compared with every other. "
            f"Choose {MAX_COMPARED_FILMS:,} films or fewer."
        )
        return RuleIssues("near-duplicate", NEAR_DUPLICATES_TITLE, why, 0, ())
    neighbors = neighbors_of(store, population.cohort, population.model)
    if not len(neighbors):
        why = f"Not searched: {population.model} has no features of these films."
        return RuleIssues("near-duplicate", NEAR_DUPLICATES_TITLE, why, 0, ())
    found = _different(neighbors, _labels(store, population, findings, names), store.patients(population.cohort))
    explains = (
        f"Films whose features are at most {fixed(neighbors.copy, 3)} apart (cosine distance), {COPY_FRACTION:g} "
        "times the median distance of a film to its nearest of another patient: one film saved twice, or nearly so."
    )
    return RuleIssues("near-duplicate", NEAR_DUPLICATES_TITLE, explains, len(found), tuple(found[:limit]))


def _different(neighbors: Neighbors, labels: LabelsByCase, patients: Mapping[str, PatientOfFilm]) -> list[LabelIssue]:
    found = []
    for one, other, apart in neighbors.copies(labels):
        differ = [name for name, label in labels[one].items() if labels[other].get(name, label) != label]
        if differ:
            patients_words = _patients_words(patients[one], patients[other])
            labels_words = f"{and_list(differ)} labeled present on one and absent on the other."
            reason = f"Distance {fixed(apart, 3)}, {patients_words}, but {labels_words}"
            found.append(LabelIssue("near-duplicate", reason, (one, other), single_finding(differ)))
    return found


def _patients_words(one: PatientOfFilm, other: PatientOfFilm) -> str:
    if one[0] and one[0] == other[0]:
        return "of one patient"
    if one[1] != other[1]:
        return "of two centers"  # their patient identifiers are unrelated
    return "of different patients" if one[0] and other[0] else "of unknown patients"


def _labels(store: Store, population: Slice, findings: Sequence[str], names: Sequence[str]) -> LabelsByCase:
    labels: LabelsByCase = {}
    for finding in findings:
        column = store.column(population, finding)
        for film, label in zip(column.case.tolist(), column.label.tolist(), strict=True):
            if label == label:
                labels.setdefault(names[film], {})[finding] = label
    return labels

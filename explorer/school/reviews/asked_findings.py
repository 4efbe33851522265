"""Which findings a review asks about: those of its model, some by name, or a label set such as CheXpert's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from explorer.core.crosswalk import crosswalk
from explorer.core.finding_words import plain
from explorer.core.findings import FINDINGS, TAXONOMIES, Taxonomy
from explorer.core.word_lists import comma_list, suggestion
from explorer.school.reviews.review import ReviewRefusal

if TYPE_CHECKING:
    from explorer.store.slices import Slice
    from explorer.store.store import Store

NORMAL = ("Normal", "No Finding")  # no finding is named on such a film


def asked_findings(store: Store, chosen: Slice, names: Sequence[str] = (), label_set: str = "") -> tuple[str, ...]:
    """Return the findings that readers may name, without Normal.

    `names` are findings that the cohort or CXR-LT 2026 has, `label_set` the name of a taxonomy, whose labels keep their
    names unless the cohort has the same finding. Without either, the findings that the slice's model scores. Raises
    ReviewRefusal.
    """
    scored = store.model(chosen.cohort, chosen.model).findings
    own = tuple(dict.fromkeys([*scored, *store.labels(chosen.cohort).findings]))
    known = [name for name in dict.fromkeys([*own, *FINDINGS]) if name not in NORMAL]
    for name in names:
        if name not in known:
            raise ReviewRefusal(f"There is no finding {name!r}", suggestion(name, known))
    if names and label_set:
        raise ReviewRefusal("Findings are named twice", "Give findings, or a label set, not both.")
    asked: Iterable[str] = names or (_of_set(_set_named(label_set), own) if label_set else scored)
    return tuple(name for name in dict.fromkeys(asked) if name not in NORMAL)


def unsuggested_note(source: str, listed: Iterable[str], findings: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the findings that a source of suggestions cannot name, because it does not list them."""
    there = set(listed)
    lacking = [name for name in findings if name not in there]
    return (f"Never suggested by {source}: {comma_list(lacking)}. Readers name what they see.",) if lacking else ()


def _set_named(label_set: str) -> Taxonomy:
    found = next((each for each in TAXONOMIES.values() if plain(each.name) == plain(label_set)), None)
    if found is None:
        raise ReviewRefusal(f"There is no label set {label_set!r}", suggestion(label_set, TAXONOMIES))
    return found


def _of_set(labels: Taxonomy, own: Sequence[str]) -> list[str]:
    """Return the labels, by the name of the cohort's same finding where there is one."""
    same = {line.label: line.finding for line in crosswalk(labels, own) if line.relation == "same as"}
    return [same.get(label) or label for label in (*labels.seen, *labels.unseen)]

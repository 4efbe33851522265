"""Which findings a review asks about: those of its model, some by name, or a label set such as CheXpert's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from explorer.core.crosswalk import crosswalk
from explorer.core.finding_words import plain
from explorer.core.findings import FINDINGS, TAXONOMIES
from explorer.core.word_lists import comma_list, suggestion
from explorer.school.reviews.review import ReviewRefusal

if TYPE_CHECKING:
    from explorer.store.slices import Slice
    from explorer.store.store import Store

NORMAL = ("Normal", "No Finding")  # no finding is named on such a film


def asked_findings(store: Store, chosen: Slice, names: Sequence[str] = (), label_set: str = "") -> tuple[str, ...]:
    """Return the findings that readers may name, without Normal.

    With `label_set`, a taxonomy's name, they are its labels, otherwise what the slice's model scores. `names` are some
    of the set's or, without one, any that the cohort or CXR-LT 2026 has. Raises ReviewRefusal.
    """
    own = _own_findings(store, chosen)
    usual = _of_set(label_set, own) if label_set else _without_normal(store.model(chosen.cohort, chosen.model).findings)
    known = usual if label_set else _without_normal([*own, *FINDINGS])
    for name in names:
        if name not in known:
            raise ReviewRefusal(f"There is no finding {name!r}", suggestion(name, known))
    return tuple(dict.fromkeys(names)) or usual


def label_sets(store: Store, chosen: Slice) -> dict[str, tuple[str, ...]]:
    """Return the findings that readers may name of each label set, by its name."""
    own = _own_findings(store, chosen)
    return {name: _of_set(name, own) for name in TAXONOMIES}


def _own_findings(store: Store, chosen: Slice) -> tuple[str, ...]:
    """Return the findings that the slice's model scores, then others that its cohort labels."""
    scored = store.model(chosen.cohort, chosen.model).findings
    return tuple(dict.fromkeys([*scored, *store.labels(chosen.cohort).findings]))


def _of_set(label_set: str, own: Sequence[str]) -> tuple[str, ...]:
    """Return a taxonomy's labels; one keeps its name unless the finding is among `own`. Raises ReviewRefusal."""
    labels = next((each for each in TAXONOMIES.values() if plain(each.name) == plain(label_set)), None)
    if labels is None:
        raise ReviewRefusal(f"There is no label set {label_set!r}", suggestion(label_set, TAXONOMIES))
    same = {line.label: line.finding for line in crosswalk(labels, own) if line.relation == "same as"}
    return _without_normal(same.get(label) or label for label in (*labels.seen, *labels.unseen))


def unsuggested_note(source: str, listed: Iterable[str], findings: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the findings that a source of suggestions cannot name, because it does not list them."""
    there = set(listed)
    lacking = [name for name in findings if name not in there]
    return (f"Never suggested by {source}: {comma_list(lacking)}. Readers name what they see.",) if lacking else ()


def _without_normal(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(names) if name not in NORMAL)

"""Whether a cohort's films are simulated, and the first cohort of the other kind, which is one click away."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from explorer.cohorts.manifest import COMING, Manifest
from explorer.cohorts.unlisted import is_unlisted
from explorer.core.word_lists import quantity
from explorer.ui.shared.links import cohort_id

if TYPE_CHECKING:
    from explorer.store.store import Store


class OtherCohortPayload(TypedDict):
    """A cohort, and the address's word for it."""

    word: str
    name: str


class ProvenancePayload(TypedDict):
    """`other` is null where all cohorts that a model has scored are of one kind; `passing` says of films that go with
    the page what becomes of them.
    """

    simulated: bool
    other: OtherCohortPayload | None
    passing: str


def provenance_payload(store: Store, cohort: str) -> ProvenancePayload:
    """Of one cohort."""
    simulated = store.is_simulated(cohort)
    others = (each.name for each in store.cohorts() if each.simulated != simulated and store.models(each.name))
    other = next(others, None)
    return {
        "simulated": simulated,
        "other": {"word": cohort_id(other), "name": other} if other else None,
        "passing": _passing(store.cohort(cohort)) if is_unlisted(cohort) else "",
    }


def _passing(cohort: Manifest) -> str:
    """What its visitor should know of an unlisted cohort."""
    coming = cohort.counts.get(COMING, 0)
    so_far = f" {quantity(coming, 'file')} still to be read: when they are, all films are here." if coming else ""
    return f"Films that were dropped on Read. They go with that page, unless they are kept as a cohort there.{so_far}"

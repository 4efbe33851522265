"""Whether a cohort's films are simulated, and the first cohort of the other kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from explorer.cohorts.manifest import COMING, Manifest
from explorer.cohorts.unlisted import is_unlisted
from explorer.core.word_lists import quantity
from explorer.ui.shared.links import cohort_id

if TYPE_CHECKING:
    from explorer.store.store import Store


class OtherCohortPayload(TypedDict):
    """A cohort and its address word."""

    word: str
    name: str


class ProvenancePayload(TypedDict):
    """The provenance of a cohort's films.

    `other` is null if all scored cohorts are of one kind; `passing` warns that films dropped on Read are temporary.
    """

    simulated: bool
    other: OtherCohortPayload | None
    passing: str


def provenance_payload(store: Store, cohort: str) -> ProvenancePayload:
    """The provenance of one cohort."""
    simulated = store.is_simulated(cohort)
    others = (each.name for each in store.cohorts() if each.simulated != simulated and store.models(each.name))
    other = next(others, None)
    return {
        "simulated": simulated,
        "other": {"word": cohort_id(other), "name": other} if other else None,
        "passing": _unlisted_note(store.cohort(cohort)) if is_unlisted(cohort) else "",
    }


def _unlisted_note(cohort: Manifest) -> str:
    """The note about an unlisted cohort that its visitor sees."""
    coming = cohort.counts.get(COMING, 0)
    so_far = f" {quantity(coming, 'file')} not read yet." if coming else ""
    return (
        f"These films were dropped on Read. They are removed with that page unless you keep them as a cohort.{so_far}"
    )

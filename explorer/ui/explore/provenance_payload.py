"""Whether a cohort's films are simulated, and the first cohort of the other kind, which is one click away."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from explorer.ui.explore.links import cohort_id

if TYPE_CHECKING:
    from explorer.store.store import Store


class OtherCohortPayload(TypedDict):
    """A cohort, and the address's word for it."""

    word: str
    name: str


class ProvenancePayload(TypedDict):
    """`other` is null where all cohorts that a model has scored are of one kind."""

    simulated: bool
    other: OtherCohortPayload | None


def provenance_payload(store: Store, cohort: str) -> ProvenancePayload:
    """Of one cohort."""
    cohorts = store.cohorts()
    simulated = any(each.simulated for each in cohorts if each.name == cohort)
    others = (each.name for each in cohorts if each.simulated != simulated and store.models(each.name))
    other = next(others, None)
    return {"simulated": simulated, "other": {"word": cohort_id(other), "name": other} if other else None}

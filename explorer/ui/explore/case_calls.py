"""What the case view asks: place in the slice, facts, film, masks, maps, nearest cases.

The script asks for facts, masks, maps and nearest cases only when they may be seen: while labels are hidden, once they
are revealed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from explorer.analysis.cases.case_facts import facts_of
from explorer.analysis.cases.cohort_context import alike
from explorer.analysis.cases.neighbors import neighbors_of
from explorer.cohorts.film_source import FilmSource, NoFilm, masks_of
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.runtime.cached_per_owner import remembered
from explorer.simulator import WrongRequest
from explorer.store.results import Case
from explorer.store.slices import Slice
from explorer.ui.explore.case_film import (
    CaseFilmPayload,
    MapsPayload,
    MissingFilmPayload,
    NoMapsPayload,
    film_answer,
    maps_answer,
    missing_film,
)
from explorer.ui.explore.case_payload import (
    FactsPayload,
    NearCasesPayload,
    NoNearCasesPayload,
    facts_payload,
    near_payload,
)
from explorer.ui.explore.case_place import ElsewherePlacePayload, PlacePayload, place_payload
from explorer.ui.explore.case_sql import case_sql
from explorer.ui.explore.film_order import order_of
from explorer.ui.shared.links import State, nearest, not_followed
from explorer.ui.shared.refusals import RefusedPayload, refused
from explorer.ui.shared.request_values import state_in
from explorer.ui.shared.services import Services
from explorer.ui.viewer.mask_payload import MaskPayload, masks_payload
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

REFUSALS = (Refusal, WrongRequest)
NO_CASE: RefusedPayload = {
    "stage": "refused",
    "title": "This case is not in the cohort",
    "detail": "The link belongs to another cohort or an older version of it. Close the case and choose one from the "
    "gallery.",
}


class MasksPayload(TypedDict):
    """Where the findings of a film are, and who says so."""

    stage: Literal["masks"]
    masks: list[MaskPayload]
    source: str


def calls(services: Services) -> list[Callable[[object], object]]:
    """What the script may ask. Each takes {state, case} and answers with a stage; a refusal says why."""
    return [_call(services, each) for each in (case_place, case_facts, case_film, case_masks, case_maps, case_near)]


@dataclass(frozen=True, slots=True)
class CaseCall:
    """A case of a slice's cohort, the state that came with it, and the findings that maps are asked for; None: all."""

    services: Services
    slice: Slice
    case: Case
    state: State
    findings: tuple[str, ...] | None = None

    @property
    def cohort(self) -> Manifest:
        return self.services.store.cohort(self.slice.cohort)

    @property
    def model(self) -> ModelManifest:
        return self.services.store.model(self.slice.cohort, self.slice.model)

    @property
    def film(self) -> FilmSource | None:
        """None where it is not here."""
        return self.services.images.film(self.case.root, self.case.file)


def case_place(asked: CaseCall) -> PlacePayload | ElsewherePlacePayload:
    """Which of the slice's films it is, and those beside it."""
    return place_payload(order_of(asked.services, asked.slice, asked.state), asked.case.case, asked.state)


def case_facts(asked: CaseCall) -> FactsPayload:
    """What is known of the case: scores, outcomes, labels, boxes, SQL."""
    store, cohort = asked.services.store, asked.cohort
    groups = store.groups(cohort.name, asked.slice.model, asked.slice.source)
    known = None if asked.slice.lasso is None else store.film_map(cohort.name, asked.slice.model)
    place = None if known is None else known.place(asked.case.case)
    facts = facts_of(asked.case, store.models(cohort.name), asked.slice, groups, place, cohort.relations)
    sql = case_sql(store, asked.slice, asked.case.case)
    return facts_payload(facts, cohort, asked.slice, groups, sql, here=asked.film is not None)


def case_film(asked: CaseCall) -> CaseFilmPayload | MissingFilmPayload:
    """The film for the viewer, or what stands in its place."""
    case, source = asked.case, asked.film
    if source is None:
        return missing_film(asked.cohort.name, case.root, given=asked.services.images.has(case.root))
    return film_answer(source, case.view)


def case_masks(asked: CaseCall) -> MasksPayload:
    """Where the findings of the film are, exactly; only simulated films have that."""
    masks = masks_of(asked.cohort, asked.film)
    return {"stage": "masks", "masks": masks_payload(masks), "source": "exact, drawn by the simulator with the film"}


def case_maps(asked: CaseCall) -> MapsPayload | NoMapsPayload:
    """Maps of some findings by the model that scored the cohort, if the page has it."""
    masks, reader = masks_of(asked.cohort, asked.film), asked.services.reader(asked.cohort.name)
    return maps_answer(film_of(asked), reader, asked.model, asked.case.center, masks, asked.findings)


def case_near(asked: CaseCall) -> NearCasesPayload | NoNearCasesPayload:
    """The other films of the study, and the nearest cases by the features of the slice's model."""
    store, (cohort, model) = asked.services.store, (asked.slice.cohort, asked.slice.model)
    near = neighbors_of(store, cohort, model).of_case(asked.case.case)
    found = alike(store, cohort, model, near)
    return near_payload(cohort, model, found, asked.services.images, asked.case.same_study)


def film_of(asked: CaseCall) -> FilmSource:
    """The film of the case; raises NoFilm."""
    if asked.film is None:
        raise NoFilm("The film is no longer there", "Check its folder, then open the case again.")
    return asked.film


def _call(services: Services, answer: Callable[[CaseCall], object]) -> Callable[[object], object]:
    """A function with the same name that reads what the script sent, and tells a refusal."""

    def call(sent: object) -> object:
        try:
            asked = asked_of(services, sent)
            return NO_CASE if asked is None else answer(asked)
        except REFUSALS as refusal:
            return refused(refusal)

    call.__name__ = answer.__name__
    return call


def asked_of(services: Services, sent: object) -> CaseCall | None:
    """The case of {state, case}; None where the cohort has no such case. Raises as links and stores do."""
    store, state = services.store, state_in(sent)
    understood = nearest(store, state)
    if understood.complaints and store.left_out():  # else another model would answer for the damaged one
        raise not_followed(store, understood)
    chosen = understood.slice
    named = sent.get("case") if isinstance(sent, Mapping) else None
    versions = tuple(store.version(chosen.cohort, each.model) for each in store.models(chosen.cohort))
    case = _case(store, chosen.cohort, named, versions) if isinstance(named, str) else None
    return None if case is None else CaseCall(services, chosen, case, state, _findings(sent))


def _findings(sent: object) -> tuple[str, ...] | None:
    wanted = sent.get("findings") if isinstance(sent, Mapping) else None
    return tuple(each for each in wanted if isinstance(each, str)) if isinstance(wanted, list) else None


@remembered(64)  # a visitor who opens a case asks six times about it
def _case(store: Store, cohort: str, opaque_id: str, versions: tuple[str, ...]) -> Case | None:
    """The case with this id; None where the cohort has no such case."""
    name = store.case_named(cohort, opaque_id)
    return None if name is None else store.case(cohort, name)

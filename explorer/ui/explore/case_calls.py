"""The calls of the case view: place in the slice, facts, film, masks, maps, nearest cases.

While labels are hidden, the script requests facts, masks, maps and nearest cases only once they are revealed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from explorer.analysis.cases.case_facts import collect_case_facts
from explorer.analysis.cases.cohort_context import similar_cases
from explorer.analysis.cases.neighbors import neighbors_of
from explorer.cohorts.film_source import FilmSource, NoFilm, masks_of
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.cohorts.unlisted import public_name
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.simulator import WrongRequest
from explorer.store.results import Case
from explorer.store.slices import Slice
from explorer.store.sql_literals import filled
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
    OtherModelsPayload,
    facts_payload,
    near_cases_payload,
    other_models_payload,
)
from explorer.ui.explore.case_place import NotOnPagePayload, PlacePayload, place_payload
from explorer.ui.explore.case_votes import label_votes
from explorer.ui.explore.film_order import film_order
from explorer.ui.explore.report_payload import CaseReportPayload, NoReportPayload, report_payload
from explorer.ui.shared.links import LinkState, resolve_link, unresolved_link
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
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
    """The masks of a film's findings, and their source."""

    stage: Literal["masks"]
    masks: list[MaskPayload]
    source: str


def calls(services: Services) -> list[Callable[[object], object]]:
    """The script's calls. Each takes {state, case} and returns a payload with a stage, or a refusal."""
    return [_call(services, each) for each in _CALLS]


@dataclass(frozen=True, slots=True)
class CaseRequest:
    """A case of a slice's cohort, the state sent with it, and the findings whose maps are wanted; None: all."""

    services: Services
    slice: Slice
    case: Case
    state: LinkState
    findings: tuple[str, ...] | None = None

    @property
    def cohort(self) -> Manifest:
        return self.services.store.cohort(self.slice.cohort)

    @property
    def model(self) -> ModelManifest:
        return self.services.store.model(self.slice.cohort, self.slice.model)

    @property
    def film(self) -> FilmSource | None:
        """The case's film; None if it is not here."""
        return self.services.images.film(self.case.root, self.case.file)


def case_place(request: CaseRequest) -> PlacePayload | NotOnPagePayload:
    """The case's position among the slice's films, and its neighbors."""
    return place_payload(film_order(request.services, request.slice, request.state), request.case.case, request.state)


def case_facts(request: CaseRequest) -> FactsPayload:
    """Everything known about the case: the model's scores, outcomes, labels, boxes, SQL."""
    store, cohort = request.services.store, request.cohort
    groups = store.groups(cohort.name, request.slice.model, request.slice.source)
    known = None if request.slice.lasso is None else store.film_map(cohort.name, request.slice.model)
    place = None if known is None else known.place(request.case.case)
    models = store.models(cohort.name)
    facts = collect_case_facts(request.case, models, request.slice, groups, place, cohort.relations)
    sql = _case_sql(store, request.slice, request.case.case)
    others = len(store.model_names(cohort.name)) - 1
    here, votes = request.film is not None, label_votes(cohort.name, request.case.case, facts.labels)
    return facts_payload(facts, cohort, request.slice, groups, sql, others=others, here=here, votes=votes)


def case_others(request: CaseRequest) -> OtherModelsPayload:
    """The scores of all models but the slice's."""
    store, cohort = request.services.store, request.cohort
    groups = store.groups(cohort.name, request.slice.model, request.slice.source)
    case = store.case(cohort.name, request.case.case) or request.case
    return other_models_payload(collect_case_facts(case, store.models(cohort.name), request.slice, groups), groups)


def case_film(request: CaseRequest) -> CaseFilmPayload | MissingFilmPayload:
    """The film for the viewer, or why it is missing."""
    case, source = request.case, request.film
    if source is None:
        return missing_film(request.cohort.name, case.root, given=request.services.images.has(case.root))
    return film_answer(source, case.view)


def case_masks(request: CaseRequest) -> MasksPayload:
    """The exact masks of a simulated film; real films have none."""
    masks = masks_of(request.cohort, request.film)
    return {"stage": "masks", "masks": masks_payload(masks), "source": "exact, drawn by the simulator with the film"}


def case_maps(request: CaseRequest) -> MapsPayload | NoMapsPayload:
    """Heat maps of some findings by the model that scored the cohort, if the page has loaded it."""
    masks, reader = masks_of(request.cohort, request.film), request.services.reader(request.cohort.name)
    return maps_answer(existing_film(request), reader, request.model, request.case.center, masks, request.findings)


def case_report(request: CaseRequest) -> CaseReportPayload | NoReportPayload:
    """The report of the case, with what was read in it."""
    return report_payload(request.services.store.report(request.slice.cohort, request.case.case))


def case_near(request: CaseRequest) -> NearCasesPayload | NoNearCasesPayload:
    """The other films of the study, and the nearest cases by the features of the slice's model."""
    store, (cohort, model) = request.services.store, (request.slice.cohort, request.slice.model)
    near = neighbors_of(store, cohort, model).of_case(request.case.case)
    found = similar_cases(store, cohort, model, near)
    services = request.services
    counted = services.store.counted(cohort)
    return near_cases_payload(cohort, model, found, services.images, request.case.same_study, counted)


def existing_film(request: CaseRequest) -> FilmSource:
    """The film of the case. Raises NoFilm."""
    if request.film is None:
        raise NoFilm("The film is no longer there", "Check its folder, then open the case again.")
    return request.film


def _call(services: Services, answer: Callable[[CaseRequest], object]) -> Callable[[object], object]:
    """Wrap a function, under the same name, to parse the script's argument and return refusals."""

    def call(sent: object) -> object:
        try:
            request = case_request(services, sent)
            return NO_CASE if request is None else answer(request)
        except REFUSALS as refusal:
            return refusal_payload(refusal)

    call.__name__ = answer.__name__
    return call


def case_request(services: Services, sent: object) -> CaseRequest | None:
    """The case of {state, case}; None if the cohort has no such case. Raises the errors of links and stores."""
    store, state = services.store, state_in(sent)
    understood = resolve_link(store, state)
    if understood.complaints and store.left_out():  # otherwise another model would stand in for a damaged one
        raise unresolved_link(store, understood)
    chosen = understood.slice
    named = sent.get("case") if isinstance(sent, Mapping) else None
    models = (chosen.model,) if chosen.against is None else (chosen.model, chosen.against)
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    case = _case(store, chosen.cohort, named, models, versions) if isinstance(named, str) else None
    return None if case is None else CaseRequest(services, chosen, case, state, _findings(sent))


def _findings(sent: object) -> tuple[str, ...] | None:
    wanted = sent.get("findings") if isinstance(sent, Mapping) else None
    return tuple(each for each in wanted if isinstance(each, str)) if isinstance(wanted, list) else None


@cached_per_owner(64)  # opening a case makes seven calls about it
def _case(store: Store, cohort: str, opaque_id: str, models: tuple[str, ...], versions: tuple[str, ...]) -> Case | None:
    """The case with this id, and its scores by these models; None if the cohort has no such case."""
    name = store.case_named(cohort, opaque_id)
    return None if name is None else store.case(cohort, name, models)


_CALLS = (case_place, case_facts, case_others, case_film, case_masks, case_maps, case_report, case_near)


def _case_sql(store: Store, chosen: Slice, case: str) -> str:
    """A DuckDB statement, with its values, for the cohort's folder. Raises the store's errors."""
    everything = Slice(chosen.cohort, chosen.model, label_source=chosen.label_source, uncertain=chosen.uncertain)
    sql, values = store.sql(everything)
    whole = f'SELECT * FROM (\n{sql}\n) WHERE "case" = ?;'
    return f"-- DuckDB, in the folder of {public_name(chosen.cohort)}\n{filled(whole, [*values, case])}\n"

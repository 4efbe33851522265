"""The calls of Explore's frame: a page of films with the slice's sentence, counts for its filters, an export.

While labels are hidden, only `slice_reveal` reveals labels, scores or outcomes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

from explorer.analysis.exports.error_figure import FIGURE_FILMS, FigureRequest, error_figure
from explorer.analysis.exports.slice_export import EXPORT_KINDS, Export, export_slice
from explorer.analysis.performance.explained_mistakes import ExplainedMistakes, explained_mistakes
from explorer.analysis.thresholds.table import thresholds_words
from explorer.cohorts.counted import CASES, Counted, case_words, cases_text, counted_by
from explorer.core.groups import missing_groups_note
from explorer.store.filter_kinds import Choice
from explorer.store.filter_registry import FILTERS, READ_AS
from explorer.store.marked import marks_version
from explorer.store.results import StoreError
from explorer.store.slices import Slice
from explorer.ui.explore.case_film import decode_film
from explorer.ui.explore.empty_slice import NothingPayload, nothing_payload
from explorer.ui.explore.film_order import PER_PAGE, FilmOrder, RankedByText, film_order, ranking_text
from explorer.ui.explore.film_tiles import TilePayload, missing_root
from explorer.ui.explore.order_words import AskedOrderPayload, film_items, order_sentence, worth_payload
from explorer.ui.explore.provenance_payload import ProvenancePayload, provenance_payload
from explorer.ui.shared.facets import FacetsByWord, facets_payload, model_options, uncertain_words
from explorer.ui.shared.film_line import HiddenFilmPayload
from explorer.ui.shared.links import (
    SLICE_ADDRESS_WORDS,
    LinkState,
    ResolvedLink,
    opening_slice,
    resolve_link,
    resolve_slice,
    slice_words,
)
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal, refusal_payload
from explorer.ui.shared.request_values import ONE_BILLION, state_in, string_set, value_in, whole_number
from explorer.ui.shared.services import Services
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

ScriptCall = Callable[[object], object]
WordChanges = Mapping[str, str | None]  # of an address; null removes a word
FIGURE_KIND = "figure"
MAX_TRIES = 5  # attempts while the cohort's files change
MAX_COUNTED_VALUES = 100  # values of a filter that are counted individually
# Filters with counted values: optional ones with single values, not ranges or pairs, that leave out films.
COUNTED_FILTERS = {
    each.key: each for each in FILTERS if isinstance(each, Choice) and not each.needed and each not in READ_AS
}


class ExplainedPayload(TypedDict):
    """How many mistakes a related finding explains, in words, and the state changes that show these films."""

    words: str
    changes: WordChanges


class PagePayload(ProvenancePayload):
    """A page of a slice's films.

    `counted` says what its cases are. `changes` are the words of the state to replace; `missing` names an image folder
    that was not supplied. `explained`: mistakes that a broader or narrower finding explains. `thresholds` says which
    ones are in force, `uncertain` how uncertain labels count, where there are some. `left_out`: files that are
    unreadable or unused. `facets` and their version are sent only if the script's are outdated.
    """

    stage: Literal["slice"]
    changes: WordChanges
    complaints: list[str]
    sentence: str
    counted: Counted
    films: int
    page: int
    pages: int
    items: Sequence[TilePayload | HiddenFilmPayload]
    missing: str | None
    explained: list[ExplainedPayload]
    thresholds: str
    uncertain: str
    left_out: Sequence[str]
    nothing: NothingPayload | None
    facets: NotRequired[FacetsByWord]
    facets_version: NotRequired[str]
    filtered: NotRequired[bool]  # while labels are hidden: whether revealing filters are set


class AlternativesPayload(TypedDict):
    """The cohorts and models that have films, and the files left out."""

    facets: NotRequired[FacetsByWord]
    changes: NotRequired[WordChanges]
    left_out: Sequence[str]


class NoPagePayload(RefusedPayload, AlternativesPayload):
    """Why there is no page, and which cohorts and models have films."""


class PreparingPayload(NoPagePayload):
    """The cohort is being prepared, and so much of it is done."""

    share: float


class CountsPayload(TypedDict):
    """How many films the slice would have with each value of a filter, by the value's word."""

    stage: Literal["counts"]
    films: dict[str, int]


class RevealedFilmsPayload(TypedDict):
    """Films that were hidden, now with all details."""

    stage: Literal["revealed"]
    items: Sequence[TilePayload | HiddenFilmPayload]


class ExportedFilePayload(TypedDict):
    """A file to save: its name, its media type, and its bytes in base 64."""

    stage: Literal["export"]
    name: str
    type: str
    data: str


def calls(services: Services) -> list[ScriptCall]:
    """The script's calls, each with one argument: the state and more values."""

    def slice_page(sent: object) -> PagePayload | PreparingPayload | NoPagePayload:
        state = state_in(sent)
        try:
            return _preparing(services.store, state) or page_payload(services, state, value_in(sent, "known"))
        except Refusal as refusal:
            return {**refusal_payload(refusal), **alternatives(services.store, state)}

    def slice_counts(sent: object) -> CountsPayload | RefusedPayload:
        return answer_or_refusal(lambda: _counts(services.store, state_in(sent), value_in(sent, "key")))

    def slice_reveal(sent: object) -> RevealedFilmsPayload | RefusedPayload:
        return answer_or_refusal(lambda: _revealed(services, state_in(sent), value_in(sent, "cases")))

    def slice_export(sent: object) -> ExportedFilePayload | RefusedPayload:
        return answer_or_refusal(lambda: _exported(services, state_in(sent), value_in(sent, "kind")))

    def slice_asked(sent: object) -> AskedOrderPayload | RefusedPayload:
        return answer_or_refusal(
            lambda: worth_payload(services, resolve_link(services.store, state_in(sent)).slice, state_in(sent))
        )

    return [slice_page, slice_counts, slice_reveal, slice_export, slice_asked]


def _preparing(store: Store, state: LinkState) -> PreparingPayload | None:
    """How far a large cohort is prepared that was never opened before."""
    chosen = opening_slice(store, state)
    share = store.preparing(chosen.cohort, chosen.model)
    if share is None and state.get("uncertain"):  # tables of their own; its other words can be read now
        chosen = resolve_link(store, state).slice
        share = store.preparing(chosen.cohort, chosen.model, chosen.policy)
    if share is None:
        return None
    about = store.cohort(chosen.cohort)
    counted = counted_by(about)
    return {
        "stage": "refused",
        "title": f"Preparing {cases_text(about.cases, counted)}",
        "detail": f"Once for each model: {CASES[counted].lower()} are sorted by how wrong it is about them. Then the "
        "cohort opens at once.",
        "share": share,
        **alternatives(store, state),
    }


def alternatives(store: Store, state: LinkState) -> AlternativesPayload:
    """The cohorts and models to choose from if the state's own are unavailable."""
    try:
        begin = opening_slice(store, state)
        words = slice_words(begin)
        changes = (
            words if not any(map(state.get, SLICE_ADDRESS_WORDS)) else {key: words[key] for key in ("cohort", "model")}
        )
        return {"facets": model_options(store, begin), "changes": changes, "left_out": store.left_out()}
    except Refusal:
        return {"left_out": store.left_out()}


def page_payload(services: Services, state: LinkState, known: object) -> PagePayload:
    """A page of the slice's films, their number, and necessary changes of the state.

    Films, counts and filters come from one version of the files: if files change meanwhile, everything is read again.
    """
    for _ in range(MAX_TRIES):
        understood = resolve_link(services.store, state)
        version = _version(services, understood.slice, state)
        answer = _page(services, state, understood, known=known, version=version)
        if _version(services, understood.slice, state) == version:
            return answer
    raise StoreError("The cohort is being changed", "Its files changed each time they were read. Try again.")


def _page(
    services: Services, state: LinkState, understood: ResolvedLink, *, known: object, version: str
) -> PagePayload:
    store, hidden, chosen = services.store, bool(state.get("hide")), understood.slice
    order = film_order(services, chosen, state)
    count = order.films
    pages = -(-count // PER_PAGE)
    number, complaints = _page_number(state.get("page"), pages, understood)
    if chosen.group is not None and not hidden:
        complaints += filter(
            None, [missing_groups_note(store.groups(chosen.cohort, chosen.model, chosen.source), chosen.source)]
        )
    ranked = order.page(number) if count else ()
    provenance, counted = provenance_payload(store, chosen.cohort), store.counted(chosen.cohort)
    answer: PagePayload = {
        "stage": "slice",
        "changes": _changes(state, chosen, number),
        "complaints": complaints,
        "sentence": order_sentence(store, order, hidden=hidden),
        "counted": counted,
        "films": count,
        "page": number,
        "pages": pages,
        "items": film_items(services, order, number, ranked, hidden=hidden),
        "missing": missing_root(services.images, ranked),
        "explained": [] if hidden else [_explained(each, counted) for each in explained_mistakes(store, chosen)],
        "thresholds": thresholds_words(store, chosen),
        "uncertain": "" if hidden else uncertain_words(store, chosen),
        "simulated": provenance["simulated"],
        "other": provenance["other"],
        "passing": provenance["passing"],
        "left_out": [*store.left_out(), *store.unchecked(chosen.cohort, chosen.model)],
        "nothing": None if count else nothing_payload(store, chosen, hidden=hidden),
    }
    facets_of = f"{version} {hidden} {marks_version(store.marks(chosen.cohort))}"
    if known != facets_of:
        answer["facets"] = facets_payload(store, chosen, hidden=hidden)
        answer["facets_version"] = facets_of
    return answer


def _explained(found: ExplainedMistakes, counted: Counted) -> ExplainedPayload:
    words, changed = case_words(found.words(), counted), slice_words(found.slice)
    return {"words": words, "changes": {name: changed.get(name) for name in SLICE_ADDRESS_WORDS}}


def _version(services: Services, chosen: Slice, state: LinkState) -> str:
    """A version that changes with the files behind an answer about the slice."""
    store, models = services.store, [chosen.model, *([chosen.against] if chosen.against else [])]
    asker = services.asker(chosen.cohort)
    if asker is not None and ranking_text(state) is not None:
        ranking_model = asker.card.name.lower()
        models += [each.model for each in store.models(chosen.cohort) if each.model == ranking_model]
    return " ".join(store.version(chosen.cohort, model) for model in models)


def _page_number(sent: object, pages: int, understood: ResolvedLink) -> tuple[int, list[str]]:
    """The page, counted from 1, at most the last one."""
    complaints = list(understood.complaints)
    number = whole_number(sent, 1)
    last = max(pages, 1)
    if not 1 <= number <= last:
        complaints.append(f"Page {number} no longer exists. This is the last one.")
    return min(max(number, 1), last), complaints


def _changes(state: LinkState, chosen: Slice, number: int) -> WordChanges:
    """The words of the state to replace."""
    words = slice_words(chosen) | ({"page": str(number)} if number > 1 else {})
    return {
        name: words.get(name) for name in (*SLICE_ADDRESS_WORDS, "page", "broken") if state.get(name) != words.get(name)
    }


def _counts(store: Store, state: LinkState, key: object) -> CountsPayload:
    chosen, hidden = resolve_slice(store, state), bool(state.get("hide"))
    counted = COUNTED_FILTERS.get(key) if isinstance(key, str) else None
    if counted is None or (hidden and counted.tells):
        return {"stage": "counts", "films": {}}
    values = facets_payload(store, chosen, hidden=hidden)[counted.key]
    assert isinstance(values, list)  # a choice is never a range
    base, words = slice_words(chosen.without(counted)), [value["word"] for value in values[:MAX_COUNTED_VALUES]]
    slices = {word: resolve_slice(store, base | {counted.key: word}) for word in words if word is not None}
    return {"stage": "counts", "films": {name: store.count(each).films for name, each in slices.items()}}


def _revealed(services: Services, state: LinkState, cases: object) -> RevealedFilmsPayload:
    chosen = resolve_slice(services.store, state)
    wanted = string_set(cases)
    number = _page_number(state.get("page"), ONE_BILLION, ResolvedLink(chosen, ()))[0]
    order = film_order(services, chosen, {**state, "hide": "1"})
    items = film_items(services, order, number, order.page(number), hidden=False)
    return {"stage": "revealed", "items": [item for item in items if item["id"] in wanted]}


def _exported(services: Services, state: LinkState, kind: object) -> ExportedFilePayload:
    if state.get("hide"):
        raise StoreError("Labels and scores are hidden", "Show them first: an export contains them in every line.")
    chosen = resolve_slice(services.store, state)
    order = film_order(services, chosen, state)
    if kind == FIGURE_KIND:
        return _file(_figure(services, state, chosen, order))
    known = kind if isinstance(kind, str) and kind in EXPORT_KINDS else "csv"
    return _file(
        export_slice(services.store, chosen, known, order.ranking if isinstance(order, RankedByText) else None)
    )


def _figure(services: Services, state: LinkState, chosen: Slice, order: FilmOrder) -> Export:
    """Return the first films of the address's page beside their maps, as a picture to print."""
    films = order.page(max(1, whole_number(state.get("page"), 1)))[:FIGURE_FILMS]
    request = FigureRequest(chosen, films, services.reader(chosen.cohort))
    return error_figure(services.store, services.images, request, lambda film: decode_film(film).radiograph)


def _file(file: Export) -> ExportedFilePayload:
    return {
        "stage": "export",
        "name": file.name,
        "type": file.media_type,
        "data": b64encode(file.data).decode("ascii"),
    }

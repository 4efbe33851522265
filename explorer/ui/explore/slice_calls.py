"""What the Explore tab's frame asks: a page of films with the slice's sentence, counts for its filters, an export.

While labels are hidden nothing that tells of labels, scores or outcomes leaves the server but by `slice_reveal`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict, TypeVar

from explorer.analysis.exports.slice_export import KINDS, export_slice
from explorer.analysis.performance.explained_mistakes import ExplainedMistakes, explained_mistakes
from explorer.analysis.thresholds.table import thresholds_words
from explorer.core.groups import no_group_words
from explorer.store.filter_kinds import Choice
from explorer.store.filter_registry import FILTERS
from explorer.store.marked import marks_version
from explorer.store.results import StoreError
from explorer.store.slices import Slice
from explorer.ui.explore.empty_slice import NothingPayload, nothing_payload
from explorer.ui.explore.film_order import PER_PAGE, ByText, asked_text, order_of
from explorer.ui.explore.film_tiles import TilePayload, missing_root
from explorer.ui.explore.order_words import AskedOrderPayload, items_of, order_sentence, worth_payload
from explorer.ui.explore.provenance_payload import ProvenancePayload, provenance_payload
from explorer.ui.shared.facets import Facets, facets_payload, model_options
from explorer.ui.shared.film_line import HiddenFilmPayload
from explorer.ui.shared.links import SLICE_WORDS, State, Understood, chosen, nearest, opening, state_of
from explorer.ui.shared.refusals import RefusedPayload, refused
from explorer.ui.shared.request_values import NINE_DIGITS, state_in, texts, value_in, whole
from explorer.ui.shared.services import Services
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

Payload = TypeVar("Payload")
Call = Callable[[object], object]
Words = Mapping[str, str | None]  # of an address; null: without it
TRIES = 5  # while the files change
MOST_COUNTED = 100  # values of a filter that are counted one by one
# Filters whose values are counted: not what every slice has, no range, no pair of values.
COUNTED = {each.key: each for each in FILTERS if isinstance(each, Choice) and not each.needed}


class ExplainedPayload(TypedDict):
    """How many mistakes a related finding explains, in words, and the changes of the state that show these films."""

    words: str
    changes: Words


class PagePayload(ProvenancePayload):
    """A page of a slice's films.

    `changes` are the words of the state that have to be others; `missing` names the image folder that was not given.
    `explained`: mistakes that a broader or narrower finding explains. `thresholds` says whose are in force. `left_out`:
    files that cannot be read, or are not used. `facets` and their version come where the script has others.
    """

    stage: Literal["slice"]
    changes: Words
    complaints: list[str]
    sentence: str
    films: int
    page: int
    pages: int
    items: Sequence[TilePayload | HiddenFilmPayload]
    missing: str | None
    explained: list[ExplainedPayload]
    thresholds: str
    left_out: Sequence[str]
    nothing: NothingPayload | None
    facets: NotRequired[Facets]
    facets_version: NotRequired[str]
    filtered: NotRequired[bool]  # while labels are hidden: whether filters are that tell of them


class ElsewherePayload(TypedDict):
    """Where else there are films, and what is left out altogether."""

    facets: NotRequired[Facets]
    changes: NotRequired[Words]
    left_out: Sequence[str]


class NoPagePayload(RefusedPayload, ElsewherePayload):
    """Why there is no page, and where else there are films."""


class CountsPayload(TypedDict):
    """How many films the slice would have with each value of a filter, by the value's word."""

    stage: Literal["counts"]
    films: dict[str, int]


class RevealedPayload(TypedDict):
    """Films that were hidden, with everything."""

    stage: Literal["revealed"]
    items: Sequence[TilePayload | HiddenFilmPayload]


class SlicePayload(TypedDict):
    """A file to save: its name, its media type, and its bytes in base 64."""

    stage: Literal["export"]
    name: str
    type: str
    data: str


def calls(services: Services) -> list[Call]:
    """What the frame's script may ask of the server, each with one argument: the state and what else it takes."""

    def slice_page(asked: object) -> PagePayload | NoPagePayload:
        state = state_in(asked)
        try:
            return page_payload(services, state, value_in(asked, "known"))
        except Refusal as refusal:
            return {**refused(refusal), **elsewhere(services.store, state)}

    def slice_counts(asked: object) -> CountsPayload | RefusedPayload:
        return answered(lambda: _counts(services.store, state_in(asked), value_in(asked, "key")))

    def slice_reveal(asked: object) -> RevealedPayload | RefusedPayload:
        return answered(lambda: _revealed(services, state_in(asked), value_in(asked, "cases")))

    def slice_export(asked: object) -> SlicePayload | RefusedPayload:
        return answered(lambda: _exported(services, state_in(asked), value_in(asked, "kind")))

    def slice_asked(asked: object) -> AskedOrderPayload | RefusedPayload:
        return answered(
            lambda: worth_payload(services, nearest(services.store, state_in(asked)).slice, state_in(asked))
        )

    return [slice_page, slice_counts, slice_reveal, slice_export, slice_asked]


def answered(work: Callable[[], Payload]) -> Payload | RefusedPayload:
    """What `work` answers, or its refusal."""
    try:
        return work()
    except Refusal as refusal:
        return refused(refusal)


def elsewhere(store: Store, state: State) -> ElsewherePayload:
    """The cohorts and models to choose from where the films of one are unavailable."""
    try:
        begin = opening(store, state)
        words = state_of(begin)
        changes = words if not any(map(state.get, SLICE_WORDS)) else {key: words[key] for key in ("cohort", "model")}
        return {"facets": model_options(store, begin), "changes": changes, "left_out": store.left_out()}
    except Refusal:
        return {"left_out": store.left_out()}


def page_payload(services: Services, state: State, known: object) -> PagePayload:
    """A page of the slice's films, how many there are, and what of the state had to be changed.

    Films, counts and filters are of one version of the files: where others came in between, all are asked again.
    """
    for _ in range(TRIES):
        understood = nearest(services.store, state)
        version = _version(services, understood.slice, state)
        answer = _page(services, state, understood, known=known, version=version)
        if _version(services, understood.slice, state) == version:
            return answer
    raise StoreError("The cohort is being changed", "Its files changed each time they were read. Try again.")


def _page(services: Services, state: State, understood: Understood, *, known: object, version: str) -> PagePayload:
    store, hidden, asked = services.store, bool(state.get("hide")), understood.slice
    order = order_of(services, asked, state)
    count = order.films
    pages = -(-count // PER_PAGE)
    number, complaints = _page_number(state.get("page"), pages, understood)
    if asked.group is not None and not hidden:
        complaints += filter(
            None, [no_group_words(store.groups(asked.cohort, asked.model, asked.source), asked.source)]
        )
    ranked = order.page(number) if count else ()
    provenance = provenance_payload(store, asked.cohort)
    answer: PagePayload = {
        "stage": "slice",
        "changes": _changes(state, asked, number),
        "complaints": complaints,
        "sentence": order_sentence(store, order, hidden=hidden),
        "films": count,
        "page": number,
        "pages": pages,
        "items": items_of(services, order, number, ranked, hidden=hidden),
        "missing": missing_root(services.images, ranked),
        "explained": [] if hidden else [_explained(each) for each in explained_mistakes(store, asked)],
        "thresholds": thresholds_words(store, asked),
        "simulated": provenance["simulated"],
        "other": provenance["other"],
        "passing": provenance["passing"],
        "left_out": [*store.left_out(), *store.unchecked(asked.cohort, asked.model)],
        "nothing": None if count else nothing_payload(store, asked, hidden=hidden),
    }
    facets_of = f"{version} {hidden} {marks_version(store.marks(asked.cohort))}"
    if known != facets_of:
        answer["facets"] = facets_payload(store, asked, hidden=hidden)
        answer["facets_version"] = facets_of
    return answer


def _explained(found: ExplainedMistakes) -> ExplainedPayload:
    words = state_of(found.slice)
    return {"words": found.words(), "changes": {name: words.get(name) for name in SLICE_WORDS}}


def _version(services: Services, asked: Slice, state: State) -> str:
    """Changes with the files that an answer about the slice is made of."""
    store, models = services.store, [asked.model, *([asked.against] if asked.against else [])]
    asker = services.asker(asked.cohort)
    if asker is not None and asked_text(state) is not None:
        ranks = asker.card.name.lower()
        models += [each.model for each in store.models(asked.cohort) if each.model == ranks]
    return " ".join(store.version(asked.cohort, model) for model in models)


def _page_number(sent: object, pages: int, understood: Understood) -> tuple[int, list[str]]:
    """The page, from 1; the last one where there are fewer."""
    complaints = list(understood.complaints)
    number = whole(sent, 1)
    last = max(pages, 1)
    if not 1 <= number <= last:
        complaints.append(f"There is no page {number} any more. This is the last one.")
    return min(max(number, 1), last), complaints


def _changes(state: State, asked: Slice, number: int) -> Words:
    """The words of the state that have to be others. Of what stays as it is nothing is sent back."""
    words = state_of(asked) | ({"page": str(number)} if number > 1 else {})
    return {name: words.get(name) for name in (*SLICE_WORDS, "page", "broken") if state.get(name) != words.get(name)}


def _counts(store: Store, state: State, key: object) -> CountsPayload:
    asked, hidden = chosen(store, state), bool(state.get("hide"))
    counted = COUNTED.get(key) if isinstance(key, str) else None
    if counted is None or (hidden and counted.tells):
        return {"stage": "counts", "films": {}}
    values = facets_payload(store, asked, hidden=hidden)[counted.key]
    assert isinstance(values, list)  # a choice has no range
    base, words = state_of(asked.without(counted)), [value["word"] for value in values[:MOST_COUNTED]]
    slices = {word: chosen(store, base | {counted.key: word}) for word in words if word is not None}
    return {"stage": "counts", "films": {name: store.count(each).films for name, each in slices.items()}}


def _revealed(services: Services, state: State, cases: object) -> RevealedPayload:
    asked = chosen(services.store, state)
    wanted = texts(cases)
    number = _page_number(state.get("page"), NINE_DIGITS, Understood(asked, ()))[0]
    order = order_of(services, asked, {**state, "hide": "1"})
    items = items_of(services, order, number, order.page(number), hidden=False)
    return {"stage": "revealed", "items": [item for item in items if item["id"] in wanted]}


def _exported(services: Services, state: State, kind: object) -> SlicePayload:
    if state.get("hide"):
        raise StoreError("Labels and scores are hidden", "Show them first: an export contains them in every line.")
    asked = chosen(services.store, state)
    order = order_of(services, asked, state)
    known = kind if isinstance(kind, str) and kind in KINDS else "csv"
    file = export_slice(services.store, asked, known, order.ranking if isinstance(order, ByText) else None)
    return {
        "stage": "export",
        "name": file.name,
        "type": file.media_type,
        "data": b64encode(file.data).decode("ascii"),
    }

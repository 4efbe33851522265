"""The page's filters and the values each accepts: words for the address, names for the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from explorer.cohorts.counted import cases_text, counted_by
from explorer.cohorts.schema import Unit
from explorer.cohorts.unlisted import public_name
from explorer.core.word_lists import quantity
from explorer.store.filter_kinds import Bound, Choices, Kind, Word
from explorer.store.filter_registry import FILTERS, READ_AS
from explorer.store.slices import Slice
from explorer.store.where_words import choices
from explorer.ui.shared.links import PINNED_WORDS, cohort_id, model_id

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest
    from explorer.store.store import Store

_SUBJECTS: tuple[tuple[str, str, str, tuple[Bound, ...], tuple[str, ...]], ...] = (
    (
        "cohort",
        "Cohort",
        "python -m explorer ingest --help explains how to add your own.",
        ("cohort", "model"),
        ("model", *PINNED_WORDS),
    ),
    ("model", "Model", "python -m explorer score --help explains how to add another.", ("model",), ()),
)
"""Key, title and footer; the filters and the other address words that a change of the value invalidates."""


class FilterPayload(TypedDict):
    """The cohort, the model or a filter; `kind` is how its value is chosen, `words` are its address words.

    `tells`: it reveals labels or scores. `needed`: it always has a value. `counted`: its menu says how many films each
    value would leave. `clears`: the address words that a change of
    its value invalidates.
    """

    key: str
    kind: Kind
    title: str
    footer: str
    words: list[str]
    tells: bool
    needed: bool
    counted: bool
    clears: list[str]


class FacetPayload(TypedDict):
    """A value of a filter: its address word, its name, and a note."""

    word: str | None
    name: str
    note: str


class RangePayload(TypedDict):
    """The lowest and highest score of the model, and the filter's title for this model."""

    least: float
    most: float
    unit: Unit
    title: str


FacetsByWord = dict[str, list[FacetPayload] | RangePayload]  # by address word; a range of scores instead of values


def filters_payload() -> list[FilterPayload]:
    """The cohort, the model and the filters, in the page's order."""
    subjects: list[FilterPayload] = [
        {
            "key": key,
            "kind": "list",
            "title": title,
            "footer": footer,
            "words": [key],
            "tells": False,
            "needed": True,
            "counted": False,
            "clears": [*(word.name for each in FILTERS if each.bound_to in bound for word in each.words), *words],
        }
        for key, title, footer, bound, words in _SUBJECTS
    ]
    return subjects + [
        {
            "key": each.key,
            "kind": each.kind,
            "title": each.title,
            "footer": "",
            "words": [word.name for word in each.words],
            "tells": each.tells,
            "needed": each.needed,
            "counted": not each.needed and each not in READ_AS,
            "clears": [],
        }
        for each in FILTERS
    ]


def facets_payload(store: Store, chosen: Slice, *, hidden: bool) -> FacetsByWord:
    """The filter values by address word; while labels are hidden, without filters that would reveal them."""
    known = choices(store, chosen.cohort, chosen.model)
    found = model_options(store, chosen)
    for each in FILTERS:
        if hidden and each.tells:
            continue
        if each.kind == "range":
            found[each.key] = _range(store, chosen, known, each.title)
        elif each.kind != "area":  # an area is drawn, not listed
            note = quantity(_uncertain(known, chosen), "label") if each in READ_AS else ""
            found |= {word.name: _values(word, known, note) for word in each.words}
    return found


def uncertain_words(store: Store, chosen: Slice) -> str:
    """How the slice counts uncertain labels, as a sentence; empty for a source without any."""
    labels = _uncertain(choices(store, chosen.cohort, chosen.model), chosen)
    if not labels:
        return ""
    one = labels == 1
    counted = f"count{'s' * one} as {chosen.uncertain}" if chosen.uncertain else f"{'is' if one else 'are'} left out"
    source = f" by {chosen.label_source}" if chosen.label_source else ""
    return f"{quantity(labels, 'uncertain label')} of this cohort{source} {counted}."


def _uncertain(known: Choices, chosen: Slice) -> int:
    """How many labels of the slice's source are uncertain in its cohort."""
    return known.facets.uncertain.get(chosen.label_source or "", 0)


def model_options(store: Store, chosen: Slice) -> FacetsByWord:
    """The cohorts on offer, and the models of the chosen cohort."""
    return {
        "cohort": [
            _value(
                cohort_id(each.name),
                public_name(each.name),
                f"{cases_text(each.cases, counted_by(each))}{', SIMULATED' if each.simulated else ''}",
            )
            for each in offered_cohorts(store, chosen.cohort)
        ],
        "model": [_value(model_id(chosen.cohort, each.model), each.model) for each in store.models(chosen.cohort)],
    }


def offered_cohorts(store: Store, chosen: str) -> list[Manifest]:
    """The listed cohorts that a model has scored, plus the chosen one."""
    scored = [each for each in store.cohorts() if store.models(each.name)]
    return scored if chosen in (each.name for each in scored) else [*scored, store.cohort(chosen)]


def _values(word: Word, known: Choices, note: str) -> list[FacetPayload]:
    offered = word.offered or word.values
    assert offered is not None
    return [_value(word.write(known.cohort, each), word.title(each), note) for each in offered(known)]


def _range(store: Store, chosen: Slice, known: Choices, title: str) -> RangePayload:
    least, most = known.facets.score or (0.0, 1.0)
    unit = store.model(chosen.cohort, chosen.model).unit
    return {"least": least, "most": most, "unit": unit, "title": range_title(title, unit)}


def range_title(title: str, unit: Unit) -> str:
    """The filter's title; a range of margins is not called a range of scores."""
    return "Margin" if unit == "margin" else title


def _value(sent: str | None, name: str, note: str = "") -> FacetPayload:
    return {"word": sent, "name": name, "note": note}

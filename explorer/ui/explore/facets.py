"""The filters as the script gets them, and what each can be set to: words for the address, names for the eye."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from explorer.cohorts.schema import Unit
from explorer.cohorts.unlisted import shown_name
from explorer.store.filter_kinds import Bound, Choices, ScoreRange, Word
from explorer.store.filter_registry import FILTERS
from explorer.store.lasso_filter import LASSO
from explorer.store.slices import Slice
from explorer.store.where_words import choices
from explorer.ui.explore.links import cohort_id, model_id

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest
    from explorer.store.store import Store

_SUBJECTS = (
    ("cohort", "Cohort", "python -m explorer ingest --help explains how to add your own."),
    ("model", "Model", "python -m explorer score --help explains how to add another."),
)


class FilterPayload(TypedDict):
    """Cohort, model or a filter; `words` are those of an address.

    `tells` of labels or scores; `needed`: it is always set. `bound_to`: its values are of one cohort, or of one model's
    scores.
    """

    key: str
    title: str
    footer: str
    words: list[str]
    tells: bool
    needed: bool
    bound_to: Bound


class FacetPayload(TypedDict):
    """A value of a filter: the address's word for it, its name, and a note."""

    word: str | None
    name: str
    note: str


class RangePayload(TypedDict):
    """The least and the greatest that the model said."""

    least: float
    most: float
    unit: Unit


Facets = dict[str, list[FacetPayload] | RangePayload]  # by the filter's word; a range of scores instead of values


def filters_payload() -> list[FilterPayload]:
    """Cohort, model and the filters, in the order in which the page shows them."""
    subjects: list[FilterPayload] = [
        {"key": key, "title": title, "footer": footer, "words": [key], "tells": False, "needed": True, "bound_to": None}
        for key, title, footer in _SUBJECTS
    ]
    return subjects + [
        {
            "key": each.key,
            "title": each.title,
            "footer": "",
            "words": [word.name for word in each.words],
            "tells": each.tells,
            "needed": each.needed,
            "bound_to": each.bound_to,
        }
        for each in FILTERS
    ]


def facets_payload(store: Store, chosen: Slice, *, hidden: bool) -> Facets:
    """The values by the filter's word; while labels are hidden, none of a filter that would tell of them."""
    known = choices(store, chosen.cohort, chosen.model)
    found = who_payload(store, chosen)
    for each in FILTERS:
        if hidden and each.tells:
            continue
        if isinstance(each, ScoreRange):
            found[each.key] = _range(store, chosen, known)
        elif each is not LASSO:  # its values are drawn, not listed
            found |= {word.name: _values(word, known) for word in each.words}
    return found


def who_payload(store: Store, chosen: Slice) -> Facets:
    """The cohorts that can be chosen, and the models of the chosen one."""
    return {
        "cohort": [
            _value(
                cohort_id(each.name),
                shown_name(each.name),
                f"{each.cases:,} films{', SIMULATED' if each.simulated else ''}",
            )
            for each in offered(store, chosen.cohort)
        ],
        "model": [_value(model_id(chosen.cohort, each.model), each.model) for each in store.models(chosen.cohort)],
    }


def offered(store: Store, chosen: str) -> list[Manifest]:
    """The listed cohorts that a model has scored, and the chosen one in any case."""
    scored = [each for each in store.cohorts() if store.models(each.name)]
    return scored if chosen in (each.name for each in scored) else [*scored, store.cohort(chosen)]


def _values(word: Word, known: Choices) -> list[FacetPayload]:
    offered = word.offered or word.values
    assert offered is not None
    return [_value(word.write(known.cohort, each), word.title(each)) for each in offered(known)]


def _range(store: Store, chosen: Slice, known: Choices) -> RangePayload:
    least, most = known.facets.score or (0.0, 1.0)
    return {"least": least, "most": most, "unit": store.model(chosen.cohort, chosen.model).unit}


def _value(sent: str | None, name: str, note: str = "") -> FacetPayload:
    return {"word": sent, "name": name, "note": note}

"""The filters of Evaluate: those of Explore, by the same words, with what each can be set to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypedDict

from explorer.analysis.leaderboard.picked_films import picked_notes
from explorer.core.word_lists import and_list
from explorer.store.filter_kinds import Choice, Choices, Filter
from explorer.store.filter_registry import FILM_FILTERS, FILTERS, LABELS_FROM, MARKED, WHICH_FINDING
from explorer.store.slices import Slice
from explorer.ui.shared.facets import range_title
from explorer.ui.shared.links import model_id

if TYPE_CHECKING:
    from explorer.store.store import Store

BETWEEN = " "  # words of a filter that has two


class ChoicePayload(TypedDict):
    """Something to choose: the address's word for it, its name."""

    word: str
    name: str


class FilterChoicePayload(TypedDict):
    """A filter of films with its values; `chosen` is empty for all films."""

    key: str
    title: str
    values: list[ChoicePayload]
    chosen: str


class MoreFilterPayload(FilterChoicePayload):
    """Another filter; `words` are those of an address, a blank between their values. `bounds`: it has two numbers and
    no values. `shown`: it is set, or always there; `needed`: it cannot be taken away; `offered`: it can be added.
    """

    words: list[str]
    bounds: bool
    shown: bool
    needed: bool
    offered: bool


def film_filters(asked: Slice, known: Choices) -> list[FilterChoicePayload]:
    """Those of films, whose labels count, and marks that a film has; those of one value are left out."""
    those = (each for each in (*FILM_FILTERS, *LABELS_FROM) if isinstance(each, Choice))
    offered: list[tuple[Choice, list[Any]]] = [(each, list(each.word.shown(known))) for each in those]
    offered.append((MARKED, [each for each in known.marked if each.cases or each == asked.marked]))
    return [
        {
            "key": each.key,
            "title": each.title,
            "values": [{"word": _word(each, asked, value), "name": each.word.title(value)} for value in values],
            "chosen": _written(asked, each, 0),
        }
        for each, values in offered
        if len(values) > 1 or (values and each is MARKED)
    ]


def more_filters(store: Store, asked: Slice, known: Choices) -> list[MoreFilterPayload]:
    """All others, after them whose scores they ask for where they ask for any."""
    films = (*FILM_FILTERS, *LABELS_FROM, MARKED)
    others = [each for each in FILTERS if each not in films and not each.needed]
    found = [_more(store, asked, known, each) for each in others]
    return [*found, _whose(store, asked)] if asked.needs_model else found


def picked_sentences(asked: Slice) -> list[str]:
    """What the filters mean here, where that does not go without saying."""
    values = asked.values()
    moot = [each.title for each in WHICH_FINDING if values[each.words[0].field] is not None]
    if asked.picks_pairs or not moot:
        return list(picked_notes(asked.of_films()))
    verb = "leaves" if len(moot) == 1 else "leave"
    kept = f"{and_list(moot)} of Explore's slice {verb} no film out here: all findings are measured on these films."
    return [kept, *picked_notes(asked.of_films())]


def _more(store: Store, asked: Slice, known: Choices, each: Filter) -> MoreFilterPayload:
    values, bounds = list(_values(asked, known, each)), each.kind == "range"
    written = [_written(asked, each, at) for at in range(len(each.words))]
    matters = asked.picks_pairs or each not in WHICH_FINDING  # alone those leave no film out
    return {
        "key": each.key,
        "title": range_title(each.title, store.model(asked.cohort, asked.model).unit) if bounds else each.title,
        "words": [word.name for word in each.words],
        "values": values,
        "chosen": BETWEEN.join(written) if any(written) else "",
        "bounds": bounds,
        "shown": any(written) and matters,
        "needed": False,
        "offered": matters and not any(written) and (bounds or len(values) > (0 if each.kind == "relation" else 1)),
    }


def _values(asked: Slice, known: Choices, each: Filter) -> Iterator[ChoicePayload]:
    if each.kind == "relation":
        others, relations = each.words
        for other in others.shown(known):
            for relation in relations.shown(known):
                words = (others.write(asked.cohort, other), relations.write(asked.cohort, relation))
                yield {"word": BETWEEN.join(map(str, words)), "name": f"{relations.title(relation)} with {other}"}
    elif each.kind == "area":  # drawn in Explore, not listed
        if asked.lasso is not None:
            yield {"word": _written(asked, each, 0), "name": "on the map"}
    elif isinstance(each, Choice):
        for value in each.word.shown(known):
            yield {"word": _word(each, asked, value), "name": each.word.title(value)}


def _whose(store: Store, asked: Slice) -> MoreFilterPayload:
    """The model whose scores the filters ask for."""
    models = [each.model for each in store.models(asked.cohort)]
    return {
        "key": "model",
        "title": "Scores of",
        "words": ["model"],
        "values": [{"word": model_id(asked.cohort, each), "name": each} for each in models],
        "chosen": model_id(asked.cohort, asked.model),
        "bounds": False,
        "shown": True,
        "needed": True,
        "offered": False,
    }


def _written(asked: Slice, each: Filter, at: int) -> str:
    """What an address has for one of the filter's words; empty for none."""
    word = each.words[at]
    value = getattr(asked, word.field)
    return "" if value in (None, ()) else word.write(asked.cohort, value) or ""


def _word(each: Choice, asked: Slice, value: object) -> str:
    """What an address has for a value; empty for none."""
    return "" if value is None else each.word.write(asked.cohort, value) or ""

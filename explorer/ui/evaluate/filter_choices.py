"""Evaluate's filters, which are Explore's filters by the same address words, with their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypedDict

from explorer.analysis.leaderboard.picked_films import picked_notes
from explorer.cohorts.counted import Counted, case_words
from explorer.core.uncertainty import UNCERTAIN_AS
from explorer.core.word_lists import and_list
from explorer.store.filter_kinds import Choice, Choices, Filter
from explorer.store.filter_registry import (
    FILM_FILTERS,
    FILTERS,
    LABEL_SOURCE,
    LABELS_FROM,
    MARKED,
    READ_AS,
    WHICH_FINDING,
)
from explorer.store.slices import Slice
from explorer.ui.shared.facets import range_title
from explorer.ui.shared.links import model_id

if TYPE_CHECKING:
    from explorer.store.store import Store

VALUE_SEPARATOR = " "  # between the values of a filter with two


class OptionPayload(TypedDict):
    """An option: its word in addresses, and its name."""

    word: str
    name: str


class FilterChoicePayload(TypedDict):
    """A film filter with its values; `chosen` is empty for all films."""

    key: str
    title: str
    values: list[OptionPayload]
    chosen: str


class UncertainChoicePayload(TypedDict):
    """How many labels of the cohort are uncertain by the chosen source, and how they can count; empty: left out."""

    labels: int
    values: list[OptionPayload]
    chosen: str


class MoreFilterPayload(FilterChoicePayload):
    """Another filter; `words` are its address words, whose values are separated by a blank.

    `bounds`: it takes two numbers instead of values. `shown`: it is set or permanent; `needed`: it cannot be removed;
    `offered`: it can be added.
    """

    words: list[str]
    bounds: bool
    shown: bool
    needed: bool
    offered: bool


def film_filters(chosen: Slice, known: Choices) -> list[FilterChoicePayload]:
    """Return filters by film, label source and mark; those with a single value are left out."""
    those = (each for each in (*FILM_FILTERS, *LABEL_SOURCE) if isinstance(each, Choice))
    offered: list[tuple[Choice, list[Any]]] = [(each, list(each.word.shown(known))) for each in those]
    offered.append((MARKED, [each for each in known.marked if each.cases or each == chosen.marked]))
    return [
        {
            "key": each.key,
            "title": each.title,
            "values": [{"word": _word(each, chosen, value), "name": each.word.title(value)} for value in values],
            "chosen": _written(chosen, each, 0),
        }
        for each, values in offered
        if len(values) > 1 or (values and each is MARKED)
    ]


def uncertain_choice(chosen: Slice, known: Choices) -> UncertainChoicePayload:
    """Return how the slice counts uncertain labels, and how it can."""
    (each,) = READ_AS
    assert isinstance(each, Choice)
    options: list[OptionPayload] = [{"word": "", "name": "left out"}]
    options += [{"word": _word(each, chosen, value), "name": each.word.title(value)} for value in UNCERTAIN_AS]
    return {
        "labels": known.facets.uncertain.get(chosen.label_source or "", 0),
        "values": options,
        "chosen": _written(chosen, each, 0),
    }


def more_filters(store: Store, chosen: Slice, known: Choices) -> list[MoreFilterPayload]:
    """Return all other filters, followed by the choice of the model whose scores they use, if they use any."""
    films = (*FILM_FILTERS, *LABELS_FROM, MARKED)
    others = [each for each in FILTERS if each not in films and not each.needed]
    found = [_more(store, chosen, known, each) for each in others]
    return [*found, _model_filter(store, chosen)] if chosen.needs_model else found


def picked_sentences(chosen: Slice, counted: Counted) -> list[str]:
    """Return notes on filters whose effect in Evaluate is not obvious, in words of what the cohort counts."""
    return [case_words(note, counted) for note in _picked_sentences(chosen)]


def _picked_sentences(chosen: Slice) -> list[str]:
    values = chosen.values()
    without_effect = [each.title for each in WHICH_FINDING if values[each.words[0].field] is not None]
    if chosen.picks_pairs or not without_effect:
        return list(picked_notes(chosen.of_films()))
    verb = "leaves" if len(without_effect) == 1 else "leave"
    filters = and_list(without_effect)
    kept = f"{filters} of Explore's slice {verb} out no film here: all findings are measured on these films."
    return [kept, *picked_notes(chosen.of_films())]


def _more(store: Store, chosen: Slice, known: Choices, each: Filter) -> MoreFilterPayload:
    values, bounds = list(_values(chosen, known, each)), each.kind == "range"
    written = [_written(chosen, each, at) for at in range(len(each.words))]
    matters = chosen.picks_pairs or each not in WHICH_FINDING  # by themselves, these exclude no film
    return {
        "key": each.key,
        "title": range_title(each.title, store.model(chosen.cohort, chosen.model).unit) if bounds else each.title,
        "words": [word.name for word in each.words],
        "values": values,
        "chosen": VALUE_SEPARATOR.join(written) if any(written) else "",
        "bounds": bounds,
        "shown": any(written) and matters,
        "needed": False,
        "offered": matters and not any(written) and (bounds or len(values) > (0 if each.kind == "relation" else 1)),
    }


def _values(chosen: Slice, known: Choices, each: Filter) -> Iterator[OptionPayload]:
    if each.kind == "relation":
        others, relations = each.words
        for other in others.shown(known):
            for relation in relations.shown(known):
                words = (others.write(chosen.cohort, other), relations.write(chosen.cohort, relation))
                yield {
                    "word": VALUE_SEPARATOR.join(map(str, words)),
                    "name": f"{relations.title(relation)} with {other}",
                }
    elif each.kind == "area":  # drawn in Explore, not listed
        if chosen.lasso is not None:
            yield {"word": _written(chosen, each, 0), "name": "on the map"}
    elif isinstance(each, Choice):
        for value in each.word.shown(known):
            yield {"word": _word(each, chosen, value), "name": each.word.title(value)}


def _model_filter(store: Store, chosen: Slice) -> MoreFilterPayload:
    """Return the choice of the model whose scores the filters use."""
    models = [each.model for each in store.models(chosen.cohort)]
    return {
        "key": "model",
        "title": "Scores of",
        "words": ["model"],
        "values": [{"word": model_id(chosen.cohort, each), "name": each} for each in models],
        "chosen": model_id(chosen.cohort, chosen.model),
        "bounds": False,
        "shown": True,
        "needed": True,
        "offered": False,
    }


def _written(chosen: Slice, each: Filter, at: int) -> str:
    """Return the address value of one of the filter's words; empty if unset."""
    word = each.words[at]
    value = getattr(chosen, word.field)
    return "" if value in (None, ()) else word.write(chosen.cohort, value) or ""


def _word(each: Choice, chosen: Slice, value: object) -> str:
    """Return the form that a value takes in addresses; empty for None."""
    return "" if value is None else each.word.write(chosen.cohort, value) or ""

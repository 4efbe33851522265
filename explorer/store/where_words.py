"""Filters as a command line, program or notebook writes them: `center=B, view=AP`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from explorer.core.finding_words import finding_of
from explorer.core.groups import default_group_source
from explorer.core.map_area import WrongArea
from explorer.core.named_values import named_values
from explorer.core.word_lists import suggestion
from explorer.store.filter_kinds import Choices, Word
from explorer.store.filter_registry import FILM_FILTERS, FILTERS, LABELS_FROM
from explorer.store.filter_words import WrongFilter, named
from explorer.store.marked import Marked, every_marked
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

__all__ = [
    "FILM_WORDS",
    "LABELS",
    "SLICE_WORDS",
    "WrongFilter",
    "choices",
    "filters_in",
    "pairs_in",
    "slice_in",
]
SHOWN = 24  # characters of an area in a message
LABELS = "labels"  # the source of labels
SLICE_WORDS: Mapping[str, Word] = {word.name: word for each in FILTERS for word in each.words}
FILM_WORDS: Mapping[str, Word] = {word.name: word for each in (*FILM_FILTERS, *LABELS_FROM) for word in each.words}

# From a program that passes filters as arguments; None: no restriction.
Arguments = Mapping[str, object]


def slice_in(
    store: Store, cohort: str, model: str, where: str, arguments: Arguments, words: Mapping[str, Word] = SLICE_WORDS
) -> Slice:
    """Return the slice that text and arguments select together. Raises WrongFilter, and the store's errors."""
    given = ((name, value) for name, value in arguments.items() if value is not None)
    usual = {"source": default_group_source(store.model(cohort, model).findings)}
    return Slice(cohort, model, **usual | filters_in((*pairs_in(where), *given), choices(store, cohort, model), words))


def choices(store: Store, cohort: str, model: str) -> Choices:
    """Return the values that filters of this model's slices can take."""
    others = tuple(each.model for each in store.models(cohort) if each.model != model)
    marked = tuple(every_marked(store.marks(cohort)))
    return Choices(cohort, store.facets(cohort, model), others, marked, lambda: store.film_map(cohort, model))


def filters_in(
    pairs: Iterable[tuple[str, object]], offered: Choices, words: Mapping[str, Word] = FILM_WORDS
) -> dict[str, Any]:
    """Return the values of a slice's filters by field, using the cohort's own names; empty without words.

    Raises WrongFilter for an unknown filter or value, a repeated filter, and contradictory values.
    """
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name not in words:
            raise WrongFilter(f"There is no filter {name!r}", suggestion(name, words))
        word = words[name]
        if word.field in found:
            raise WrongFilter(f"The filter {name} is given twice", "A film has one value of it: give one.")
        found[word.field] = _taken(word, value, offered)
    for each in FILTERS:
        values = {word.field: found.get(word.field) for word in each.words}
        if (conflict := each.conflict(values)) is not None:
            raise WrongFilter("These filters contradict one another", f"The slice {conflict}")
    return found


def pairs_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield names and values of filters in a text. Raises WrongFilter for text that is not a filter."""
    for name, value in named_values(text):
        if value is None:
            raise WrongFilter(f"{name!r} is not a filter", "Write filters as name=value, separated by commas.")
        yield name, value


def _taken(word: Word, written: object, offered: Choices) -> object:
    if word.read is None:
        return _number(word.name, written) if word.values is None else _value(word, written, offered)
    try:
        return word.read(str(written), offered)
    except WrongArea as wrong:
        raise WrongFilter(f"{word.name}={str(written)[:SHOWN]} is {wrong}", "Lasso it on Explore's Map.") from wrong


def _value(word: Word, written: object, offered: Choices) -> object:
    values = {_name(word, offered.cohort, value): value for value in word.shown(offered)}
    finding = finding_of(str(written))  # by another taxonomy's word
    if written in (() if word.also is None else word.also(offered)):
        return written
    return values[finding] if finding in values else named(f"No film has {word.name}={written}", written, values)


def _name(word: Word, cohort: str, value: object) -> str:
    """Return the name of a value; several outcomes together have the name used in addresses."""
    return str(value) if isinstance(value, str | Marked) else word.write(cohort, value) or ""


def _number(name: str, written: object) -> float:
    try:
        value = float(str(written))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise WrongFilter(f"{name}={written} is not a score", "Write a number, such as 0.5.")
    return value

"""A filter's value as somebody writes it: taken for the value it names, or refused with the nearest and all others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from explorer.core.finding_words import plain
from explorer.core.word_lists import suggestion
from models.refusal import Refusal

Value = TypeVar("Value")


class WrongFilter(Refusal):
    """A filter that means nothing here: `title` says which, `detail` what there is."""


def named(title: str, written: object, values: Mapping[str, Value]) -> Value:
    """The value of this name; case, hyphens and underscores do not matter where that leaves one.

    Raises WrongFilter with the title.
    """
    text = str(written)
    alike = [name for name in values if name == text] or [name for name in values if plain(name) == plain(text)]
    if len(alike) == 1:
        return values[alike[0]]
    raise WrongFilter(title, suggestion(text, values))


def by_name(values: Iterable[Value]) -> dict[str, Value]:
    """Values by their names, which are what they print as."""
    return {str(value): value for value in values}

"""A filter's value as somebody writes it: taken for the value it names, or refused with the nearest and all others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from explorer.core.finding_words import plain
from explorer.core.findings import Outcome
from explorer.core.word_lists import suggestion
from explorer.store.filter_titles import OUTCOMES
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


def outcomes_named(written: str | Iterable[str]) -> tuple[Outcome, ...]:
    """Those that one name stands for, or several names, each for its own. Raises WrongFilter."""
    if isinstance(written, str):
        return named(f"There is no outcome {str(written)!r}", written, OUTCOMES)
    return tuple(named(f"There is no outcome {str(each)!r}", each, by_name(Outcome)) for each in written)


def outcome_word(cohort: str, outcomes: tuple[Outcome, ...]) -> str | None:
    """How an address writes outcomes, of any cohort."""
    return next((word for word, those in OUTCOMES.items() if set(those) == set(outcomes)), None)

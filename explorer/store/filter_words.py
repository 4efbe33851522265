"""Names of filter values in menus and sentences, and how typed names are understood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from explorer.core.appearance_bands import Side
from explorer.core.finding_words import plain
from explorer.core.findings import ChallengeTask, Outcome
from explorer.core.outcomes import WRONG
from explorer.core.word_lists import suggestion
from explorer.store.filter_kinds import as_word
from models.refusal import Refusal

RIGHT = (Outcome.HIT, Outcome.CORRECT_REJECTION)
OUTCOMES: dict[str, tuple[Outcome, ...]] = {
    **{as_word(each): (each,) for each in Outcome},
    "wrong": WRONG,
    "right": RIGHT,
}
OUTCOME_TITLES = {
    WRONG: "wrong: miss or false alarm",
    RIGHT: "right: hit or correct rejection",
}
TASK_TITLES: dict[ChallengeTask, str] = {"seen": "seen (Task 1)", "unseen": "unseen (Task 2)"}
SIDE_TITLES: dict[Side, str] = {"left": "left", "right": "right", "both": "both sides", "none": "no side"}
ON_SIDES: dict[Side, str] = {
    "left": "on the left",
    "right": "on the right",
    "both": "on both sides",
    "none": "which have no side",
}
SEXES = {"F": "female", "M": "male", "unknown": "not known"}
PEOPLE = {"F": "women and girls", "M": "men and boys", "unknown": "sex not known"}
FINDINGS_PER_FILM = {
    "none": "none",
    "1": "1",
    "2-3": "2 or 3",
    "4+": "4 or more",
    "unknown": "not known",
}
FILMS_BY_FINDINGS = {
    "none": "films without a finding",
    "1": "films with 1 finding",
    "2-3": "films with 2 or 3 findings",
    "4+": "films with 4 or more findings",
    "unknown": "films with an unknown number of findings",
}
AGES = {"unknown": "age not known", "80+": "80 years or older"}
RELATION_WORDS = {"both wrong": "is wrong too", "disagree": "says otherwise"}  # of another model


def known(name: str) -> str:
    """Return the name of a film's value, with "not known" for unknown."""
    return "not known" if name == "unknown" else name


Value = TypeVar("Value")


class WrongFilter(Refusal):
    """A filter that is not valid here: `title` says which, `detail` lists the valid ones."""


def named(title: str, written: object, values: Mapping[str, Value]) -> Value:
    """Return the value with this name; case, hyphens and underscores are ignored unless that is ambiguous.

    Raises WrongFilter with the title.
    """
    text = str(written)
    alike = [name for name in values if name == text] or [name for name in values if plain(name) == plain(text)]
    if len(alike) == 1:
        return values[alike[0]]
    raise WrongFilter(title, suggestion(text, values))


def by_name(values: Iterable[Value]) -> dict[str, Value]:
    """Return values by name, which is how they print."""
    return {str(value): value for value in values}


def outcomes_named(written: str | Iterable[str]) -> tuple[Outcome, ...]:
    """Return the outcomes that one name stands for, or one outcome for each of several names. Raises WrongFilter."""
    if isinstance(written, str):
        return named(f"There is no outcome {str(written)!r}", written, OUTCOMES)
    return tuple(named(f"There is no outcome {str(each)!r}", each, by_name(Outcome)) for each in written)


def outcome_word(cohort: str, outcomes: tuple[Outcome, ...]) -> str | None:
    """Return how an address writes outcomes, for any cohort."""
    return next((word for word, those in OUTCOMES.items() if set(those) == set(outcomes)), None)

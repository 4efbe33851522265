"""Outcomes by the names of filters: one of them, or several that one name stands for."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.core.findings import Outcome
from explorer.store.filter_titles import OUTCOMES
from explorer.store.filter_words import by_name, named


def outcomes_named(written: str | Iterable[str]) -> tuple[Outcome, ...]:
    """Those that one name stands for, or several names, each for its own."""
    if isinstance(written, str):
        return named(f"There is no outcome {str(written)!r}", written, OUTCOMES)
    return tuple(named(f"There is no outcome {str(each)!r}", each, by_name(Outcome)) for each in written)


def outcome_word(cohort: str, outcomes: tuple[Outcome, ...]) -> str | None:
    return next((word for word, those in OUTCOMES.items() if set(those) == set(outcomes)), None)

"""Says which name was probably meant where an unknown one was given."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

NEAR = 0.6  # similarity from 0 to 1 (difflib's ratio), below which no name is proposed


def unknown_name(what: str, name: str, known: Iterable[str]) -> str:
    """Return a sentence for an unknown `name` of `what`, with the nearest known name if one is near."""
    names = tuple(known)
    return f"There is no {what} {name!r}. {nearest_words(name, names)}Choose one of {', '.join(names)}."


def nearest_words(name: str, known: Iterable[str]) -> str:
    """Return "Did you mean ...? " with the nearest of the known names, or nothing if none is near."""
    near = get_close_matches(name, tuple(known), 1, NEAR)
    return f"Did you mean {near[0]}? " if near else ""

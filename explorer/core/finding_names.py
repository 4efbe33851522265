"""Validates names of findings and matches words to known ones. A finding can have any name, not only ours.

Label tables, scores, thresholds and relations all use these rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from explorer.core.finding_words import FINDING_BY_WORD, finding_of, plain

MAX_NAME_CHARS = 80
_NEAR = 0.82  # difflib ratio: `Cardiomegally` is similar enough, but `Lung Cavity` to `Lung Opacity` is not


class InvalidName(ValueError):
    """A text that cannot be the name of a finding; the message gives the reason."""


def finding_name(text: str) -> str:
    """Return the text as a finding's name, with blanks collapsed. Raises InvalidName."""
    name = " ".join(text.split())
    if not plain(name) or not any(letter.isalnum() for letter in name):
        raise InvalidName(f"{text[:MAX_NAME_CHARS]!r} has neither a letter nor a digit")
    if len(name) > MAX_NAME_CHARS:
        raise InvalidName(
            f"{name[: MAX_NAME_CHARS // 2]!r}... has {len(name):,} characters; "
            f"a finding's name has at most {MAX_NAME_CHARS}"
        )
    if not name.isprintable():
        raise InvalidName(f"{name!r} has invisible characters")
    return name


def match_finding(word: str, own: Iterable[str] = ()) -> str | None:
    """Return the finding that a word names: a known one, or one of `own`; None for other words.

    Case, hyphens, underscores and spaces are ignored.
    """
    known = finding_of(word)
    if known is not None:
        return known
    bare = plain(word)
    return next((name for name in own if plain(name) == bare), None)


def own_name(word: str, own: Iterable[str] = ()) -> str:
    """Return the finding that a word names: a known one, one of `own` as spelled there, or else the word itself.

    Raises InvalidName for a word that cannot be a name.
    """
    return match_finding(word, own) or finding_name(word)


def near_finding(word: str, own: Iterable[str] = ()) -> str | None:
    """Return the known finding, or the one of `own`, that a word probably misspells; None if none is similar.

    Only for suggestions: `Pleural Efusion` is not proof of a spelling mistake.
    """
    names = {plain(name): name for name in own} | dict(FINDING_BY_WORD)
    near = get_close_matches(plain(word), names, n=1, cutoff=_NEAR)
    return names[near[0]] if near and near[0] != plain(word) else None


def did_you_mean(word: str, own: Iterable[str] = ()) -> str:
    """Return ` Did you mean Cardiomegaly?` for the end of a message; empty if no finding is similar."""
    near = near_finding(word, own)
    return f" Did you mean {near}?" if near else ""

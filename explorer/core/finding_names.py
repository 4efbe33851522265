"""What a finding may be called, and which known finding a word comes near to. Findings have any name: ours are not all.

One place decides for label tables, scores, thresholds and relations alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from explorer.core.finding_words import KNOWN, finding_of, plain

LONGEST = 80  # characters
_NEAR = 0.82  # of difflib's ratio: `Cardiomegally` is near, `Lung Cavity` is not near `Lung Opacity`


class NoName(ValueError):
    """A text that no finding can be called by; says why."""


def finding_name(text: str) -> str:
    """The text as the name of a finding: runs of blanks are one space, none at either end. Raises NoName."""
    name = " ".join(text.split())
    if not plain(name) or not any(letter.isalnum() for letter in name):
        raise NoName(f"{text[:LONGEST]!r} has neither a letter nor a digit")
    if len(name) > LONGEST:
        raise NoName(
            f"{name[: LONGEST // 2]!r}... has {len(name):,} characters; a finding's name has at most {LONGEST}"
        )
    if not name.isprintable():
        raise NoName(f"{name!r} has characters that cannot be seen")
    return name


def named_among(word: str, own: Iterable[str] = ()) -> str | None:
    """The finding that a word names: a known one, or one of `own` names; None for any other word.

    Names that differ only in case, hyphens, underscores or spaces are one name.
    """
    known = finding_of(word)
    if known is not None:
        return known
    bare = plain(word)
    return next((name for name in own if plain(name) == bare), None)


def own_name(word: str, own: Iterable[str] = ()) -> str:
    """The finding that somebody calls by this word: a known one, one of `own` as it is spelled there, else the word
    itself. Raises NoName for a word that cannot be a name.
    """
    return named_among(word, own) or finding_name(word)


def near_finding(word: str, own: Iterable[str] = ()) -> str | None:
    """The known finding, or the one of `own`, that a word is likely a slip of the pen for; None where it is near none.

    To be offered, never taken: `Pleural Efusion` may be one thing or the other.
    """
    names = {plain(name): name for name in own} | dict(KNOWN)
    near = get_close_matches(plain(word), names, n=1, cutoff=_NEAR)
    return names[near[0]] if near and near[0] != plain(word) else None


def did_you_mean(word: str, own: Iterable[str] = ()) -> str:
    """` Did you mean Cardiomegaly?`, to follow what is said of the word; empty where it is near no finding."""
    near = near_finding(word, own)
    return f" Did you mean {near}?" if near else ""

"""What the words of other people's tables mean: findings, views, sexes, ages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from explorer.cohorts.schema import Sex
from explorer.core.finding_names import own_name
from explorer.core.finding_words import finding_of, plain
from explorer.core.findings import PADCHEST_WORDS
from models.films.film import View

Spelling = Literal["any", "padchest"]

KEPT = 1024  # words of a table: its rows have the same few
OLDEST = 120  # years; NIH's first table has 414
_AGE = re.compile(r"(\d{1,3})(?:[.,]\d*)?([YMWD]?)", re.ASCII | re.IGNORECASE)
_UNITS = {"": 1, "Y": 1, "M": 12, "W": 52, "D": 365}  # of them make a year
_VIEWS: Mapping[str, View] = {
    "pa": "PA",
    "posteroanterior": "PA",
    "ap": "AP",
    "anteroposterior": "AP",
    "ap horizontal": "AP",
    "ap supine": "AP",
    "ap erect": "AP",
    "ap semi erect": "AP",
    "pa erect": "PA",
    "l": "lateral",
    "ll": "lateral",
    "rl": "lateral",
    "lat": "lateral",
    "lateral": "lateral",
    "left lateral": "lateral",
    "right lateral": "lateral",
}
_SEXES: Mapping[str, Sex] = {"f": "F", "female": "F", "m": "M", "male": "M"}


def finding_named(word: str, spelling: Spelling, own: Mapping[str, str]) -> str | None:
    """The finding that a table's word names, or None.

    `own` are words that the user gave a meaning. With the spelling "any", a word of any taxonomy is meant as that
    taxonomy means it, and PadChest's kinds of a finding come last. With "padchest" they come first: PadChest's
    `consolidation` is a kind of Alveolar Pattern, elsewhere it is Consolidation.
    """
    bare = plain(word)
    if bare in own:
        return own[bare]
    padchest = _PADCHEST.get(bare)
    return (padchest or finding_of(word)) if spelling == "padchest" else (finding_of(word) or padchest)


def own_words(given: Mapping[str, str]) -> dict[str, str]:
    """A user's words as `finding_named` looks them up: a meaning is a known finding, or the name of one of their own.

    Of meanings that are one name the first spelling counts. Raises NoName for a meaning that cannot be a name.
    """
    own: dict[str, str] = {}
    for word, meaning in given.items():
        own[plain(word)] = own_name(meaning, own.values())
    return own


@lru_cache(KEPT)
def view_of(word: str) -> View:
    """PA, AP or lateral, however it is written; else unknown."""
    return _VIEWS.get(plain(word), "unknown")


@lru_cache(KEPT)
def sex_of(word: str) -> Sex:
    """F or M; else unknown."""
    return _SEXES.get(plain(word), "unknown")


@lru_cache(KEPT)
def age_of(word: str) -> int | None:
    """Whole years from `58`, `58.0`, `58,5`, `058` or DICOM's `058Y` and `013M`; None for all else and above OLDEST."""
    match = _AGE.fullmatch(word.strip())
    if match is None:
        return None
    years = int(match[1]) // _UNITS[match[2].upper()]
    return years if years <= OLDEST else None


_PADCHEST = {plain(word): finding for word, finding in PADCHEST_WORDS.items()}

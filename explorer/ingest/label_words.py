"""Translates words in other people's tables: findings, views, sexes, ages."""

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

CACHE_SIZE = 1024  # words; a table repeats the same few
MAX_AGE = 120  # years; NIH's first table has 414
_AGE = re.compile(r"(\d{1,3})(?:[.,]\d*)?([YMWD]?)", re.ASCII | re.IGNORECASE)
_UNITS = {"": 1, "Y": 1, "M": 12, "W": 52, "D": 365}  # per year
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
    "seitlich": "lateral",
    "p.a.": "PA",
    "a.p.": "AP",
}
_SEXES: Mapping[str, Sex] = {
    "f": "F",
    "female": "F",
    "w": "F",
    "weiblich": "F",
    "m": "M",
    "male": "M",
    "m\N{LATIN SMALL LETTER A WITH DIAERESIS}nnlich": "M",
    "maennlich": "M",
}


def finding_named(word: str, spelling: Spelling, own: Mapping[str, str]) -> str | None:
    """Return the finding that a table's word names, or None.

    `own` maps words to the meanings a user gave them. With the spelling "any", the taxonomies are searched before
    PadChest's words; with "padchest", after them: PadChest's `consolidation` is a kind of Alveolar Pattern, elsewhere
    it is Consolidation.
    """
    bare = plain(word)
    if bare in own:
        return own[bare]
    padchest = _PADCHEST.get(bare)
    return (padchest or finding_of(word)) if spelling == "padchest" else (finding_of(word) or padchest)


def own_words(given: Mapping[str, str]) -> dict[str, str]:
    """Return a user's words in the form that `finding_named` expects: each means a known finding or a new one.

    If meanings differ only in spelling, the first counts. Raises NoName for a meaning that cannot be a name.
    """
    own: dict[str, str] = {}
    for word, meaning in given.items():
        own[plain(word)] = own_name(meaning, own.values())
    return own


@lru_cache(CACHE_SIZE)
def view_of(word: str) -> View:
    """Return PA, AP or lateral, however it is written; else unknown."""
    return _VIEWS.get(plain(word), "unknown")


@lru_cache(CACHE_SIZE)
def sex_of(word: str) -> Sex:
    """Return F or M; else unknown."""
    return _SEXES.get(plain(word), "unknown")


@lru_cache(CACHE_SIZE)
def age_of(word: str) -> int | None:
    """Return whole years from `58`, `58.0`, `58,5`, `058` or DICOM's `058Y` and `013M`; else or above MAX_AGE, None."""
    match = _AGE.fullmatch(word.strip())
    if match is None:
        return None
    years = int(match[1]) // _UNITS[match[2].upper()]
    return years if years <= MAX_AGE else None


_PADCHEST = {plain(word): finding for word, finding in PADCHEST_WORDS.items()}

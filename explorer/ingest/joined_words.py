"""Splits a word of a list that holds several known findings, joined by a mark other than the list's separator."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from explorer.ingest.rejects import Rejected, RejectReason
from explorer.tabular.missing_words import names_nothing

# Marks that mean "and". A slash does not: "Nodule/Mass" means one of the two.
_AND = re.compile(r"\s*[;,|+&.\t\r\n]\s*|\s+and\s+", re.IGNORECASE)
_BLANKS = re.compile(r"[\s_-]+")
_ANY = re.compile(r"[^\w\s'-]+|\s+(?:-+|and|or)\s+|[\t\r\n]+", re.IGNORECASE)
_SEPARATORS = ";,|/+&:\\^\t"
_AROUND = " \t\r\n[](){}'\""


@dataclass(frozen=True, slots=True)
class SplitWord:
    """The parts of a joined word, and the marks between them."""

    words: list[str]
    marks: tuple[str, ...]


def split_word(word: str, is_finding: Callable[[str], bool]) -> SplitWord | None:
    """Return the findings that a word holds if it is not itself a finding; None if it holds none.

    The word is split if every part is a finding and the marks mean "and". Otherwise its meaning is unclear, and
    Rejected is raised, so that a finding that is named never counts as absent.
    """
    for between in (_AND, _BLANKS):
        parts = [part for piece in between.split(word) if (part := piece.strip(_AROUND))]
        if any(map(is_finding, parts)) and all(is_finding(part) or names_nothing(part) for part in parts):
            marks = dict.fromkeys(mark.strip() or "blanks" for mark in between.findall(word))
            return SplitWord(parts, tuple(marks))
    named = [part for piece in _ANY.split(word) if is_finding(part := piece.strip(_AROUND))]
    if named:
        raise Rejected(RejectReason.JOINED_WORDS, f"{word!r} holds {named[0]!r}. {_remedy(word)}")
    return None


def _remedy(word: str) -> str:
    mark = next((mark for mark in word if mark in _SEPARATORS), None)
    separator = f"write separator = {json.dumps(mark)}, or " if mark else ""
    return f"In map.toml, {separator}say under [words] what the whole word means"

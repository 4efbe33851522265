"""A word of a list that holds known findings, joined by another mark than the list's separator."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from explorer.ingest.rejects import Reason, Rejected
from explorer.tabular.missing_words import names_nothing

# Marks that join what is there together. A slash is not one: "Nodule/Mass" is one of the two.
_AND = re.compile(r"\s*[;,|+&.\t\r\n]\s*|\s+and\s+", re.IGNORECASE)
_BLANKS = re.compile(r"[\s_-]+")
_ANY = re.compile(r"[^\w\s'-]+|\s+(?:-+|and|or)\s+|[\t\r\n]+", re.IGNORECASE)
_SEPARATORS = ";,|/+&:\\^\t"
_AROUND = " \t\r\n[](){}'\""


@dataclass(frozen=True, slots=True)
class Joined:
    """The words that were joined to one, and the marks between them."""

    words: list[str]
    marks: tuple[str, ...]


def unjoined(word: str, is_finding: Callable[[str], bool]) -> Joined | None:
    """The findings that a word of a list holds where it is no finding itself; None where it holds none.

    They are taken apart where every part is a finding and the marks between say "and"; else what the word means is not
    known. Raises Rejected then: a finding that is named is not to count as absent.
    """
    for between in (_AND, _BLANKS):
        parts = [part for piece in between.split(word) if (part := piece.strip(_AROUND))]
        if any(map(is_finding, parts)) and all(is_finding(part) or names_nothing(part) for part in parts):
            marks = dict.fromkeys(mark.strip() or "blanks" for mark in between.findall(word))
            return Joined(parts, tuple(marks))
    named = [part for piece in _ANY.split(word) if is_finding(part := piece.strip(_AROUND))]
    if named:
        raise Rejected(Reason.JOINED_WORDS, f"{word!r} holds {named[0]!r}. {_remedy(word)}")
    return None


def _remedy(word: str) -> str:
    mark = next((mark for mark in word if mark in _SEPARATORS), None)
    separator = f"write separator = {json.dumps(mark)}, or " if mark else ""
    return f"In map.toml, {separator}say under [words] what the whole means"

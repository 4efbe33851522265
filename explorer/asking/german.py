"""A small dictionary of German terms for findings, used to suggest the question in English."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from explorer.asking.vocabulary import is_listed, split_words, vocabulary
from models.prompts.terms import terms

# as typed without umlauts; `split_words` has already turned ß into ss
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_ENDING = re.compile(r"(?<=.{4})(?:e[snrm]?|s|n)+$")  # inflectional endings


@dataclass(frozen=True, slots=True)
class GermanTerm:
    """A dictionary phrase found in a text, its finding and the plainest English term.

    `whole`: the text has no other words.
    """

    german: str
    finding: str
    english: str
    whole: bool = False


def german_term(text: str) -> GermanTerm | None:
    """Return the longest dictionary phrase whose words all occur in the text, in any inflection and order.

    None if there is none, or if every word of the text is also English.
    """
    own = {_stem(word) for word in split_words(text)}
    found = next(((each, stems) for each, stems in _dictionary() if stems <= own), None)
    if found is None or all(is_listed(word, vocabulary().english) for word in split_words(text)):
        return None
    each, stems = found
    return replace(each, whole=stems == own)


@cache
def _dictionary() -> tuple[tuple[GermanTerm, frozenset[str]], ...]:
    """Return every phrase with its words' stems, longest phrase first."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    found = [
        (GermanTerm(phrase, finding, terms()[finding].names[0]), frozenset(map(_stem, split_words(phrase))))
        for finding, phrases in table.items()
        for phrase in phrases
    ]
    return tuple(sorted(found, key=lambda each: (-len(each[1]), -len(each[0].german))))


def _stem(word: str) -> str:
    return _ENDING.sub("", word.translate(_SPELLED_OUT))

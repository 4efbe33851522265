"""A small dictionary: the findings that German words name, for the question in English that may be meant."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from explorer.asking.vocabulary import among, vocabulary, words_of
from models.prompts.terms import terms

# ä, ö and ü as they are written where a keyboard has none; `words_of` has made ß into ss.
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_ENDING = re.compile(r"(?<=.{4})(?:e[snrm]?|s|n)+$")  # of inflection


@dataclass(frozen=True, slots=True)
class GermanTerm:
    """The words of the dictionary that stand in a text, the finding that they name and its plainest English term.

    `whole`: the text is these words and no others.
    """

    german: str
    finding: str
    english: str
    whole: bool = False


def german_term(text: str) -> GermanTerm | None:
    """The longest phrase of the dictionary whose words all stand in the text, whatever their endings and order.

    None where there is none, or where every word of it is English too.
    """
    own = {_stem(word) for word in words_of(text)}
    found = next(((each, stems) for each, stems in _dictionary() if stems <= own), None)
    if found is None or all(among(word, vocabulary().english) for word in words_of(text)):
        return None
    each, stems = found
    return replace(each, whole=stems == own)


@cache
def _dictionary() -> tuple[tuple[GermanTerm, frozenset[str]], ...]:
    """Every phrase with the stems of its words, the longest phrase first."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    found = [
        (GermanTerm(phrase, finding, terms()[finding].names[0]), frozenset(map(_stem, words_of(phrase))))
        for finding, phrases in table.items()
        for phrase in phrases
    ]
    return tuple(sorted(found, key=lambda each: (-len(each[1]), -len(each[0].german))))


def _stem(word: str) -> str:
    return _ENDING.sub("", word.translate(_SPELLED_OUT))

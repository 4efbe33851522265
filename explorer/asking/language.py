"""Whether a question is English, from the letters of the words that are not known.

Each language is its word list's triples of letters, counted; a word is as likely in a language as its triples are
(Cavnar and Trenkle, SDAIR 1994, rank the same counts). Words that are known to be English say nothing, and neither do
letters that no language here has in such an order: a non-word is not foreign for being no English.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from explorer.asking.vocabulary import among, vocabulary, words_of

FOREIGN = 4.0  # natural log of how much likelier the unknown words are in another language
SMALL = 0.5  # added to every count
TRIPLES = 4000  # different ones, about
ATTESTED = 0.6  # of the triples of the unknown words, the share that the other language must have
SURE = 6.0  # the odds of a word that stands in another language's list only


def foreign(text: str) -> str | None:
    """The language that the question seems to be in where that is not English; None where it is or may be."""
    if any(letter.isalpha() and not _is_latin(letter) for letter in text):
        return "another script"
    known = vocabulary()
    strange = unknown(text)
    odds = {name: sum(_odds(word, name) for word in strange) for name in known.foreign if _may_be(strange, name)}
    language = max(odds, key=lambda name: odds[name], default="")
    return language if language and odds[language] > FOREIGN else None


def unknown(text: str) -> list[str]:
    """The words of a text that are no English known here."""
    return [word for word in words_of(text) if not among(word, vocabulary().english)]


def _may_be(words: Sequence[str], language: str) -> bool:
    """Whether the words can be of a language: one is listed or has a letter that English lacks, or most triples are."""
    if any(word in vocabulary().foreign[language] or not word.isascii() for word in words):
        return True
    counts, _ = _counts(language)
    triples = [triple for word in words for triple in _triples(word)]
    return sum(triple in counts for triple in triples) >= ATTESTED * len(triples)


def _odds(word: str, language: str) -> float:
    listed = SURE if word in vocabulary().foreign[language] else 0.0
    return listed + _likelihood(word, language) - _likelihood(word, "English")


def _likelihood(word: str, language: str) -> float:
    counts, total = _counts(language)
    return sum(math.log((counts[triple] + SMALL) / (total + SMALL * TRIPLES)) for triple in _triples(word))


@cache
def _counts(language: str) -> tuple[Counter[str], int]:
    known = vocabulary()
    words: Iterable[str] = known.english if language == "English" else known.foreign[language]
    counts = Counter(triple for word in words for triple in _triples(word))
    return counts, counts.total()


def _triples(word: str) -> list[str]:
    padded = f" {word} "
    return [padded[start : start + 3] for start in range(len(padded) - 2)]


def _is_latin(letter: str) -> bool:
    return ord(letter) < 0x250 or 0x1E00 <= ord(letter) < 0x1F00

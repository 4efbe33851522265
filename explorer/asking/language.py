"""Detects questions that are not English, from the letters of unknown words.

Each language is modeled by the letter trigrams of its word list, and a word is as likely as its trigrams are (Cavnar
and Trenkle, SDAIR 1994, rank the same counts). Known English words are ignored, and so are letter sequences that fit no
known language: a non-word is not foreign merely because it is not English.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from explorer.asking.vocabulary import is_listed, split_words, vocabulary

MIN_FOREIGN_LOG_ODDS = 4.0  # natural log odds of another language over English, for the unknown words
SMOOTHING = 0.5  # smoothing added to every count
TRIGRAM_TYPES = 4000  # approximate number of distinct trigrams
MIN_ATTESTED_SHARE = 0.6  # smallest share of the unknown words' trigrams that must occur in the other language
LISTED_WORD_LOG_ODDS = 6.0  # log odds of a word that only the other language lists


def foreign_language(text: str) -> str | None:
    """Return the language of a question that does not seem to be in English, else None."""
    if any(letter.isalpha() and not _is_latin(letter) for letter in text):
        return "another script"
    known = vocabulary()
    words = unknown_words(text)
    odds = {name: sum(_odds(word, name) for word in words) for name in known.foreign if _may_be(words, name)}
    language = max(odds, key=lambda name: odds[name], default="")
    return language if language and odds[language] > MIN_FOREIGN_LOG_ODDS else None


def unknown_words(text: str) -> list[str]:
    """Return the words that are not known English words."""
    return [word for word in split_words(text) if not is_listed(word, vocabulary().english)]


def _may_be(words: Sequence[str], language: str) -> bool:
    """Return whether words may belong to a language: one is listed or non-ASCII, or most trigrams occur in it."""
    if any(word in vocabulary().foreign[language] or not word.isascii() for word in words):
        return True
    counts, _ = _counts(language)
    trigrams = [trigram for word in words for trigram in _trigrams(word)]
    return sum(trigram in counts for trigram in trigrams) >= MIN_ATTESTED_SHARE * len(trigrams)


def _odds(word: str, language: str) -> float:
    listed = LISTED_WORD_LOG_ODDS if word in vocabulary().foreign[language] else 0.0
    return listed + _likelihood(word, language) - _likelihood(word, "English")


def _likelihood(word: str, language: str) -> float:
    counts, total = _counts(language)
    return sum(
        math.log((counts[trigram] + SMOOTHING) / (total + SMOOTHING * TRIGRAM_TYPES)) for trigram in _trigrams(word)
    )


@cache
def _counts(language: str) -> tuple[Counter[str], int]:
    known = vocabulary()
    words: Iterable[str] = known.english if language == "English" else known.foreign[language]
    counts = Counter(trigram for word in words for trigram in _trigrams(word))
    return counts, counts.total()


def _trigrams(word: str) -> list[str]:
    padded = f" {word} "
    return [padded[start : start + 3] for start in range(len(padded) - 2)]


def _is_latin(letter: str) -> bool:
    return ord(letter) < 0x250 or 0x1E00 <= ord(letter) < 0x1F00

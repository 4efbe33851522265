"""Matches a question to a finding: by identical words, else by a term that is clearly the nearest.

The similarity limits were measured on the text tower of nih-mini-vlm, with those paraphrases in models/terms.toml that
no caption contains, and with findings outside the vocabulary. For other models, only identical words count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from explorer.asking.answer import NearFinding
from explorer.asking.suggestions import suggestions
from explorer.asking.vocabulary import finding_phrases, is_listed, same_word, split_words, vocabulary, word_forms
from models.array_types import Float32
from models.exact_products import row_products

Embed = Callable[[Sequence[str]], Float32]
MEASURED_ON = frozenset({"nih-mini-vlm", "phantom-vlm"})  # these share a text tower
MAX_NEAREST = 3
MIN_MATCH_SIMILARITY = 0.6  # cosine
MIN_LEAD = 0.05  # lead over the second-nearest finding


@dataclass(frozen=True, slots=True, eq=False)
class FindingEmbeddings:
    """Embedded terms (terms, d) of every finding, in the order of the suggestions."""

    vectors: Float32

    @classmethod
    def of(cls, embed: Embed) -> FindingEmbeddings:
        """Embed the terms of every finding, once per model."""
        return cls(embed([each.word for each in suggestions()]))

    def nearest(self, text: str, vector: Float32) -> tuple[NearFinding, ...]:
        """Return the findings nearest to a text with embedding (d,), by nearest term; identical words count as 1."""
        best = dict.fromkeys((each.finding for each in suggestions()), -1.0)
        for each, similarity in zip(
            suggestions(), np.clip(row_products(vector[None], self.vectors)[0], -1, 1), strict=True
        ):
            best[each.finding] = max(best[each.finding], float(similarity))
        same = named_finding(text)
        if same:
            best[same] = 1.0
        ranked = sorted(best.items(), key=lambda item: -item[1])
        return tuple(NearFinding(*item) for item in ranked[:MAX_NEAREST])


def matching_finding(text: str, nearest: Sequence[NearFinding], measured: bool) -> NearFinding | None:
    """Return the nearest finding if it is clearly meant; `measured`: similarity is validated on this text tower."""
    first, second = nearest[:2]
    if first.finding == named_finding(text):
        return first
    clear = first.similarity >= MIN_MATCH_SIMILARITY and first.similarity - second.similarity >= MIN_LEAD
    # Opposites are similar ("abnormal" to "normal": 0.85), so Normal is matched only by its own words.
    clear = clear and first.finding != "Normal" and not _means_another(text, first.finding)
    return first if measured and clear else None


def named_finding(text: str) -> str | None:
    """Return the finding whose words the text contains in any order, with no others except side, size and site."""
    words = split_words(text)
    own = frozenset[str]().union(*map(word_forms, words))
    there = (each for each in finding_phrases() if not any(word_forms(word).isdisjoint(own) for word in each[1]))
    return next((finding for finding, phrase in there if _rest_is_neutral(words, phrase)), None)


def paraphrases(finding: str, text: str) -> tuple[str, ...]:
    """Return a finding's terms other than the text: its name, radiologists' terms and lay terms."""
    words = dict.fromkeys(each.word.casefold() for each in suggestions() if each.finding == finding)
    return tuple(word for word in words if word != text.casefold())


def _rest_is_neutral(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether the words outside the phrase are neutral."""
    others = [word for word in words if not any(same_word(word, each) for each in phrase)]
    return all(is_listed(word, vocabulary().neutral) for word in others)


def _means_another(text: str, finding: str) -> bool:
    """Return whether the text names something beyond the finding's terms: a pericardial effusion is not pleural."""
    words = vocabulary()
    telling = (word for word in split_words(text) if is_listed(word, words.named) or is_listed(word, words.organs))
    return any(
        not any(same_word(word, own) for own in _own_words(finding)) and not is_listed(word, words.neutral)
        for word in telling
    )


@cache
def _own_words(finding: str) -> tuple[str, ...]:
    """Return all words in the finding's terms."""
    words = " ".join(each.word for each in suggestions() if each.finding == finding)
    return tuple(dict.fromkeys(split_words(words)))

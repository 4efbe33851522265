"""Matches a question to a finding: by the same words, else by a clearly nearest term.

The similarity limits were measured on the text tower of nih-mini-vlm, with paraphrases of models/terms.toml that no
caption contains and with findings outside the vocabulary. For other models only the same words count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from explorer.asking.answer import NearFinding
from explorer.asking.suggestions import suggestions
from explorer.asking.vocabulary import alike, among, forms, phrases, vocabulary, words_of
from models.array_types import Float32
from models.exact_products import row_products

Embed = Callable[[Sequence[str]], Float32]
MEASURED_ON = frozenset({"nih-mini-vlm", "phantom-vlm"})  # these share a text tower
SHOWN = 3
SIMILAR = 0.6  # cosine
AHEAD = 0.05  # lead over the next finding


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Embedded terms (terms, d) of every finding, in the order of the suggestions."""

    vectors: Float32

    @classmethod
    def of(cls, embed: Embed) -> Known:
        """Embed the terms of every finding, once per model."""
        return cls(embed([each.word for each in suggestions()]))

    def nearest(self, text: str, vector: Float32) -> tuple[NearFinding, ...]:
        """Return the findings nearest to a text with embedding (d,), by their nearest term; the same words count as
        1.
        """
        best = dict.fromkeys((each.finding for each in suggestions()), -1.0)
        for each, similarity in zip(
            suggestions(), np.clip(row_products(vector[None], self.vectors)[0], -1, 1), strict=True
        ):
            best[each.finding] = max(best[each.finding], float(similarity))
        same = named(text)
        if same:
            best[same] = 1.0
        ranked = sorted(best.items(), key=lambda item: -item[1])
        return tuple(NearFinding(*item) for item in ranked[:SHOWN])


def taken_for(text: str, nearest: Sequence[NearFinding], measured: bool) -> NearFinding | None:
    """Return the nearest finding if it is clearly meant; `measured`: similarity is validated on this text tower."""
    first, second = nearest[:2]
    if first.finding == named(text):
        return first
    clear = first.similarity >= SIMILAR and first.similarity - second.similarity >= AHEAD
    # Opposites are similar ("abnormal" to "normal": 0.85), so Normal is matched only by its own words.
    clear = clear and first.finding != "Normal" and not _means_another(text, first.finding)
    return first if measured and clear else None


def named(text: str) -> str | None:
    """Return the finding whose words the text contains, in any order, with only side, size and site besides."""
    words = words_of(text)
    own = frozenset[str]().union(*map(forms, words))
    there = (each for each in phrases() if not any(forms(word).isdisjoint(own) for word in each[1]))
    return next((finding for finding, phrase in there if _rest_is_neutral(words, phrase)), None)


def paraphrases(finding: str, text: str) -> tuple[str, ...]:
    """Return a finding's other terms than the text: its name, radiologists' terms and lay terms."""
    words = dict.fromkeys(each.word.casefold() for each in suggestions() if each.finding == finding)
    return tuple(word for word in words if word != text.casefold())


def _rest_is_neutral(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether the words outside the phrase are neutral."""
    others = [word for word in words if not any(alike(word, each) for each in phrase)]
    return all(among(word, vocabulary().neutral) for word in others)


def _means_another(text: str, finding: str) -> bool:
    """Return whether the text names something outside the finding's terms: a pericardial effusion is not pleural."""
    words = vocabulary()
    telling = (word for word in words_of(text) if among(word, words.named) or among(word, words.organs))
    return any(
        not any(alike(word, own) for own in _own(finding)) and not among(word, words.neutral) for word in telling
    )


@cache
def _own(finding: str) -> tuple[str, ...]:
    """Return all words in the finding's terms."""
    words = " ".join(each.word for each in suggestions() if each.finding == finding)
    return tuple(dict.fromkeys(words_of(words)))

"""The finding that a question is taken for: the one with the same words, else the one whose words are clearly nearest.

What is near was measured on the text tower of nih-mini-vlm, with the paraphrases of models/terms.toml that no caption
holds and with findings that are none of the vocabulary's. Of another model only the same words count.
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
MEASURED_ON = frozenset({"nih-mini-vlm", "phantom-vlm"})  # they share the text tower
SHOWN = 3
SIMILAR = 0.6  # cosine
AHEAD = 0.05  # of the next finding


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """The embedded words (words, d) of every finding, in the order of the suggestions."""

    vectors: Float32

    @classmethod
    def of(cls, embed: Embed) -> Known:
        """Embed the words of every finding, once for each model."""
        return cls(embed([each.word for each in suggestions()]))

    def nearest(self, text: str, vector: Float32) -> tuple[NearFinding, ...]:
        """The findings nearest to a text with embedding (d,), by their nearest word; the same words count as 1."""
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
    """The nearest finding where it is clearly meant; `measured`: what is near was measured on this text tower."""
    first, second = nearest[:2]
    if first.finding == named(text):
        return first
    clear = first.similarity >= SIMILAR and first.similarity - second.similarity >= AHEAD
    # Opposites lie near one another, "abnormal" 0.85 to "normal": a film is called normal in the very words only.
    clear = clear and first.finding != "Normal" and not _means_another(text, first.finding)
    return first if measured and clear else None


def named(text: str) -> str | None:
    """The finding whose words the text has, however it puts them, and besides them nothing but side, size and place."""
    words = words_of(text)
    own = frozenset[str]().union(*map(forms, words))
    there = (each for each in phrases() if not any(forms(word).isdisjoint(own) for word in each[1]))
    return next((finding for finding, phrase in there if _rest_is_neutral(words, phrase)), None)


def paraphrases(finding: str, text: str) -> tuple[str, ...]:
    """Other words for a finding than the text: the finding's own name, the radiologists' and everybody else's."""
    words = dict.fromkeys(each.word.casefold() for each in suggestions() if each.finding == finding)
    return tuple(word for word in words if word != text.casefold())


def _rest_is_neutral(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether the words that are none of the phrase's are neutral ones."""
    others = [word for word in words if not any(alike(word, each) for each in phrase)]
    return all(among(word, vocabulary().neutral) for word in others)


def _means_another(text: str, finding: str) -> bool:
    """Whether the text names something that none of the finding's words name: a pericardial effusion is not pleural."""
    words = vocabulary()
    telling = (word for word in words_of(text) if among(word, words.named) or among(word, words.organs))
    return any(
        not any(alike(word, own) for own in _own(finding)) and not among(word, words.neutral) for word in telling
    )


@cache
def _own(finding: str) -> tuple[str, ...]:
    """All words in the finding's phrases."""
    words = " ".join(each.word for each in suggestions() if each.finding == finding)
    return tuple(dict.fromkeys(words_of(words)))

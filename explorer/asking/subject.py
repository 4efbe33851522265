"""Whether a question is about something a chest radiograph may show."""

from __future__ import annotations

from explorer.asking.answer import Near
from explorer.asking.known import named
from explorer.asking.vocabulary import among, vocabulary, words_of

SIMILAR = 0.55  # cosine to the nearest word for a finding, see explorer.asking.known
SHARE = 1 / 3  # of the words that are not small everyday ones


def radiographic(text: str, nearest: Near, measured: bool) -> bool:
    """Whether it names a finding, a device or a place of the chest, or is near to a finding's words."""
    if named(text):
        return True
    known, words = vocabulary(), words_of(text)
    if any(among(word, known.elsewhere) for word in words) and not any(among(word, known.anatomy) for word in words):
        return False
    telling = sum(among(word, known.telling) for word in words)
    others = sum(not among(word, known.telling) and not among(word, known.neutral) for word in words)
    if telling and telling >= SHARE * (telling + others):
        return True
    return measured and nearest.similarity >= SIMILAR

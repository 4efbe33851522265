"""Detects questions about several findings, whose averaged score would represent none of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from explorer.asking.finding_match import named
from explorer.asking.vocabulary import alike, among, phrases, vocabulary, words_of

_BETWEEN = re.compile(r"\s*(?:[,;/&+]|\b(?:and|or|plus|with|as well as|versus|vs)\b)\s*", re.IGNORECASE)


def several(text: str) -> bool:
    """Return whether the text asks for more than one thing."""
    if named(text):
        return False
    found = [part for part in _BETWEEN.split(text) if part and _asks(part)]
    if len(found) < 2:
        return len(set(_inside(words_of(text)))) > 1
    findings = {named(part) for part in found}
    return not (findings == {None} and all(_device(part) for part in found)) and not (
        len(findings) == 1 and None not in findings
    )


def anything(text: str) -> bool:
    """Return whether the text asks for any finding at all, such as "abnormal"."""
    known, words = vocabulary(), words_of(text)
    asked = [word for word in words if among(word, known.anything)]
    return bool(asked) and all(word in asked or among(word, known.neutral) for word in words) and not named(text)


def _asks(part: str) -> bool:
    """Return whether a part is a question by itself: it names a finding, or a state of an organ."""
    known, words = vocabulary(), words_of(part)
    of_place = any(among(word, known.states) for word in words) and any(among(word, known.organs) for word in words)
    return named(part) is not None or of_place or any(among(word, known.named) for word in words)


def _device(part: str) -> bool:
    return any(among(word, vocabulary().devices) for word in words_of(part))


def _inside(words: Sequence[str]) -> list[str]:
    """Return the findings whose terms occur literally in the text, longest first, without overlaps."""
    left, found = list(words), []
    for finding, phrase in phrases():
        for start in range(len(left) - len(phrase) + 1):
            if all(alike(one, other) for one, other in zip(left[start : start + len(phrase)], phrase, strict=True)):
                left[start : start + len(phrase)] = ["|"] * len(phrase)
                found.append(finding)
    return found

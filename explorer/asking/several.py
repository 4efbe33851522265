"""Detects questions about several findings, whose averaged score would represent none of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from explorer.asking.finding_match import named_finding
from explorer.asking.vocabulary import finding_phrases, is_listed, same_word, split_words, vocabulary

_BETWEEN = re.compile(r"\s*(?:[,;/&+]|\b(?:and|or|plus|with|as well as|versus|vs)\b)\s*", re.IGNORECASE)


def asks_for_several(text: str) -> bool:
    """Return whether the text asks for more than one thing."""
    if named_finding(text):
        return False
    found = [part for part in _BETWEEN.split(text) if part and _is_question(part)]
    if len(found) < 2:
        return len(set(_findings_in(split_words(text)))) > 1
    findings = {named_finding(part) for part in found}
    return not (findings == {None} and all(_names_device(part) for part in found)) and not (
        len(findings) == 1 and None not in findings
    )


def asks_for_anything(text: str) -> bool:
    """Return whether the text asks for any finding at all, such as "abnormal"."""
    known, words = vocabulary(), split_words(text)
    general = [word for word in words if is_listed(word, known.anything)]
    return (
        bool(general)
        and all(word in general or is_listed(word, known.neutral) for word in words)
        and not named_finding(text)
    )


def _is_question(part: str) -> bool:
    """Return whether a part is a question by itself: whether it names a finding or a state of an organ."""
    known, words = vocabulary(), split_words(part)
    of_place = any(is_listed(word, known.states) for word in words) and any(
        is_listed(word, known.organs) for word in words
    )
    return named_finding(part) is not None or of_place or any(is_listed(word, known.named) for word in words)


def _names_device(part: str) -> bool:
    return any(is_listed(word, vocabulary().devices) for word in split_words(part))


def _findings_in(words: Sequence[str]) -> list[str]:
    """Return the findings whose terms occur literally in the text, longest first, without overlaps."""
    left, found = list(words), []
    for finding, phrase in finding_phrases():
        for start in range(len(left) - len(phrase) + 1):
            if all(same_word(one, other) for one, other in zip(left[start : start + len(phrase)], phrase, strict=True)):
                left[start : start + len(phrase)] = ["|"] * len(phrase)
                found.append(finding)
    return found

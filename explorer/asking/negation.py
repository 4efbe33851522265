"""Removes negations from questions, because image-text models barely react to them."""

from __future__ import annotations

import re

from explorer.asking.finding_match import named_finding
from explorer.asking.vocabulary import is_listed, split_words, vocabulary

_ARTICLE = r"(?:(?:any|an?|the)\s+)*"
_EVIDENCE = rf"{_ARTICLE}(?:(?:signs?|evidence|suggestion|indication|history|trace)\s+(?:of|for)\s+)?{_ARTICLE}"
_BEFORE = re.compile(
    r"\b(?:there\s+(?:is|are|was|were)\s+)?(?:isn't\s+there|aren't\s+there|there\s+isn't|there\s+aren't|no|nothing|without|"
    r"never(?:\s+had)?|rule\s+out|exclude|r/o|"
    r"absence\s+of|lack\s+of|negative\s+for|free\s+of|free\s+from|is\s+not|are\s+not|isn't|aren't|not)"
    r"\s+" + _EVIDENCE,
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s,;]+(?:but|and|or|with)?[\s,;]*$", re.IGNORECASE)  # what remains of "effusion but no edema"
_AFTER = re.compile(
    r"\s+(?:is|are|was|were|has\s+been|have\s+been)?\s*(?:ruled\s+out|excluded|absent|"
    r"(?:not|isn't|aren't)\s+(?:there|seen|present|visible|identified|found))\s*$",
    re.IGNORECASE,
)


def without_negation(text: str) -> str:
    """Return the text without its negation; "no disease" becomes "normal", "not normal" becomes "abnormal"."""
    text = text.strip(" .?!")
    if named_finding(text):
        return text
    rest = _AFTER.sub("", text)
    found = _BEFORE.search(rest)
    if found:
        before, after = _BETWEEN.sub("", rest[: found.start()]), rest[found.end() :].strip()
        # "emphysema without bullae" becomes emphysema, "heart is not enlarged" becomes heart enlarged.
        rest = (
            before if any(is_listed(word, vocabulary().named) for word in split_words(before)) else f"{before} {after}"
        )
    rest = rest.strip()
    if rest == text or not split_words(rest):
        return text
    if named_finding(rest) == "Normal":
        return "abnormal"
    return "normal" if all(is_listed(word, vocabulary().anything) for word in split_words(rest)) else rest

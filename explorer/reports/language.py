"""Recognizes a report in another language than that of the rules, by its common words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from explorer.reports.phrases import without_accents
from explorer.reports.rules import LANGUAGES, ReportRules, rules

MIN_WORDS = 4  # common words of another language; fewer are no evidence
MIN_RATIO = 1.5  # of these to the common words of the rules' language
MAX_FOREIGN_LETTERS = 0.5  # share of letters that are not Latin
_WORD = re.compile(r"[^\W\d_]+")


def other_language(text: str, used: ReportRules) -> str | None:
    """Return the language of a report if it clearly is not that of the rules, else None.

    It is named by its common words: at least four, and half as many again as of the rules' language. A text whose
    letters are mostly not Latin is "another script". Short reports are taken as they are.
    """
    letters = [each for each in text if each.isalpha()]
    foreign = sum(ord(each) > 0x24F for each in letters)
    if letters and foreign > MAX_FOREIGN_LETTERS * len(letters):
        return "another script"
    words = [without_accents(each).casefold() for each in _WORD.findall(text)]
    own = sum(word in used.common_words for word in words)
    counts = {name: sum(word in common for word in words) for name, common in _common_words().items()}
    counts.pop(used.language, None)
    name, most = max(counts.items(), key=lambda item: item[1])
    return name if most >= MIN_WORDS and most >= MIN_RATIO * own else None


@cache
def _common_words() -> Mapping[str, frozenset[str]]:
    """Return the common words of every language known here, without accents."""
    table = tomllib.loads(Path(__file__).with_name("languages.toml").read_text(encoding="utf-8"))
    others = {name: frozenset(map(without_accents, words)) for name, words in table.items()}
    ours = (rules(language) for language in LANGUAGES)
    return others | {each.language: frozenset(map(without_accents, each.common_words)) for each in ours}

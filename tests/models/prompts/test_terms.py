"""The words for findings: every finding has them, and no phrase stands for two."""

from __future__ import annotations

import re
from collections import Counter

from explorer.core.findings import FINDINGS
from models.prompts.terms import terms


def test_every_finding_of_the_vocabulary_has_words() -> None:
    assert list(terms()) == list(FINDINGS)
    for finding, words in terms().items():
        assert words.finding == finding
        assert words.names[0] == finding.lower(), "the plainest word comes first"
        assert len(words.names) >= 3
        assert len(words.lay) >= 2
        assert len(words.held_out) >= 3


def test_no_phrase_is_written_twice() -> None:
    counts = Counter(phrase.lower() for words in terms().values() for phrase in (*words.taught, *words.held_out))
    assert not [phrase for phrase, count in counts.items() if count > 1]


def test_no_paraphrase_that_is_held_out_lies_in_a_phrase_that_is_taught() -> None:
    taught = [phrase.lower() for words in terms().values() for phrase in words.taught]
    held = [phrase.lower() for words in terms().values() for phrase in words.held_out]
    assert not [(phrase, other) for phrase in held for other in taught if re.search(rf"\b{re.escape(phrase)}\b", other)]


def test_phrases_are_plain_words() -> None:
    for words in terms().values():
        for phrase in (*words.taught, *words.held_out, words.place):
            assert re.fullmatch(r"[A-Za-z0-9' -]+", phrase), phrase
            assert phrase == " ".join(phrase.split())

"""Word lists for judging questions: radiographic terms, everyday English, other languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType

from explorer.asking.suggestions import suggestions

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class VocabularyWords:
    """Word lists in lower case. Each word of `named` is a question by itself; `telling` adds all anatomical sites.

    words.toml describes the other lists.
    """

    named: frozenset[str]
    devices: frozenset[str]
    telling: frozenset[str]
    anatomy: frozenset[str]
    organs: frozenset[str]
    elsewhere: frozenset[str]
    neutral: frozenset[str]
    anything: frozenset[str]
    unlabelled: frozenset[str]
    states: frozenset[str]
    everyday: frozenset[str]
    english: frozenset[str]
    foreign: Mapping[str, frozenset[str]]  # language -> words


@cache
def vocabulary() -> VocabularyWords:
    """Return the word lists, including the findings' terms."""
    table = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
    lists = {name: frozenset(split_words(table[name])) for name in table if name != "foreign"}
    named = lists["findings"] | lists["devices"]
    of_terms = {word for each in suggestions() for word in split_words(each.word)}
    foreign = {name.title(): frozenset(split_words(words)) for name, words in table["foreign"].items()}
    return VocabularyWords(
        named=named,
        telling=named | lists["anatomy"],
        english=frozenset().union(*lists.values()) | of_terms,
        foreign=MappingProxyType(foreign),
        **{name: lists[name] for name in lists.keys() & {field.name for field in fields(VocabularyWords)}},
    )


@cache
def finding_phrases() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each suggested term's words with its finding, longest first."""
    found = ((each.finding, tuple(split_words(each.word))) for each in suggestions())
    return tuple(sorted(found, key=lambda each: -len(each[1])))


def split_words(text: str) -> list[str]:
    """Return a text's words in lower case, without digits and punctuation."""
    return [word.replace("’", "'") for word in _WORD.findall(text.casefold())]


def is_listed(word: str, words: frozenset[str]) -> bool:
    """Return whether a word or its singular is listed."""
    return not word_forms(word).isdisjoint(words)


def same_word(one: str, other: str) -> bool:
    """Return whether two words differ at most in number."""
    return not word_forms(one).isdisjoint(word_forms(other))


@cache
def word_forms(word: str) -> frozenset[str]:
    """Return a word and its possible singular and base forms."""
    found = {word}
    if word.endswith("'s"):
        found.add(word[:-2])
    for plural, singular in (("ies", "y"), ("es", ""), ("es", "is"), ("s", ""), ("ae", "a")):
        if word.endswith(plural) and len(word) > len(plural) + 2:
            found.add(word[: -len(plural)] + singular)
    return frozenset(found)

"""Phrases as a radiologist writes them in a rule file, and their matches in a sentence.

Words match in any case, with or without accents, and in the plural. A hyphen in a phrase stands for a hyphen, a space
or nothing: `air-space` is also "airspace" and "air space". `(one|two words|)` lists choices, with an empty one if the
words may be missing; `word*` is any word that begins so; `...` stands for at most six other words of the same clause. A
period at the end, after a blank, means that the clause ends there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

MOST_BETWEEN = 6  # words that `...` stands for
_STEM = 4  # letters that a stem has at least
_MOST_CUT = 5  # letters that a stem lacks; one more of long words, and endings such as in "engrosamiento"
_LONG_WORD = 12
_LONG_ENDING = re.compile(r"[ai]mientos?$")
_LEFT_OUT = frozenset("de del la el los las al a en".split())  # small words that stemmed reports lack
_KEY = 3  # letters of a word by which phrases are looked up
_BETWEEN_WORD = r"(?:(?:{})\b|(?!(?:{})\b)[\w/'%.]*[\w'%])"  # first what may be there, then what may not
_SPACE = r"[\s\-/:]+"
_TOKEN = re.compile(r"\(([^()]*)\)|(\.\.\.)|([^\s()]+)")
_NESTED = re.compile(r"\([^()]*\(")
_KEY_AT = re.compile(r"[^\W_]+|[?#¿]")
_LETTERS = str.maketrans(
    "áàâäéèêëíìîïóòôöúùûüñçÁÀÂÄÉÈÊËÍÌÎÏÓÒÔÖÚÙÛÜÑÇ\u2019", "aaaaeeeeiiiioooouuuuncAAAAEEEEIIIIOOOOUUUUNC'"
)
_CLAUSE_ENDS = r"(?=\s*(?:[,.;:)?!]|$)|\s+(?:and|but|or|nor|in|at|on|with|given|by|here|although|though|y|en|con)\b)"

Meaning = TypeVar("Meaning")


class WrongPhrase(ValueError):
    """A phrase of a rule file that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class PhraseMatch(Generic[Meaning]):
    """Where a phrase was found: characters from `start` to `end`, and the parts in between that `...` stands for."""

    start: int
    end: int
    meaning: Meaning
    gaps: tuple[tuple[int, int], ...]

    @property
    def length(self) -> int:
        """Characters of the phrase's own words."""
        return self.end - self.start - sum(end - start for start, end in self.gaps)

    @property
    def words(self) -> list[tuple[int, int]]:
        """Where the phrase's own words are, without its gaps."""
        starts = [self.start, *(end for _, end in self.gaps)]
        ends = [*(start for start, _ in self.gaps), self.end]
        return [(start, end) for start, end in zip(starts, ends, strict=True) if start < end]

    def overlaps(self, start: int, end: int) -> bool:
        """Whether the phrase's own words, not those in its gaps, share characters with others."""
        if end <= self.start or self.end <= start:
            return False
        return not any(low <= start and end <= high for low, high in self.gaps)


class Phrases(Generic[Meaning]):
    """Phrases with a meaning each. Only those that begin like a word of the sentence are tried."""

    def __init__(
        self,
        phrases: Iterable[tuple[str, Meaning]],
        never_between: Iterable[str] = (),
        may_be_between: Iterable[str] = (),
        *,
        stems: bool = False,
    ) -> None:
        """`never_between`: words that `...` does not stand for, but for those in a text of `may_be_between`.

        `stems`: a text's words may lack their ends. Raises WrongPhrase.
        """
        never = "|".join(map(re.escape, never_between)) or "(?!)"
        allowed = "|".join(_SPACE.join(map(re.escape, each.split())) for each in may_be_between) or "(?!)"
        between = _BETWEEN_WORD.format(allowed, never)
        self._by_key: dict[str, list[tuple[re.Pattern[str], Meaning]]] = defaultdict(list)
        for text, meaning in ((each, meaning) for phrase, meaning in phrases for each in _beginnings(phrase)):
            text = without_accents(text)
            pattern = re.compile(_pattern(text, between, stems), re.IGNORECASE)
            for key in _keys(text):
                self._by_key[key].append((pattern, meaning))

    def matches(self, sentence: str) -> Iterator[PhraseMatch[Meaning]]:
        """Yield every match, overlapping ones included, in the order of the sentence."""
        sentence = without_accents(sentence)
        for word in _KEY_AT.finditer(sentence):
            for pattern, meaning in self._by_key.get(word.group()[:_KEY].casefold(), ()):
                if found := pattern.match(sentence, word.start()):
                    gaps = tuple(found.span(group) for group in range(1, pattern.groups + 1))
                    yield PhraseMatch(found.start(), found.end(), meaning, gaps)


def without_accents(text: str) -> str:
    """Return the text with plain letters for accented ones, as many characters as before."""
    return text.translate(_LETTERS)


def longest(matches: Iterable[PhraseMatch[Meaning]]) -> list[PhraseMatch[Meaning]]:
    """Return the matches, in order, without those whose words overlap the words of a longer one."""
    kept: list[PhraseMatch[Meaning]] = []
    for each in sorted(dict.fromkeys(matches), key=lambda match: (-match.length, match.start)):
        if not any(one.overlaps(each.start, each.end) and each.overlaps(one.start, one.end) for one in kept):
            kept.append(each)
    return sorted(kept, key=lambda match: match.start)


def not_inside_others(matches: Iterable[PhraseMatch[Meaning]]) -> list[PhraseMatch[Meaning]]:
    """Return the matches, in order, without those whose words all belong to a longer one.

    "Effusion" is inside "pericardial effusion", but "aorta ... calcified" and "tortuous aorta" share one word only.
    """
    kept: list[PhraseMatch[Meaning]] = []
    for each in sorted(dict.fromkeys(matches), key=lambda match: (-match.length, match.start)):
        if not any(_covers(one, each) and (one.length > each.length or one.meaning == each.meaning) for one in kept):
            kept.append(each)
    return sorted(kept, key=lambda match: match.start)


def _covers(one: PhraseMatch[Meaning], other: PhraseMatch[Meaning]) -> bool:
    return all(one.overlaps(start, end) and one.start <= start and end <= one.end for start, end in other.words)


def _beginnings(text: str) -> Iterator[str]:
    """Yield the phrase with each beginning: words that may be missing at its start are there, or not."""
    choices = _tokens(text)[0][0]
    if not choices or "" not in (each.strip() for each in choices.split("|")):
        yield text
        return
    rest = text[text.index(")") + 1 :].strip()
    yield f"({'|'.join(each for each in choices.split('|') if each.strip())}) {rest}"
    yield from _beginnings(rest)


def _pattern(text: str, between: str, stems: bool) -> str:
    """Return the regular expression of a phrase; `between` is that of a word in a gap. Raises WrongPhrase."""
    parts: list[str] = []
    tokens = _tokens(text)
    at_end = tokens[-1][2] == "." and len(tokens) > 1
    tokens = tokens[:-1] if at_end else tokens
    for place, (choices, gap, word) in enumerate(tokens):
        last = place == len(tokens) - 1
        if gap:
            parts.append(rf"((?:{_SPACE}{between}){{0,{MOST_BETWEEN}}}?)")
            continue
        before = _SPACE if place else ""
        if word:
            found = before + _word(word, last, stems)
            parts.append(f"(?:{found})?" if stems and place and word in _LEFT_OUT else found)
            continue
        options = _kept_choices(choices) if stems and place else choices.split("|")
        options = sorted((each.strip() for each in options), key=len, reverse=True)
        listed = "|".join(
            _SPACE.join(_word(one, last, stems) for one in _kept(each, stems)) for each in options if each
        )
        parts.append(f"(?:{before}(?:{listed}))" + ("?" if "" in options else ""))
    if at_end:
        return "".join(parts) + _CLAUSE_ENDS
    return "".join(parts) + ("" if text[-1] in "?#¿" else r"(?!\w)")


def _word(word: str, last: bool, stems: bool) -> str:
    """Return the expression of one word, which matches in singular and plural; only the last loses an s."""
    if stems and len(word) > _STEM and word.isalpha():
        ending = _LONG_ENDING.search(word)
        kept = max(_STEM, ending.start() if ending else len(word) - _MOST_CUT - (len(word) >= _LONG_WORD))
        return word[:kept] + "".join(f"(?:{letter}" for letter in word[kept:]) + ")?" * (len(word) - kept) + "s?"
    if word.endswith("*"):
        return _hyphens(word[:-1]) + r"\w*"
    if len(word) > 3 and word[-1].isalpha():
        if last and word.endswith("s") and not word.endswith(("ss", "us", "is")):
            return _hyphens(word[:-1]) + "s?"
        if word.endswith("y"):
            return _hyphens(word[:-1]) + "(?:y|ies|ys)"
        return _hyphens(word) + "(?:s|es)?"
    return _hyphens(word)


def _kept(choice: str, stems: bool) -> list[str]:
    """Return the words of a choice, without small ones that stemmed reports lack."""
    words = choice.split()
    return [each for each in words if not stems or each not in _LEFT_OUT] or words


def _kept_choices(choices: str) -> list[str]:
    """Return the choices; one of small words alone becomes the empty one."""
    return ["" if set(each.split()) <= _LEFT_OUT else each for each in choices.split("|")]


def _hyphens(word: str) -> str:
    return r"[\s\-]*".join(map(re.escape, word.split("-")))


def _tokens(text: str) -> list[tuple[str, str, str]]:
    """Return (choices, gap, word) of each part of a phrase, two of them empty. Raises WrongPhrase."""
    if not text.strip():
        raise WrongPhrase("a phrase is empty")
    if text.count("(") != text.count(")"):
        raise WrongPhrase(f"{text!r} has a parenthesis that is not closed")
    if _NESTED.search(text):
        raise WrongPhrase(f"{text!r} has parentheses inside parentheses: write two phrases")
    tokens = _TOKEN.findall(text)
    if not tokens[0][0] and not tokens[0][2]:
        raise WrongPhrase(f"{text!r} must begin with a word")
    if tokens[-1][1]:
        raise WrongPhrase(f"{text!r} must end with a word")
    return tokens


def _keys(text: str) -> set[str]:
    choices, _, word = _tokens(text)[0]
    keys = set()
    for first in choices.split("|") if choices else [word]:
        found = _KEY_AT.match(first.strip())
        if found is None:
            raise WrongPhrase(f"{text!r} must begin with a letter")
        if len(found.group()) < _KEY and "*" in first:
            raise WrongPhrase(f"{text!r} needs {_KEY} letters before a *")
        keys.add(found.group()[:_KEY].casefold())
    return keys

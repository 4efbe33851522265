"""Tells the sections and sentences of a report apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from explorer.reports.phrases import without_accents
from explorer.reports.rules import ReportRules

MAX_SENTENCE = 1_500  # characters: the rest is read as another sentence, so that no text takes long
MAX_WRAPPED = 50  # characters: a longer line that the next one continues is taken as wrapped
_HEADER = re.compile(
    r"(?:(?<=\n)|^|(?<=[.:;!?]\s)|(?<=[.:;!?]\s\s))[ \t]*([^\W\d_][\w/,&() \t-]{1,50}?)[ \t]*:", re.MULTILINE
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|st|vs|approx|e\.g|i\.e|cf|fig|no|resp|incl|dra|sr|sra|aprox)|\b[A-Z]|\d)\.$", re.IGNORECASE
)
_END = re.compile(
    r"[.!](?=\s|$)|(?<=[a-z])\.(?=[A-Z][a-z])|\?(?=\s+[A-Z]|\s*$)|\n[ \t]*\n|\n[ \t]*(?=[-*\u2022]|\d{1,2}[.)])|\n"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_SENTENCE_END = re.compile(r"[.?!](?=\s)")
_BULLET = re.compile(r"\s*(?:[-*\u2022]|\d{1,2}[.)])\s+")


class Sentence(NamedTuple):
    """A sentence of a labeled section, and where it starts in the report (characters)."""

    text: str
    start: int
    section: str


class Section(NamedTuple):
    """A section with its name in lower case ("" before the first header), from `start` to `end` of the report."""

    name: str
    start: int
    end: int
    labeled: bool


def sections(text: str, rules: ReportRules) -> list[Section]:
    """Return the sections of a report. Only the headers that the rules list begin one; all else is text."""
    known = rules.labeled_sections | rules.skipped_sections
    headers = [
        (name, found.start(1), found.end())
        for found in _HEADER.finditer(text)
        if (name := _header(found.group(1))) in known
    ]
    starts = [("", 0, 0), *headers]
    ends = [start for _, start, _ in headers] + [len(text)]
    found = [
        Section(name, after, end, name not in rules.skipped_sections)
        for (name, _, after), end in zip(starts, ends, strict=True)
    ]
    if found[-1].labeled:
        return [each for each in found if text[each.start : each.end].strip()]
    return [*found[:-1], *_up_to_the_report(text, found[-1])]


def _up_to_the_report(text: str, last: Section) -> Iterator[Section]:
    """Yield a last section that is skipped; after its first paragraph, else its first sentence, the report begins."""
    body = text[last.start : last.end]
    found = _PARAGRAPH.search(body, len(body) - len(body.lstrip())) or _SENTENCE_END.search(body)
    at = last.start + found.end() if found else last.end
    yield last._replace(end=at)
    if text[at : last.end].strip():
        yield Section("", at, last.end, True)


def _header(words: str) -> str:
    return " ".join(without_accents(words).casefold().split())


def sentences(text: str, rules: ReportRules) -> Iterator[Sentence]:
    """Yield the sentences of the labeled sections."""
    for section in sections(text, rules):
        if section.labeled:
            yield from _split(text, section)


def _split(text: str, section: Section) -> Iterator[Sentence]:
    start = section.start
    for mark in _END.finditer(text, section.start, section.end):
        if _goes_on(text, start, mark, section.end):
            continue
        yield from _sentence(text, start, mark.end(), section.name)
        start = mark.end()
    yield from _sentence(text, start, section.end, section.name)


def _goes_on(text: str, start: int, mark: re.Match[str], end: int) -> bool:
    """Whether the mark does not end the sentence: an abbreviation, a number, or a line that is only wrapped."""
    if mark.group() == ".":
        after = text[mark.end() : end].lstrip()
        short = _ABBREVIATED.search(text[max(start, mark.end() - 8) : mark.end()])
        return bool(short) and bool(after) and not after[0].isupper()
    if mark.group() == "\n":
        line = text[text.rfind("\n", 0, mark.start()) + 1 : mark.start()]
        after = text[mark.end() : end].lstrip(" \t")
        return not after[:1].isupper() or len(line) > MAX_WRAPPED
    return False


def _sentence(text: str, start: int, end: int, section: str) -> Iterator[Sentence]:
    if bullet := _BULLET.match(text, start, end):
        start = bullet.end()
    while end - start > MAX_SENTENCE:
        cut = max(text.rfind(" ", start, start + MAX_SENTENCE), start + MAX_SENTENCE // 2)
        yield from _sentence(text, start, cut, section)
        start = cut
    part = text[start:end]
    if part.strip():
        yield Sentence(part.rstrip(), start, section)

"""Decides which cues of a sentence hold for a mention: those whose list or clause it belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from explorer.reports.phrases import PhraseMatch
from explorer.reports.rules import Cue, Mentioned, ReportRules

_SEPARATOR = re.compile(r",|\band\b|\by\b|\be\b|&|/(?=\s)", re.IGNORECASE)
_OR = re.compile(r"\b(?:or|nor|o|ni|u)\b", re.IGNORECASE)
_LAST_OF_LIST = re.compile(r",\s*(?:or|nor|and/or|o|ni)\b", re.IGNORECASE)
_ASIDE = re.compile(
    r",?\s*(?:that|which|que)\s+(?:was|were|is|are|had been|has been|era|estaba|fue)\b|"
    r",\s*(?:previously|formerly|seen|noted|described|better|described)\b",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(r"[\s,]*(?:and\s+|y\s+)?([\w'?]+)")
_WITH = re.compile(r"\b(?:with|con)\b|\bw/", re.IGNORECASE)
_IN_THE = re.compile(
    r"(?<!\band )(?<!\bor )\b(?:within|inside|in|near|around|adjacent to|beside|behind|alongside|along|about"
    r"|next to|overlying|of)"
    r"\s+(?:the|this|that)\s+(?:[\w-]+\s+){0,2}$",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"(?<!\bseen )(?<!\bnoted )(?<!\bpresent )\b(?:since|after|once|until|when|desde|tras)\b", re.IGNORECASE
)
_JOINS = re.compile(r"^(?:and|or|nor|y|e|o|ni)\b", re.IGNORECASE)


def holds_for(
    cue: PhraseMatch[Cue],
    mention: PhraseMatch[Mentioned],
    others: Sequence[PhraseMatch[Mentioned]],
    sentence: str,
    rules: ReportRules,
) -> bool:
    """Whether a cue holds for the mention; `others` are all mentions of the sentence, positions are its characters."""
    if any(low <= cue.start and cue.end <= high for low, high in mention.gaps):
        return True
    reach = cue.meaning.reach
    if cue.end <= mention.start:
        between = sentence[cue.end : mention.start]
        if _place_of_another(cue.end, mention, others, sentence):
            return False
        if reach == "before":
            return _in_list(between, sentence[mention.end :], cue.meaning.kind == "not_about_now", rules)
        return reach in ("next", "beside") and _directly(between, cue.end, mention, others, sentence, rules)
    if mention.end <= cue.start:
        between = sentence[mention.end : cue.start]
        if reach == "last":
            return not any(mention.end <= each.start and each.end <= cue.start for each in others)
        if reach == "after" and _of_a_later_event(mention.end, cue.start, others, sentence):
            return False
        if reach == "after":
            lists = _OR.match(sentence, cue.start) is not None
            return _in_clause(between, lists, rules) and not _place_of_another(0, mention, others, sentence)
        return reach == "beside" and not _ends_direct(between, rules)
    return False


def alternatives(
    one: PhraseMatch[Mentioned], other: PhraseMatch[Mentioned], sentence: str, rules: ReportRules
) -> str | None:
    """Return the "or" that joins two mentions as explanations of one appearance, or None."""
    between = sentence[one.end : other.start] if one.end <= other.start else ""
    found = _OR.search(between)
    if found is None or _ends_direct(between.replace(",", " "), rules):
        return None
    return found.group()


def _in_list(between: str, after: str, over_and: bool, rules: ReportRules) -> bool:
    """Whether a list that a cue opens still holds after the words `between`; `after` follows the mention.

    `over_and`: an "and" does not end it, whatever follows.
    """
    if rules.ends.search(between) or rules.verbs.search(between):
        return False
    ended = rules.ends.search(after)
    rest = after[: ended.start()] if ended else after
    for separator in _SEPARATOR.finditer(between):
        if over_and and separator.group() != ",":
            continue
        item = between[separator.end() :] + rest
        first = _FIRST_WORD.match(item)
        if first is None or first.group(1).casefold() not in rules.begins or _OR.match(item.lstrip()):
            continue
        goes_on = _OR if first.group(1).casefold() in rules.narrows else _LAST_OF_LIST
        if not goes_on.search(item):
            return False
    return True


def _in_clause(between: str, lists: bool, rules: ReportRules) -> bool:
    """Whether what a cue says of the words before it includes a mention that `between` follows.

    `lists`: the cue itself ends a list, such as "or both".
    """
    plain = _ASIDE.sub(" ", between.strip(" :-\u2013\u2014"))
    if rules.ends.search(plain) or rules.verbs.search(plain):
        return False
    separators = [each for each in _SEPARATOR.finditer(plain) if plain[each.end() :].strip()]
    if not separators or lists:
        return True
    joined = _JOINS.match(plain[separators[-1].start() :].lstrip(", ")) or _OR.search(plain)
    return bool(joined) and not _new_statement(plain, separators[-1], rules)


def _new_statement(text: str, separator: re.Match[str], rules: ReportRules) -> bool:
    first = _FIRST_WORD.match(text[separator.end() :])
    return first is not None and first.group(1).casefold() in rules.begins and separator.group() == ","


def _directly(
    between: str,
    start: int,
    mention: PhraseMatch[Mentioned],
    others: Sequence[PhraseMatch[Mentioned]],
    sentence: str,
    rules: ReportRules,
) -> bool:
    """Whether a cue that ends at `start` describes the mention itself, not another one on the way to it."""
    if _ends_direct(between, rules):
        return False
    passed = [each for each in others if start <= each.start and each.end <= mention.start]
    return all(_OR.search(sentence[each.end : mention.start]) for each in passed)


def _ends_direct(between: str, rules: ReportRules) -> bool:
    """Whether words between a cue and a mention, or two mentions, do more than describe the second."""
    return bool(
        _SEPARATOR.search(between) or rules.ends.search(between) or rules.verbs.search(between) or _WITH.search(between)
    )


def _of_a_later_event(start: int, end: int, others: Sequence[PhraseMatch[Mentioned]], sentence: str) -> bool:
    """Whether the words before a cue name another mention's event: "effusion larger since the drain was removed"."""
    since = _SINCE.search(sentence, start, end)
    return since is not None and any(since.end() <= each.start and each.end <= end for each in others)


def _place_of_another(
    start: int, mention: PhraseMatch[Mentioned], others: Sequence[PhraseMatch[Mentioned]], sentence: str
) -> bool:
    """Whether the mention only says where another one, after `start`, is: "no calcification in the nodule"."""
    before = _IN_THE.search(sentence, start, mention.start)
    return before is not None and any(
        start <= each.start and each.end <= before.start() and each.meaning.says != "something else" for each in others
    )


def nearest(
    cues: Sequence[PhraseMatch[Cue]],
    mention: PhraseMatch[Mentioned],
    others: Sequence[PhraseMatch[Mentioned]],
    sentence: str,
    rules: ReportRules,
) -> list[PhraseMatch[Cue]]:
    """Return the cues that hold for the mention, the nearest first."""
    holding = [each for each in cues if holds_for(each, mention, others, sentence, rules)]
    return sorted(holding, key=lambda cue: min(abs(mention.start - cue.end), abs(cue.start - mention.end)))

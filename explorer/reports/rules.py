"""Reads rule files: what mentions a finding, and which cues negate it or leave it open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from explorer.core.finding_names import InvalidName, finding_name
from explorer.core.finding_words import finding_of
from explorer.core.word_lists import comma_list
from explorer.reports.phrases import Phrases, WrongPhrase
from models.prompts.terms import terms
from models.refusal import Refusal
from models.toml_text import WrongToml, toml_table

State = Literal["present", "absent", "uncertain"]
CueKind = Literal[
    "not_a_cue",
    "not_about_now",
    "uncertain_before_negation",
    "negation",
    "resolved",
    "uncertain_after_negation",
    "earlier",
]
PhraseSays = Literal["present", "absent", "uncertain", "present with a cue", "something else"]
Reach = Literal["before", "next", "after", "beside", "last"]
Language = Literal["english", "spanish"]

LANGUAGES: tuple[Language, ...] = get_args(Language)
CUE_KINDS: tuple[CueKind, ...] = get_args(CueKind)  # in the order in which they are tried
REACHES: tuple[Reach, ...] = get_args(Reach)
_FINDING_KEYS = (
    "mentions",
    "absent",
    "uncertain",
    "with_cue",
    "not_mentions",
    "left_out",
    "only_own",
    "implies",
    "lasting",
    "done_to_patient",
)
_TOP_KEYS = (
    "language",
    "extends",
    "stems",
    "never_between",
    "may_be_between",
    "common_words",
    "sections",
    "statement",
    "cues",
    "findings",
)
_SAYS: Mapping[str, PhraseSays] = MappingProxyType(
    {
        "mentions": "present",
        "absent": "absent",
        "uncertain": "uncertain",
        "with_cue": "present with a cue",
        "not_mentions": "something else",
    }
)


class WrongRules(Refusal):
    """A rule file that cannot be used: `title` says which, `detail` what is wrong."""


class Mentioned(NamedTuple):
    """What a phrase says of a finding by itself."""

    finding: str
    says: PhraseSays


class Cue(NamedTuple):
    """What a cue does, and to mentions on which side of it."""

    kind: CueKind
    reach: Reach


@dataclass(frozen=True, slots=True, eq=False)
class ReportRules:
    """Rules of one language, ready to use. `findings` are all that they name, in the order of the file."""

    language: str
    findings: tuple[str, ...]
    mentions: Phrases[Mentioned]
    cues: Phrases[Cue]
    done_to_patient: frozenset[str]  # findings that "status post" leaves
    lasting: frozenset[str]  # findings that "prior" leaves
    implies: Mapping[str, tuple[str, ...]]  # finding -> others of which the same is said
    labeled_sections: frozenset[str]
    skipped_sections: frozenset[str]
    ends: re.Pattern[str]  # words that end what a cue holds for
    verbs: re.Pattern[str]
    begins: frozenset[str]  # first words of a new statement after a comma or "and"
    narrows: frozenset[str]  # of these, words that narrow what a list denies if an "or" follows
    common_words: frozenset[str]


@cache
def rules(language: Language = "english") -> ReportRules:
    """Return the shipped rules of a language; Spanish is experimental."""
    return _rules(_shipped(language), f"{language}.toml")


def read_rules(path: Path) -> ReportRules:
    """Return the rules of a user's file: a full one, or one that `extends` a shipped language. Raises WrongRules."""
    try:
        table = toml_table(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise WrongRules(f"{path} cannot be read", f"{error.strerror}.") from error
    except (UnicodeDecodeError, WrongToml) as error:
        raise WrongRules(f"{path} is not TOML in UTF-8", f"{error}.") from error
    base = table.pop("extends", None)
    if base is not None and base not in LANGUAGES:
        raise WrongRules(f"{path} extends {base!r}", f"It can extend: {comma_list(LANGUAGES)}.")
    return _rules(table if base is None else _joined(_shipped(base), table), str(path))


def with_own_findings(synonyms: Mapping[str, Sequence[str]], language: Language = "english") -> ReportRules:
    """Return the shipped rules with more findings or synonyms: `{"Lung Cavity": ["cavity", "cavitary lesion"]}`.

    Raises WrongRules.
    """
    more = {"findings": {finding: {"mentions": list(phrases)} for finding, phrases in synonyms.items()}}
    return _rules(_joined(_shipped(language), more), "the synonyms given")


def _shipped(language: Language) -> dict[str, Any]:
    return toml_table((Path(__file__).parent / f"{language}.toml").read_text(encoding="utf-8"))


def _joined(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Return both tables as one: lists are joined, and single values of the second win."""
    joined = dict(base)
    for key, value in more.items():
        old = joined.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            joined[key] = _joined(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            joined[key] = [*old, *value]
        else:
            joined[key] = value
    return joined


def _rules(table: dict[str, Any], where: str) -> ReportRules:
    _refuse_unknown(table, _TOP_KEYS, where)
    findings = _table(table, "findings", where)
    cues, statement, sections = (_table(table, key, where) for key in ("cues", "statement", "sections"))
    _refuse_unknown(cues, CUE_KINDS, f"{where}, cues")
    language = table.get("language", "English")
    stems = table.get("stems", False)
    if not isinstance(stems, bool):
        raise WrongRules(f"{where}: stems is neither true nor false", "Write: stems = true.")
    between = [_words(table, key, where) for key in ("never_between", "may_be_between")]
    try:
        mentions = Phrases(_mentions(findings, str(language), where), *between, stems=stems)
        cue_phrases = Phrases(_cues(cues, where), *between, stems=stems)
        names = tuple(dict.fromkeys(_finding(name) for name in findings))
    except (WrongPhrase, InvalidName) as error:
        raise WrongRules(f"{where} has a wrong phrase", f"{error}.") from error
    done = frozenset(_finding(name) for name, row in findings.items() if row.get("done_to_patient"))
    lasting = frozenset(_finding(name) for name, row in findings.items() if row.get("lasting"))
    implied = {
        _finding(name): tuple(map(_finding, _words(row, "implies", f"{where}, findings, {name}")))
        for name, row in findings.items()
    }
    return ReportRules(
        language=str(language),
        findings=names,
        mentions=mentions,
        cues=cue_phrases,
        done_to_patient=done,
        lasting=lasting | done,
        implies=implied,
        labeled_sections=frozenset(_words(sections, "labeled", where)),
        skipped_sections=frozenset(_words(sections, "skipped", where)),
        ends=_any_of(_words(statement, "ends", where), r"[;:]|\s[-\u2013\u2014]\s"),
        verbs=_any_of(_words(statement, "verbs", where)),
        begins=frozenset(_words(statement, "begins", where)),
        narrows=frozenset(_words(statement, "narrows", where)),
        common_words=frozenset(_words(table, "common_words", where)),
    )


def _mentions(findings: dict[str, Any], language: str, where: str) -> Iterator[tuple[str, Mentioned]]:
    """Yield the phrases of every finding; English ones include the names that the prompts have for it."""
    for name, row in findings.items():
        place = f"{where}, findings, {name}"
        if not isinstance(row, dict):
            raise WrongRules(f"{place} is not a table", 'Write: mentions = ["a phrase", "another"].')
        _refuse_unknown(row, _FINDING_KEYS, place)
        finding = _finding(name)
        for key, says in _SAYS.items():
            yield from ((phrase, Mentioned(finding, says)) for phrase in _words(row, key, place))
        known = terms().get(finding) if language == "English" and not row.get("only_own") else None
        if known is not None:
            left_out = {each.casefold() for each in _words(row, "left_out", place)}
            shared = (*known.names, *known.lay, *known.held_out)
            yield from ((each, Mentioned(finding, "present")) for each in shared if each.casefold() not in left_out)


def _cues(cues: dict[str, Any], where: str) -> Iterator[tuple[str, Cue]]:
    for kind in CUE_KINDS:
        table = _table(cues, kind, where)
        _refuse_unknown(table, REACHES, f"{where}, cues, {kind}")
        for reach in REACHES:
            yield from ((phrase, Cue(kind, reach)) for phrase in _words(table, reach, where))


def _finding(name: str) -> str:
    """Return a finding in Tailscope's spelling, or a name of the user's own. Raises InvalidName."""
    return finding_of(name) or finding_name(name)


def _table(table: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise WrongRules(f"{where}: {key} is not a table", f"Write it as [{key}].")
    return found


def _words(table: dict[str, Any], key: str, where: str) -> list[str]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise WrongRules(f"{where}: {key} is not a list of texts", f'Write: {key} = ["a phrase", "another"].')
    return found


def _refuse_unknown(table: dict[str, Any], known: Sequence[str], where: str) -> None:
    unknown = [key for key in table if key not in known]
    if unknown:
        raise WrongRules(
            f"{where} has {', '.join(map(repr, unknown))}, which means nothing", f"It may say: {comma_list(known)}."
        )


def _any_of(words: Sequence[str], marks: str = "(?!)") -> re.Pattern[str]:
    listed = "|".join(r"\s+".join(map(re.escape, each.split())) for each in words) or "(?!)"
    return re.compile(rf"\b(?:{listed})\b|{marks}", re.IGNORECASE)

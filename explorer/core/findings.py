"""Findings, taxonomies, other datasets' words for findings, and frequency groups: the vocabulary of all rooms.

The facts are CSV files in `explorer/core/data/`; their README names the sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, get_args

from explorer.core.data_files import data_rows

ChallengeTask = Literal["seen", "unseen"]
Task = Literal["seen", "unseen", "nih"]  # "nih": labeled in NIH ChestX-ray14 but not among the 36 of CXR-LT 2026
FrequencySource = Literal["paper", "padchest", "nih"]

FREQUENCY_SOURCES: tuple[FrequencySource, ...] = get_args(FrequencySource)
PADCHEST_FRONTAL = 110_633  # films
NIH_FRONTAL = 112_120  # films

COMPATIBLE_WITH_NORMAL = ("Normal", "Support Devices")  # labels that a Normal film may have


class FrequencyGroup(StrEnum):
    """How often a finding is present, in the terms of CXR-LT 2026. `Normal` is a group of its own."""

    NORMAL = "normal"
    COMMON = "common"  # more than 10 % of films
    MEDIUM = "medium"  # 1 to 10 %
    RARE = "rare"  # 0.1 to 1 %
    VERY_RARE = "very rare"  # less than 0.1 %

    @classmethod
    def of(cls, fraction: float) -> FrequencyGroup:
        """Return the group of an abnormal finding that is present in `fraction` of a table's films."""
        if fraction > 0.1:
            return cls.COMMON
        if fraction >= 0.01:
            return cls.MEDIUM
        return cls.RARE if fraction >= 0.001 else cls.VERY_RARE


class Outcome(StrEnum):
    """The outcome of a (film, finding) pair at the operating point: called present if score >= threshold."""

    MISS = "miss"
    FALSE_ALARM = "false alarm"
    HIT = "hit"
    CORRECT_REJECTION = "correct rejection"


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding in Tailscope's spelling, with the words that PadChest and NIH ChestX-ray14 use for it."""

    name: str
    task: Task
    paper_group: FrequencyGroup | None  # None: the paper groups only its 30 seen findings
    padchest_words: tuple[str, ...]  # empty: PadChest has no word for it
    padchest_frontal: int | None  # how many of the PADCHEST_FRONTAL films have any of them
    nih_word: str | None
    nih_images: int | None  # how many of the NIH_FRONTAL films have the word


@dataclass(frozen=True, slots=True)
class SourcedGroup:
    """A frequency group, its source and, if the source is a table, the counts behind it."""

    group: FrequencyGroup
    source: FrequencySource
    count: int | None  # films with the finding; None where the source publishes no count
    denominator: int | None  # films in the table


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The label list of a dataset or challenge, in its own spelling and order."""

    name: str
    seen: tuple[str, ...]
    unseen: tuple[str, ...]


def frequency_group(finding: str, source: FrequencySource) -> SourcedGroup | None:
    """Return the frequency group of a finding according to one source, or None if that source does not have it.

    "paper": the groups of CXR-LT 2026, reconstructed from its published group means. "padchest" and "nih": cut-offs of
    10 %, 1 % and 0.1 % on PadChest's frontal films and on NIH ChestX-ray14.
    Raises KeyError for an unknown finding.
    """
    known = FINDINGS[finding]
    if source == "paper":
        return SourcedGroup(known.paper_group, source, None, None) if known.paper_group else None
    counts = {"padchest": (known.padchest_frontal, PADCHEST_FRONTAL), "nih": (known.nih_images, NIH_FRONTAL)}
    count, denominator = counts[source]
    if count is None:
        return None
    group = FrequencyGroup.NORMAL if finding == "Normal" else FrequencyGroup.of(count / denominator)
    return SourcedGroup(group, source, count, denominator)


def _cxrlt_finding(row: dict[str, str]) -> Finding:
    words = tuple(word for word in row["padchest_words"].split("; ") if word)
    return Finding(
        name=row["finding"],
        task="unseen" if row["task"] == "unseen" else "seen",
        paper_group=None if row["paper_group"] == "unseen" else FrequencyGroup(row["paper_group"]),
        padchest_words=words,
        padchest_frontal=int(row["padchest_frontal"]) if words else None,
        nih_word=row["nih_word"] or None,
        nih_images=int(row["nih_images"]) if row["nih_images"] else None,
    )


def _nih_finding(row: dict[str, str]) -> Finding:
    return Finding(row["finding"], "nih", None, (), None, row["nih_word"], int(row["nih_images"]))


def _findings() -> Mapping[str, Finding]:
    seen_and_unseen = [_cxrlt_finding(row) for row in data_rows("findings.csv")]
    nih_only = [_nih_finding(row) for row in data_rows("nih_findings.csv")]
    return MappingProxyType({finding.name: finding for finding in (*seen_and_unseen, *nih_only)})


def _taxonomies() -> Mapping[str, Taxonomy]:
    labels: dict[str, dict[str, list[str]]] = {}
    for row in data_rows("taxonomies.csv"):
        labels.setdefault(row["taxonomy"], {"seen": [], "unseen": []})[row["task"]].append(row["finding"])
    return MappingProxyType(
        {name: Taxonomy(name, tuple(tasks["seen"]), tuple(tasks["unseen"])) for name, tasks in labels.items()}
    )


FINDINGS: Mapping[str, Finding] = _findings()
# The findings of CXR-LT 2026: with training films (Task 1) and without (Task 2).
TASKS: Mapping[ChallengeTask, tuple[str, ...]] = MappingProxyType(
    {task: tuple(name for name, each in FINDINGS.items() if each.task == task) for task in get_args(ChallengeTask)}
)
TAXONOMIES: Mapping[str, Taxonomy] = _taxonomies()
# A dataset's word -> finding.
NIH_WORDS: Mapping[str, str] = MappingProxyType(
    {finding.nih_word: finding.name for finding in FINDINGS.values() if finding.nih_word}
)
PADCHEST_WORDS: Mapping[str, str] = MappingProxyType(
    {word: finding.name for finding in FINDINGS.values() for word in finding.padchest_words}
)

"""Doubtful labels, and the results of a rule that finds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

IssueRule = Literal["contradiction", "report", "near-duplicate", "missing", "confident"]


@dataclass(frozen=True, slots=True)
class LabelIssue:
    """A doubtful label: the reason as a sentence with its numbers, and the films concerned."""

    rule: IssueRule
    reason: str
    cases: tuple[str, ...]
    finding: str | None  # None: several


@dataclass(frozen=True, slots=True)
class CheckedFinding:
    """A finding that a rule checked: its films labeled present and absent, and its issues."""

    finding: str
    positives: int
    negatives: int
    issues: int


@dataclass(frozen=True, slots=True)
class RuleIssues:
    """One rule's issues in the slice's films, strongest first; `checked`: how many are wrong by another label source.

    A score-based rule lists the findings it checked in `looked_at`, and those it skipped, with reasons, in `excluded`.
    """

    rule: IssueRule
    title: str
    explains: str
    total: int
    issues: tuple[LabelIssue, ...]
    excluded: tuple[tuple[str, str], ...] = ()
    looked_at: tuple[CheckedFinding, ...] = ()
    checked: str = ""


def single_finding(findings: Sequence[str]) -> str | None:
    """Return the finding if there is exactly one, else None."""
    return findings[0] if len(findings) == 1 else None

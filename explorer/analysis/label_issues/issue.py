"""A label that may be wrong, and what a rule found of such labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Rule = Literal["contradiction", "near-duplicate", "confident"]


@dataclass(frozen=True, slots=True)
class LabelIssue:
    """What speaks against a label: one sentence with its numbers, and the films that it is about."""

    rule: Rule
    reason: str
    cases: tuple[str, ...]
    finding: str | None  # None: several


@dataclass(frozen=True, slots=True)
class LookedAt:
    """A finding that a rule asks about: the films labeled present and absent that it counts, and its issues."""

    finding: str
    positives: int
    negatives: int
    issues: int


@dataclass(frozen=True, slots=True)
class RuleIssues:
    """What one rule finds in the slice's films, the strongest first.

    `looked_at` are the findings that a rule of scores asks about; `excluded` those that it does not, and why.
    """

    rule: Rule
    title: str
    explains: str
    total: int
    issues: tuple[LabelIssue, ...]
    excluded: tuple[tuple[str, str], ...] = ()
    looked_at: tuple[LookedAt, ...] = ()


def only(findings: Sequence[str]) -> str | None:
    """The finding where there is one."""
    return findings[0] if len(findings) == 1 else None

"""Label issues with their films, for the script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from explorer.analysis.label_issues.issue import IssueRule
from explorer.analysis.label_issues.rules import RuleIssues
from explorer.store.filter_kinds import as_word
from explorer.ui.shared.film_line import FilmLinePayload, film_line_payload
from explorer.ui.shared.services import Services


class IssuePayload(TypedDict):
    """Evidence against a label; `finding` is null if it is about several, `word` is its address word."""

    reason: str
    finding: str | None
    word: str | None
    films: list[FilmLinePayload]


class ExcludedPayload(TypedDict):
    """A finding that a rule does not check, and why."""

    finding: str
    why: str


class LookedAtPayload(TypedDict):
    """A finding that a rule checks: its films labeled present and absent, and its issues."""

    finding: str
    positives: int
    negatives: int
    issues: int


class RulePayload(TypedDict):
    """A rule, the strongest of its `total` issues, and the findings that it checks."""

    rule: IssueRule
    title: str
    explains: str
    total: int
    checked: str
    excluded: list[ExcludedPayload]
    looked_at: list[LookedAtPayload]
    issues: list[IssuePayload]


def rules_payload(services: Services, cohort: str, rules: tuple[RuleIssues, ...]) -> list[RulePayload]:
    """Every rule with its issues."""
    names = sorted({case for rule in rules for issue in rule.issues for case in issue.cases})
    known = services.store.cases(cohort, names)
    films = {film.case: film_line_payload(services.images, cohort, film) for film in known}
    return [_rule(rule, films) for rule in rules]


def _rule(rule: RuleIssues, films: Mapping[str, FilmLinePayload]) -> RulePayload:
    return {
        "rule": rule.rule,
        "title": rule.title,
        "explains": rule.explains,
        "total": rule.total,
        "checked": rule.checked,
        "excluded": [{"finding": finding, "why": why} for finding, why in rule.excluded],
        "looked_at": [
            {"finding": each.finding, "positives": each.positives, "negatives": each.negatives, "issues": each.issues}
            for each in rule.looked_at
        ],
        "issues": [
            {
                "reason": issue.reason,
                "finding": issue.finding,
                "word": as_word(issue.finding) if issue.finding else None,
                "films": [films[case] for case in issue.cases if case in films],
            }
            for issue in rule.issues
        ],
    }

"""Doubted labels with their films, as the script gets them."""

from __future__ import annotations

from explorer.analysis.label_issues.rules import RuleIssues
from explorer.store.filter_kinds import as_word
from explorer.ui.explore.film_line import film_lines
from explorer.ui.explore.panel_words import Json
from explorer.ui.explore.services import Services


def doubts_payload(services: Services, cohort: str, rules: tuple[RuleIssues, ...]) -> list[Json]:
    """Every rule with what it found; the films by id, each with its thumbnail or the file that it would show."""
    names = sorted({case for rule in rules for doubt in rule.doubts for case in doubt.cases})
    films = film_lines(services, cohort, names)
    return [_rule(rule, films) for rule in rules]


def _rule(rule: RuleIssues, films: dict[str, Json]) -> Json:
    return {
        "rule": rule.rule,
        "title": rule.title,
        "explains": rule.explains,
        "total": rule.total,
        "excluded": [{"finding": finding, "why": why} for finding, why in rule.excluded],
        "doubts": [
            {
                "reason": doubt.reason,
                "finding": doubt.finding,
                "word": as_word(doubt.finding) if doubt.finding else None,
                "films": [films[case] for case in doubt.cases if case in films],
            }
            for doubt in rule.doubts
        ],
    }

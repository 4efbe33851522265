"""Labels from reports: what a report says of each finding, by rules that a radiologist can read and change."""

from explorer.reports.labeling import Mention, aggregated, label, mentions
from explorer.reports.rules import LANGUAGES, ReportRules, WrongRules, read_rules, rules, with_own_findings

__all__ = [
    "LANGUAGES",
    "Mention",
    "ReportRules",
    "WrongRules",
    "aggregated",
    "label",
    "mentions",
    "read_rules",
    "rules",
    "with_own_findings",
]

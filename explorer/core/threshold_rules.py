"""The rules for choosing thresholds on a cohort, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

RuleName = Literal["youden", "f1", "sens90", "spec90"]
RULE_NAMES: tuple[RuleName, ...] = get_args(RuleName)
RULE_WORDS: Mapping[RuleName, str] = {
    "youden": "Youden",
    "f1": "best F1",
    "sens90": "sensitivity at least 0.90",
    "spec90": "specificity at least 0.90",
}
FIXED_PREFIX = "fixed at "  # start of a rule with one number for all findings, not chosen on data
BY_FOLD = "fold"  # in place of films: each fold's thresholds are chosen on the other folds


def is_chosen(rule: str) -> bool:
    """Whether a threshold by this rule was chosen for its finding; one number for all findings was not."""
    return not rule.startswith(FIXED_PREFIX)

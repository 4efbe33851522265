"""The rules by which thresholds can be chosen for a cohort, by the word that names each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

RuleName = Literal["youden", "f1", "sens90", "spec90"]
RULES: tuple[RuleName, ...] = get_args(RuleName)
RULE_WORDS: Mapping[RuleName, str] = {
    "youden": "Youden",
    "f1": "best F1",
    "sens90": "sensitivity at least 0.90",
    "spec90": "specificity at least 0.90",
}
FIXED = "fixed at "  # a rule of one number for every finding begins so: it was chosen on no data
FOLD = "fold"  # in place of films: each fold's thresholds are chosen on the other folds


def is_chosen(rule: str) -> bool:
    """Whether a threshold by this rule says anything of its finding: one number for all findings does not."""
    return not rule.startswith(FIXED)

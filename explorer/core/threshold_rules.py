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
FOLD = "fold"  # in place of films: each fold's thresholds are chosen on the other folds

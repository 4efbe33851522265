"""How a table is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from explorer.core.uncertainty import Policy

Grouping = Literal["paper", "padchest", "nih", "cohort"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is chosen beside the files. `threshold`: called present where score >= threshold.

    `thresholds` are those of single findings, in place of it; a finding that is not among them has none.
    """

    grouping: Grouping = "paper"
    uncertain: Policy = "ignore"
    threshold: float = 0.5
    resamples: int = 1000
    seed: int = 0
    thresholds: Mapping[str, float] | None = None

"""How a table is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from explorer.core.uncertainty import Policy

Grouping = Literal["paper", "padchest", "nih", "cohort"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is chosen beside the files. `threshold`: called present where score >= threshold."""

    grouping: Grouping = "paper"
    uncertain: Policy = "ignore"
    threshold: float = 0.5
    resamples: int = 1000
    seed: int = 0

"""The settings for computing a table of metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from explorer.core.uncertainty import Policy

Grouping = Literal["paper", "padchest", "nih", "cohort"]
IntervalKind = Literal["percentile", "bias-corrected"]  # of a bootstrap


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings besides the files. `threshold`: a finding is called present if score >= threshold.

    `thresholds`, if given, replaces it with one per finding; findings not in it have none. Means leave out findings
    with fewer than `min_positives` positives.
    """

    grouping: Grouping = "paper"
    uncertain: Policy = "ignore"
    threshold: float = 0.5
    resamples: int = 1000
    seed: int = 0
    thresholds: Mapping[str, float] | None = None
    min_positives: int = 0
    intervals: IntervalKind = "percentile"

"""F1 of a state over mentions, with an interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RESAMPLES = 2_000


@dataclass(frozen=True)
class Agreement:
    """Pairs by what the reference and the labeler say of one state: both, only the labeler, only the reference."""

    both: int
    labeler_only: int
    reference_only: int

    @property
    def n(self) -> int:
        return self.both + self.reference_only

    @property
    def f1(self) -> float:
        errors = self.labeler_only + self.reference_only
        return 2 * self.both / (2 * self.both + errors) if self.both + errors else float("nan")

    @property
    def precision(self) -> float:
        return self.both / max(self.both + self.labeler_only, 1)

    @property
    def recall(self) -> float:
        return self.both / max(self.n, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """95 %, from 2,000 resamples of the pairs that either names (seed 1)."""
        counts = np.array([self.both, self.labeler_only, self.reference_only])
        total = int(counts.sum())
        if not total:
            return float("nan"), float("nan")
        drawn = np.random.default_rng(1).multinomial(total, counts / total, RESAMPLES)
        f1 = 2 * drawn[:, 0] / (2 * drawn[:, 0] + drawn[:, 1] + drawn[:, 2])
        low, high = np.percentile(f1, [2.5, 97.5])
        return float(low), float(high)

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            self.both + other.both,
            self.labeler_only + other.labeler_only,
            self.reference_only + other.reference_only,
        )

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.f1:.3f} [{low:.3f}-{high:.3f}], n {self.n}, P {self.precision:.2f}, R {self.recall:.2f}"

"""A rate is a count of a count: its value is never shown without its n and its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

from models.statistics import wilson


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `n`. Raises ValueError where there cannot be so many."""

    hits: int
    n: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.n:
            raise ValueError(f"{self.hits} of {self.n} is not a rate.")

    @property
    def value(self) -> float | None:
        """hits / n; None where nothing was counted."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval (low, high) by Wilson; None where nothing was counted."""
        return wilson(self.hits, self.n) if self.n else None

    @property
    def rest(self) -> Rate:
        """The others of the same n: misses of a sensitivity, false alarms of a specificity."""
        return Rate(self.n - self.hits, self.n)


def ratio_interval(above: Rate, below: Rate) -> tuple[float, float] | None:
    """95 % interval of the ratio of two independent rates; high is infinite where `below` may be 0.

    By the method of variance estimates recovery from the two Wilson intervals (Newcombe, Statistical Methods in Medical
    Research 2016; 25: 1774-1778, MOVER-R). None where nothing was counted, or neither has a hit.
    """
    if above.interval is None or below.interval is None or not above.hits + below.hits:
        return None
    (low_a, high_a), (low_b, high_b) = above.interval, below.interval
    a, b, product = above.hits / above.n, below.hits / below.n, above.hits * below.hits / (above.n * below.n)

    def root(end_a: float, end_b: float) -> float:
        return math.sqrt(max(0.0, product**2 - end_a * end_b * (2 * a - end_a) * (2 * b - end_b)))

    # The low end is written without the usual difference of two nearly equal numbers.
    low = low_a * (2 * a - low_a) / (product + root(low_a, high_b)) if above.hits else 0.0
    high = (product + root(high_a, low_b)) / (low_b * (2 * b - low_b)) if below.hits else math.inf
    return low, high

"""A rate: hits of n, never shown without its n and interval."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from models.statistics import wilson


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `n`. Raises ValueError unless 0 <= hits <= n.

    `effective`: how many independent films would be as informative, see `explorer.metrics.clustered_rates`; None if
    the films are independent, or if nothing is known about their patients.
    """

    hits: int
    n: int
    effective: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.n:
            raise ValueError(f"{self.hits} of {self.n} is not a rate.")

    @property
    def value(self) -> float | None:
        """hits / n; None if n is 0."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval (low, high) for the effective number of films; None if n is 0."""
        if not self.n:
            return None
        return wilson(self.hits if self.effective is None else self.hits / self.n * self.effective, self.independent)

    @property
    def independent(self) -> float:
        """The number of films as if they were independent."""
        return self.n if self.effective is None else self.effective

    @property
    def rest(self) -> Rate:
        """The complement: misses for a sensitivity, false alarms for a specificity."""
        return Rate(self.n - self.hits, self.n, self.effective)


class PatientSums(NamedTuple):
    """A rate's films that are hits, and the `rest`; the same squared and multiplied by patient; and the patients."""

    hits: int
    rest: int
    hits_squared: int
    hits_by_rest: int
    rest_squared: int
    patients: int


def pooled_rate(rates: Iterable[Rate]) -> Rate:
    """Return the rate of all films together, taking those of different rates as independent."""
    those = tuple(rates)
    films = sum(rate.independent for rate in those)
    n = sum(rate.n for rate in those)
    return Rate(sum(rate.hits for rate in those), n, None if films == n else films)


def ratio_interval(above: Rate, below: Rate) -> tuple[float, float] | None:
    """Return the 95 % interval of the ratio of two independent rates; high is infinite if `below` may be 0.

    Computed by the method of variance estimates recovery from the two Wilson intervals (Newcombe, Statistical Methods
    in Medical Research 2016; 25: 1774-1778, MOVER-R). None if either n is 0, or if neither has a hit.
    """
    if above.interval is None or below.interval is None or not above.hits + below.hits:
        return None
    (low_a, high_a), (low_b, high_b) = above.interval, below.interval
    a, b, product = above.hits / above.n, below.hits / below.n, above.hits * below.hits / (above.n * below.n)

    def root(end_a: float, end_b: float) -> float:
        return math.sqrt(max(0.0, product**2 - end_a * end_b * (2 * a - end_a) * (2 * b - end_b)))

    # Rearranged to avoid subtracting two nearly equal numbers.
    low = low_a * (2 * a - low_a) / (product + root(low_a, high_b)) if above.hits else 0.0
    high = (product + root(high_a, low_b)) / (low_b * (2 * b - low_b)) if below.hits else math.inf
    return low, high

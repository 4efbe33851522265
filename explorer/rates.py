"""A rate is a count of a count: its value is never told without its n and its interval."""

from __future__ import annotations

from dataclasses import dataclass

from models.intervals import wilson


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `n`. Raises ValueError where there cannot be so many."""

    hits: int
    n: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.n:
            raise ValueError(f"{self.hits} of {self.n} is no rate.")

    @property
    def value(self) -> float | None:
        """hits / n; None where nothing was counted."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval (low, high) by Wilson; None where nothing was counted."""
        return wilson(self.hits, self.n) if self.n else None

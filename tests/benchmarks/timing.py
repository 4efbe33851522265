"""Paired timing and `name value goal` lines."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured figure; `goal` is its upper bound, its lower one where `least`, None where it is only told."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    least: bool = False

    @property
    def missed(self) -> bool:
        if self.goal is None:
            return False
        return self.value < self.goal if self.least else self.value > self.goal

    def __str__(self) -> str:
        goal = "-" if self.goal is None else f"{'>=' if self.least else '<='} {self.goal:g}"
        return f"{self.name:<34} {self.value:>9.2f} {self.unit:<3} {goal:>8}{'  MISSED' if self.missed else ''}"


def paired_ms(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median milliseconds of each call, taken in turns so that all meet the same machine; one round to warm up."""
    return {name: 1000 * statistics.median(each) for name, each in in_turns(calls, rounds).items()}


def in_turns(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Seconds of each call in each round, one round to warm up left out."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds + 1):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    return {name: times[1:] for name, times in seconds.items()}

"""What a model called where it missed a finding, beside what it calls anyway."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from explorer.analysis.performance.performance_table import counted
from explorer.core.rates import Rate, ratio_interval
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class Confused:
    """Another finding: how often it was called among the misses, among the other films, and among all (`base`).

    Misses are compared with the other films: they are themselves among all films, and two rates that share films
    cannot be compared as if they did not.
    """

    finding: str
    among: Rate
    rest: Rate
    base: Rate

    @property
    def difference(self) -> float:
        """Among the misses minus among the other films; 0 where either is none."""
        return (self.among.value or 0.0) - (self.rest.value or 0.0) if self.among.n and self.rest.n else 0.0

    @property
    def ratio(self) -> float | None:
        """Among the misses over among the other films; None where it was never called among these."""
        if not self.rest.hits or self.among.value is None or self.rest.value is None:
            return None
        return self.among.value / self.rest.value

    @property
    def ratio_interval(self) -> tuple[float, float] | None:
        """The ratio's 95 % interval (MOVER-R from Wilson's intervals, of independent films); high may be infinite."""
        return ratio_interval(self.among, self.rest)


@dataclass(frozen=True, slots=True)
class Confusions:
    """The misses of a finding, and what was called there: more often than among the other films first."""

    finding: str
    misses: Rate
    confused: tuple[Confused, ...]


def confusions(store: Store, asked: Slice, finding: str) -> Confusions:
    """What the misses of a finding are confused with, by every other finding.

    Over the slice's films, whatever the model said of them.
    """
    population = asked.population().of(finding)
    misses = _misses(store, population).get(finding, Rate(0, 0))
    confused = [
        Confused(
            each.finding,
            among=Rate(each.called_in_misses, each.misses),
            rest=Rate(each.called - each.called_in_misses, each.films - each.misses),
            base=Rate(each.called, each.films),
        )
        for each in store.called(population, finding)
    ]
    return Confusions(finding, misses, tuple(sorted(confused, key=lambda each: (-each.difference, each.finding))))


def candidates(store: Store, asked: Slice) -> tuple[tuple[str, Rate], ...]:
    """Findings with any positive in the slice's films, the most misses first: (finding, misses of the positives)."""
    population = replace(asked.population(), finding=None)
    those = [(finding, misses) for finding, misses in _misses(store, population).items() if misses.n]
    return tuple(sorted(those, key=lambda each: (-each[1].hits, each[0])))


def _misses(store: Store, population: Slice) -> dict[str, Rate]:
    """Misses of the positives with a threshold, by finding, all centers together."""
    sensitivities = {line.finding: line.pooled.sensitivity for line in counted(store, population).lines}
    return {finding: rate.rest for finding, rate in sensitivities.items()}

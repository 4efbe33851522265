"""Finds which other findings a model calls on films where it missed one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from explorer.analysis.performance.performance_table import count_table
from explorer.core.rates import Rate, ratio_interval
from explorer.metrics.clustered_rates import rate_of_sums
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class ConfusedFinding:
    """Another finding: how often it was called among the misses, the other films (`rest`), and all films (`base`).

    Misses are compared with the other films rather than all films, so that the two rates share no films.
    """

    finding: str
    among: Rate
    rest: Rate
    base: Rate

    @property
    def difference(self) -> float:
        """Rate among misses minus rate among other films; 0 if either group is empty."""
        return (self.among.value or 0.0) - (self.rest.value or 0.0) if self.among.n and self.rest.n else 0.0

    @property
    def ratio(self) -> float | None:
        """Rate among misses over rate among other films; None if the latter is 0."""
        if not self.rest.hits or self.among.value is None or self.rest.value is None:
            return None
        return self.among.value / self.rest.value

    @property
    def ratio_interval(self) -> tuple[float, float] | None:
        """The ratio's 95 % interval (MOVER-R, groups taken as independent); may be infinite at the top."""
        return ratio_interval(self.among, self.rest)


@dataclass(frozen=True, slots=True)
class Confusions:
    """A finding's misses and the findings called there, sorted by excess over the other films."""

    finding: str
    misses: Rate
    confused: tuple[ConfusedFinding, ...]


def confusions(store: Store, chosen: Slice, finding: str) -> Confusions:
    """Return how often each other finding was called on films where `finding` was missed.

    All films of the slice's population count, whatever the model's calls.
    """
    population = chosen.population().of(finding)
    misses = _misses(store, population).get(finding, Rate(0, 0))
    confused = [
        ConfusedFinding(
            each.finding,
            among=rate_of_sums(each.misses),
            rest=rate_of_sums(each.rest),
            base=rate_of_sums(each.films),
        )
        for each in store.called(population, finding)
    ]
    return Confusions(finding, misses, tuple(sorted(confused, key=lambda each: (-each.difference, each.finding))))


def missed_findings(store: Store, chosen: Slice) -> tuple[tuple[str, Rate], ...]:
    """Return findings with positives in the slice's films, as (finding, misses among positives), most misses first."""
    population = replace(chosen.population(), finding=None)
    those = [(finding, misses) for finding, misses in _misses(store, population).items() if misses.n]
    return tuple(sorted(those, key=lambda each: (-each[1].hits, each[0])))


def _misses(store: Store, population: Slice) -> dict[str, Rate]:
    """Return misses among positives with a threshold, by finding, over all centers."""
    sensitivities = {line.finding: line.pooled.sensitivity for line in count_table(store, population).lines}
    return {finding: rate.rest for finding, rate in sensitivities.items()}

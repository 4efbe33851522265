"""The natural frequency of findings and their combinations: PadChest's counts, and one assumption.

A film on which PadChest names none of the 36 findings is drawn without any, because a simulated film has nothing else
to show; so Normal means that no abnormal finding is present. `Normal` next to another finding is ignored.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.combinations import ALL_FILMS, Combination, SexAndAge, age_group, combination_counts
from explorer.simulator.request import ABNORMAL, NORMAL

# PadChest has no term for it. Assumed: 1 film in 1,000, independent of other findings.
INFARCTION, INFARCTION_PREVALENCE = "Infarction", 0.001


@dataclass(frozen=True, slots=True, eq=False)
class NaturalFrequencies:
    """The combinations of a view and the number of films (n,) of each; shares are in the order of ABNORMAL."""

    combinations: tuple[Combination, ...]
    films: NDArray[np.int64]
    prevalence: NDArray[np.float64]  # (35,)
    together: NDArray[np.float64]  # (35, 35) share of the films with the row's finding that have the column's

    def of(self, finding: str) -> float:
        """Return the prevalence of a finding."""
        return float(self.prevalence[ABNORMAL.index(finding)])

    def draw(self, random: np.random.Generator, finding: str | None = None) -> Combination:
        """Draw a combination at natural frequency, among those with `finding` if given."""
        if finding == INFARCTION:
            return self.draw(random) | {INFARCTION}
        places, ends = _with(self, finding)
        drawn: Combination = self.combinations[places[np.searchsorted(ends, random.integers(ends[-1]), side="right")]]
        return drawn | {INFARCTION} if random.uniform() < INFARCTION_PREVALENCE else drawn


@cache
def natural_frequencies(view: str) -> NaturalFrequencies:
    """Return the natural frequencies in films of a view, PA or AP."""
    merged: Counter[Combination] = Counter()
    for findings, films in combination_counts().combinations[view].items():
        merged[findings - {NORMAL}] += films
    counted = np.array(list(merged.values()))
    shows = np.array([[finding in each for finding in ABNORMAL] for each in merged], dtype=np.float64)
    pairs = (shows * counted[:, None]).T @ shows
    own, assumed = np.diag(pairs).copy(), ABNORMAL.index(INFARCTION)
    prevalence, together = own / counted.sum(), pairs / np.maximum(own, 1)[:, None]
    prevalence[assumed] = together[:, assumed] = INFARCTION_PREVALENCE
    together[assumed] = prevalence
    together[assumed, assumed] = 1
    return NaturalFrequencies(tuple(merged), counted, prevalence, together)


@cache
def _with(known: NaturalFrequencies, finding: str | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of combinations with a finding (None: all), and their cumulative numbers of films."""
    places = np.array([place for place, each in enumerate(known.combinations) if finding in each or finding is None])
    return places, np.cumsum(known.films[places])


def trait_ratio(sex: str, age: int, findings: Combination) -> float:
    """Return how much more likely this sex and age (years) is among patients with the findings than among all.

    This is the geometric mean of the findings' ratios in PadChest's counts, because no table counts pairs of findings.
    """
    return _fit((sex, age_group(age)), findings)


@cache
def _fit(trait: SexAndAge, findings: Combination) -> float:
    ratios = [_ratios(name)[trait] for name in sorted(findings) or (NORMAL,)]
    return float(np.exp(np.mean(np.log(ratios))))


@cache
def _ratios(finding: str) -> dict[SexAndAge, float]:
    """Return the ratio by trait, with half a film added to each count to avoid zeros; 1 for an uncounted finding."""
    patients = combination_counts().patients
    everybody, with_finding = patients[ALL_FILMS], patients.get(finding, {})
    if not with_finding:
        return dict.fromkeys(everybody, 1.0)
    share = {trait: films / sum(everybody.values()) for trait, films in everybody.items()}
    total = sum(with_finding.values()) + 0.5 * len(share)
    return {trait: (with_finding.get(trait, 0) + 0.5) / total / share[trait] for trait in share}

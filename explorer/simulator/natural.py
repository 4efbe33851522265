"""How often findings and their combinations occur by nature: what PadChest counts, and one assumption.

A film on which PadChest names none of the 36 findings is drawn without any: a simulated film has nothing else to show,
so that Normal is what no abnormal finding is on. `Normal` beside another finding is left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.combinations import ALL, Combination, Trait, age_group, counts
from explorer.simulator.request import ABNORMAL, NORMAL

# PadChest has no word for it. Assumed: 1 film in 1,000, whatever else it shows.
INFARCTION, INFARCTION_PREVALENCE = "Infarction", 0.001


@dataclass(frozen=True, slots=True, eq=False)
class Nature:
    """The combinations of a view, with the films (n,) that show each; shares of films are in the order of ABNORMAL."""

    combinations: tuple[Combination, ...]
    films: NDArray[np.int64]
    prevalence: NDArray[np.float64]  # (35,)
    together: NDArray[np.float64]  # (35, 35) of the films with the row's finding, the share with the column's

    def of(self, finding: str) -> float:
        """The prevalence of a finding."""
        return float(self.prevalence[ABNORMAL.index(finding)])

    def draw(self, random: np.random.Generator, finding: str | None = None) -> Combination:
        """A combination as nature has them; of those with a finding, where one is named."""
        if finding == INFARCTION:
            return self.draw(random) | {INFARCTION}
        places, ends = _with(self, finding)
        drawn: Combination = self.combinations[places[np.searchsorted(ends, random.integers(ends[-1]), side="right")]]
        return drawn | {INFARCTION} if random.uniform() < INFARCTION_PREVALENCE else drawn


@cache
def nature(view: str) -> Nature:
    """Nature in films of a view, PA or AP."""
    merged: Counter[Combination] = Counter()
    for findings, films in counts().combinations[view].items():
        merged[findings - {NORMAL}] += films
    counted = np.array(list(merged.values()))
    shows = np.array([[finding in each for finding in ABNORMAL] for each in merged], dtype=np.float64)
    pairs = (shows * counted[:, None]).T @ shows
    own, assumed = np.diag(pairs).copy(), ABNORMAL.index(INFARCTION)
    prevalence, together = own / counted.sum(), pairs / np.maximum(own, 1)[:, None]
    prevalence[assumed] = together[:, assumed] = INFARCTION_PREVALENCE
    together[assumed] = prevalence
    together[assumed, assumed] = 1
    return Nature(tuple(merged), counted, prevalence, together)


@cache
def _with(known: Nature, finding: str | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places of the combinations with a finding (None: of all), and where each ends among their films."""
    places = np.array([place for place, each in enumerate(known.combinations) if finding in each or finding is None])
    return places, np.cumsum(known.films[places])


def fit(sex: str, age: int, findings: Combination) -> float:
    """How much likelier a patient of this sex and age (years) is among those with the findings than among all.

    The geometric mean over findings, each as PadChest counts it; no table says how two of them go together.
    """
    return _fit((sex, age_group(age)), findings)


@cache
def _fit(trait: Trait, findings: Combination) -> float:
    ratios = [_ratios(name)[trait] for name in sorted(findings) or (NORMAL,)]
    return float(np.exp(np.mean(np.log(ratios))))


@cache
def _ratios(finding: str) -> dict[Trait, float]:
    """By trait; half a film is added to each count, so that nobody is impossible. 1 for a finding never counted."""
    patients = counts().patients
    everybody, those = patients[ALL], patients.get(finding, {})
    if not those:
        return dict.fromkeys(everybody, 1.0)
    share = {trait: films / sum(everybody.values()) for trait, films in everybody.items()}
    total = sum(those.values()) + 0.5 * len(share)
    return {trait: (those.get(trait, 0) + 0.5) / total / share[trait] for trait in share}

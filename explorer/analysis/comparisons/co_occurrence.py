"""Compares how often findings co-occur in the labels and in a model's calls.

Co-occurrence is the share of films with the first finding that also have the second, over films with known labels and
thresholds for both. Labels and calls are compared by how much the first finding raises this share above the second's
overall rate, so that a finding called too often everywhere does not dominate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.core.arrays import Floats, ratio
from explorer.metrics.clustered_rates import RateSums

MAX_LISTED_PAIRS = 10  # pairs listed at each extreme
_EXCESS = np.array([[1.0, -1, -1, 1]])  # share and overall rate of calls, then of labels


@dataclass(frozen=True, slots=True, eq=False)
class CoOccurrence:
    """Co-occurrence of row and column findings, all (findings, findings); NaN without films and on the diagonal.

    `labels` is the share of films with the row's finding that also have the column finding; `calls` is the same for
    calls. `labeled` and `called` count the films with the row's finding. `label_rates` and `call_rates` are the column
    finding's shares of all counted films.
    """

    findings: tuple[str, ...]
    labels: Floats
    calls: Floats
    labeled: NDArray[np.int64]
    called: NDArray[np.int64]
    label_rates: Floats
    call_rates: Floats

    @property
    def difference(self) -> Floats:
        """How much more the row's finding raises the column finding's share in calls than in labels."""
        found: Floats = (self.calls - self.call_rates) - (self.labels - self.label_rates)
        return found


@dataclass(frozen=True, slots=True)
class FindingPair:
    """Two findings by index, and the `difference` on films with `given`, with its 95 % interval."""

    given: int
    other: int
    value: float
    low: float = np.nan
    high: float = np.nan


def co_occurrence(joint: JointScores, model: int, *, natural: bool = False) -> CoOccurrence:
    """Return the co-occurrence for the model with this index; `natural` weights films to natural prevalence."""
    counted, has, calls = _indicators(joint, model)
    weights = joint.weights if natural else np.ones(len(joint.labels))
    return CoOccurrence(
        findings=joint.findings,
        labels=_shares(has, counted, weights),
        calls=_shares(calls, counted, weights),
        labeled=_counts(has, counted),
        called=_counts(calls, counted),
        label_rates=_rates(has, counted, weights),
        call_rates=_rates(calls, counted, weights),
    )


def extreme_pairs(found: CoOccurrence, few: int) -> tuple[tuple[FindingPair, ...], tuple[FindingPair, ...]]:
    """Return the pairs that calls combine too often, and those combined too rarely, most extreme first.

    At least `few` films must be labeled with the first finding, and at least as many called with it.
    """
    enough = (found.labeled >= few) & (found.called >= few)
    pairs = [
        FindingPair(given, other, float(found.difference[given, other]))
        for given, other in np.argwhere(enough & ~np.isnan(found.difference)).tolist()
    ]

    def order(sign: int) -> list[FindingPair]:
        return sorted(pairs, key=lambda pair: (-sign * pair.value, pair.given, pair.other))

    often = tuple(pair for pair in order(1)[:MAX_LISTED_PAIRS] if pair.value > 0)
    rarely = tuple(pair for pair in order(-1)[:MAX_LISTED_PAIRS] if pair.value < 0)
    return often, rarely


def pairs_with_intervals(
    joint: JointScores, model: int, pairs: Sequence[FindingPair], *, natural: bool = False
) -> tuple[FindingPair, ...]:
    """Add intervals clustered by patient to the pairs; none where all films are of one patient."""
    indicators, weights = _indicators(joint, model), joint.weights if natural else None
    return tuple(_with_interval(pair, indicators, joint.patients, weights) for pair in pairs)


def _with_interval(
    pair: FindingPair,
    indicators: tuple[Floats, Floats, Floats],
    patients: NDArray[np.int64],
    weights: Floats | None,
) -> FindingPair:
    counted, has, calls = (each[:, [pair.given, pair.other]] == 1 for each in indicators)
    both = counted.all(axis=1)
    of = np.stack([calls[:, 0] & both, both, has[:, 0] & both, both], axis=1)
    hits = np.stack([calls[:, 1], calls[:, 1], has[:, 1], has[:, 1]], axis=1)
    sums = RateSums.of(hits, of, patients, weights)
    if sums.patients.max() < 2:
        return pair
    found = sums.combined(_EXCESS)
    return replace(pair, low=float(found.low[0]), high=float(found.high[0]))


def _indicators(joint: JointScores, model: int) -> tuple[Floats, Floats, Floats]:
    """Return 0/1 arrays (n, findings): whether each (film, finding) pair counts, is labeled present, and is called."""
    called = joint.called[model]
    counted = ~np.isnan(joint.labels) & (called >= 0)
    found = counted, counted & (joint.labels == 1), counted & (called == 1)
    one, two, three = (each.astype(np.float64) for each in found)
    return one, two, three


def _counts(has: Floats, counted: Floats) -> NDArray[np.int64]:
    """Count films (findings, findings) that have the first finding and count for both; 0 on the diagonal."""
    found: NDArray[np.int64] = np.rint(has.T @ counted).astype(np.int64)
    np.fill_diagonal(found, 0)
    return found


def _shares(has: Floats, counted: Floats, weights: Floats) -> Floats:
    weighted = has * weights[:, None]
    found = ratio(weighted.T @ has, weighted.T @ counted)
    np.fill_diagonal(found, np.nan)
    return found


def _rates(has: Floats, counted: Floats, weights: Floats) -> Floats:
    """Return the column finding's share of the films that count for both."""
    weighted = counted * weights[:, None]
    found = ratio(weighted.T @ has, weighted.T @ counted)
    np.fill_diagonal(found, np.nan)
    return found

"""What stands together on films: labels, a model's calls, and how much more or less often the calls do.

Of two findings the share of films with the first that also have the second, over films where both labels are known and
both can be called. What is called too often anywhere is called too often beside everything: labels and calls are
compared by how much the first finding raises that share over the second's own rate on the same films.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.core.arrays import Counts, Floats, ratio
from explorer.metrics.bootstrap import interval
from explorer.metrics.resamples import resamples_of

LISTED = 10  # pairs at each end


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """By finding (rows) and another (columns), all (findings, findings); NaN where no film counts, and of a finding
    with itself.

    `labels` is the share of films with the row's finding that also have the column's; `calls` the same of calls.
    `labeled` and `called` films with the row's finding count: both labels known, both called or not. `label_rates`
    and `call_rates` are the shares of all these films that have the column's.
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
        """How much more the row's finding raises the column's share over its rate in calls than in labels."""
        found: Floats = (self.calls - self.call_rates) - (self.labels - self.label_rates)
        return found


@dataclass(frozen=True, slots=True)
class Pair:
    """Two findings, by their places: what `difference` is on the films where `given` is, with the 95 % interval."""

    given: int
    other: int
    value: float
    low: float = np.nan
    high: float = np.nan


def together(joint: JointScores, model: int, *, natural: bool = False) -> Together:
    """Of the model at a place. `natural`: each film counts as often as nature has it; n counts films."""
    counted, has, calls = _indicators(joint, model)
    weights = joint.weights if natural else np.ones(len(joint.labels))
    return Together(
        findings=joint.findings,
        labels=_shares(has, counted, weights),
        calls=_shares(calls, counted, weights),
        labeled=_counts(has, counted),
        called=_counts(calls, counted),
        label_rates=_rates(has, counted, weights),
        call_rates=_rates(calls, counted, weights),
    )


def furthest(found: Together, few: int) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """The pairs that calls put together most too often and most too rarely, at most `LISTED` of each.

    Only where at least `few` films are labeled and as many called with the first finding.
    """
    enough = (found.labeled >= few) & (found.called >= few)
    pairs = [
        Pair(given, other, float(found.difference[given, other]))
        for given, other in np.argwhere(enough & ~np.isnan(found.difference)).tolist()
    ]

    def order(sign: int) -> list[Pair]:
        return sorted(pairs, key=lambda pair: (-sign * pair.value, pair.given, pair.other))

    often = tuple(pair for pair in order(1)[:LISTED] if pair.value > 0)
    rarely = tuple(pair for pair in order(-1)[:LISTED] if pair.value < 0)
    return often, rarely


def with_intervals(
    joint: JointScores, model: int, pairs: Sequence[Pair], resamples: int, seed: int, *, natural: bool = False
) -> tuple[Pair, ...]:
    """The pairs with their intervals over resamples of whole patients; raises ValueError for a negative seed."""
    if not pairs:
        return ()
    columns = np.concatenate([_columns(joint, model, pair) for pair in pairs], axis=1)  # (n, 7 * pairs)
    drawn = resamples_of(len(columns), resamples, seed, joint.patients, joint.weights if natural else None)

    def differences(counts: Counts) -> Floats:
        both, *sides = np.moveaxis((counts @ columns).reshape(len(counts), len(pairs), 7), 2, 0)
        calls, labels = (ratio(two, first) - ratio(second, both) for two, first, second in (sides[:3], sides[3:]))
        return calls - labels

    samples = drawn.evaluate(differences)
    counted = np.asarray(columns[:, ::7] > 0)
    units = drawn.units_with(counted)
    ends = (interval(column, int(each)) for column, each in zip(samples.T, units, strict=True))
    return tuple(replace(pair, low=low, high=high) for pair, (low, high) in zip(pairs, ends, strict=True))


def _indicators(joint: JointScores, model: int) -> tuple[Floats, Floats, Floats]:
    """Of each film and finding (n, findings), as 0 and 1: whether it counts, is labeled, is called."""
    called = joint.called[model]
    counted = ~np.isnan(joint.labels) & (called >= 0)
    found = counted, counted & (joint.labels == 1), counted & (called == 1)
    one, two, three = (each.astype(np.float64) for each in found)
    return one, two, three


def _counts(has: Floats, counted: Floats) -> NDArray[np.int64]:
    """Films (findings, findings) that have the first and count for both; 0 of a finding with itself."""
    found: NDArray[np.int64] = np.rint(has.T @ counted).astype(np.int64)
    np.fill_diagonal(found, 0)
    return found


def _shares(has: Floats, counted: Floats, weights: Floats) -> Floats:
    weighted = has * weights[:, None]
    found = ratio(weighted.T @ has, weighted.T @ counted)
    np.fill_diagonal(found, np.nan)
    return found


def _rates(has: Floats, counted: Floats, weights: Floats) -> Floats:
    """Of the films that count for both, the share that has the column's finding."""
    weighted = counted * weights[:, None]
    found = ratio(weighted.T @ has, weighted.T @ counted)
    np.fill_diagonal(found, np.nan)
    return found


def _columns(joint: JointScores, model: int, pair: Pair) -> Floats:
    """Films (n, 7) as 0 and 1: those that count; of them called with both, the first, the second; labeled alike."""
    counted, has, calls = (each[:, [pair.given, pair.other]] for each in _indicators(joint, model))
    both = counted.prod(axis=1)
    return np.stack([both, *_each(both, calls), *_each(both, has)], axis=1)


def _each(both: Floats, says: Floats) -> Iterator[Floats]:
    first, second = both * says[:, 0], both * says[:, 1]
    yield from (first * second, first, second)

"""Counts calls that flip when a film is perturbed: by outcome, frequency group and finding, and by film."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.core.findings import Outcome
from explorer.core.rates import Rate
from explorer.metrics.clustered_rates import RateDifferences, RateSums
from models.perturbations.film import Level

RIGHT, WRONG = "right", "wrong"
Flips = Mapping[str, Rate]  # by what the call was, such as RIGHT or an outcome
_RIGHT = (Outcome.HIT, Outcome.CORRECT_REJECTION)


@dataclass(frozen=True, slots=True, eq=False)
class CallsBefore:
    """The calls of the unchanged films, by outcome as marks (n, findings): none without a label or a threshold."""

    outcomes: Mapping[Outcome, NDArray[np.bool_]]
    called: NDArray[np.int8]  # (n, findings)
    patients: NDArray[np.int64]  # (n,) from 0

    @classmethod
    def of(cls, unchanged: JointScores) -> CallsBefore:
        """Return the calls of the only model."""
        labels, called = unchanged.labels, unchanged.called[0]
        present, absent = labels == 1, labels == 0
        marks = {
            Outcome.HIT: present & (called == 1),
            Outcome.MISS: present & (called == 0),
            Outcome.FALSE_ALARM: absent & (called == 1),
            Outcome.CORRECT_REJECTION: absent & (called == 0),
        }
        return cls(marks, called, np.unique(unchanged.patients, return_inverse=True)[1])

    def flipped(self, level: JointScores) -> NDArray[np.bool_]:
        """Mark pairs (n, findings) whose call differs at a level."""
        return np.asarray(level.called[0] != self.called)

    def among(self, pairs: NDArray[np.bool_]) -> CallsBefore:
        """Restrict to some pairs (n, findings)."""
        return replace(self, outcomes={outcome: marks & pairs for outcome, marks in self.outcomes.items()})

    def kind(self, name: str) -> NDArray[np.bool_]:
        """Return the pairs (n, findings) of an outcome, of right calls or of wrong ones."""
        if name not in (RIGHT, WRONG):
            return self.outcomes[Outcome(name)]
        some = [marks for each, marks in self.outcomes.items() if (each in _RIGHT) == (name == RIGHT)]
        return np.asarray(np.logical_or.reduce(some))

    def rates(
        self, flips: NDArray[np.integer] | NDArray[np.bool_], of: int, kind: str, parts: Sequence[Sequence[int]]
    ) -> RateSums:
        """Return how often calls of a kind flip, a rate for each part: findings by index.

        `flips` (n, findings) count the levels, of `of`, at which a call flips. Films of a patient, findings of a film
        and levels of a call are not independent: intervals count all of a patient together.
        """
        pairs = self.kind(kind)
        counts = np.empty((int(self.patients.max(initial=-1)) + 1, len(parts), 2))
        for side, members in enumerate(map(list, parts)):
            some = pairs[:, members]
            hits = np.where(some, flips[:, members], 0).sum(axis=1, dtype=np.int64)
            for end, films in enumerate((hits, of * some.sum(axis=1) - hits)):
                counts[:, side, end] = np.bincount(self.patients, films, len(counts))
        return RateSums.of_counts(counts)


@dataclass(frozen=True, slots=True, eq=False)
class FlippedCalls:
    """At how many of `levels` each call flips, (n, findings); no more levels than fit."""

    counts: NDArray[np.uint8]
    levels: int

    @classmethod
    def none(cls, shape: tuple[int, ...]) -> FlippedCalls:
        """Return the counts before the first level."""
        return cls(np.zeros(shape, np.uint8), 0)

    def with_level(self, flipped: NDArray[np.bool_]) -> FlippedCalls:
        """Add a level, changing these counts."""
        np.add(self.counts, flipped, out=self.counts, casting="unsafe")
        return FlippedCalls(self.counts, self.levels + 1)


@dataclass(frozen=True, slots=True, eq=False)
class SwitchedFlips:
    """The calls that flip at a kind that is on or off, such as inverted gray. `before` are the calls that count.

    On mirrored films, a finding of one side moves to the other: its hits and misses do not count, and never flip here.
    """

    level: Level
    before: CallsBefore
    flips: FlippedCalls

    @classmethod
    def of(
        cls, level: Level, before: CallsBefore, flipped: NDArray[np.bool_], one_side: NDArray[np.bool_] | None
    ) -> SwitchedFlips:
        """Count the flips (n, findings) of a kind; `one_side` marks findings on one side, None if nothing does."""
        if level.kind.mirrors and one_side is not None:
            before, flipped = before.among(~one_side), flipped & ~one_side
        return cls(level, before, FlippedCalls.none(flipped.shape).with_level(flipped))


def summed_flips(kinds: Sequence[SwitchedFlips], shape: tuple[int, ...]) -> FlippedCalls:
    """Return at how many of these kinds each call (n, findings) flips."""
    counts = np.zeros(shape, np.uint8)
    for each in kinds:
        counts += each.flips.counts
    return FlippedCalls(counts, len(kinds))


def group_gap(
    before: CallsBefore, flips: FlippedCalls, kind: str, one: Sequence[int], other: Sequence[int]
) -> RateDifferences:
    """Return how much more often calls of a kind flip for the findings `one` than for `other`."""
    sums = before.rates(flips.counts, flips.levels, kind, (one, other))
    return sums.differences(np.array([0]), np.array([1]))


def least_stable(flips: FlippedCalls, most: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs (film, finding) whose calls flip at the most levels, by index: most flips first.

    A film comes once, with its least stable finding. Calls that never flip are left out.
    """
    finding = flips.counts.argmax(axis=1)
    worst = flips.counts.max(axis=1)
    order = np.argsort(-worst.astype(np.int64), kind="stable")[:most]
    return tuple((int(film), int(finding[film])) for film in order if worst[film])

"""How often intervals of combined rates hold the truth: `python -m tests.benchmarks.rate_combinations`.

The patients of a shipped cohort are drawn again with replacement, and its own figures are the truth: the excess of
calls of random pairs of findings, mean precision and recall of a group, and their differences between two models.
`--draws` sets how many times. The bootstrap of each draw is beside the closed form; a resample that lacks a
finding counts its rate as 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.analysis.comparisons.co_occurrence import co_occurrence
from explorer.analysis.leaderboard.board_rates import BOARD_RATES
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.leaderboard.means import board_of, slice_groups
from explorer.core.arrays import Floats
from explorer.metrics.bootstrap import LEVEL
from explorer.metrics.clustered_rates import RateSums
from explorer.store.slices import Slice
from explorer.store.store import Store
from models.array_types import Bools
from tests.benchmarks.command_line import command

COHORTS = {"nih-oof": ("nih-mini", "nih-ensemble"), "phantom": ("phantom", "lab-bce-0")}
PAIRS, FEWEST, CLEAR, RESAMPLES = 12, 30, 0.1, 200
EXCESS = np.array([[1.0, -1, -1, 1]])


def coverage(hits: Bools, of: Bools, patients: np.ndarray, weights: Floats, draws: int, seed: int) -> Floats:
    """The share of intervals (closed form and bootstrap, m) that hold the sums of rates (s,) times weights (m, s)."""
    dice, (names, number) = np.random.default_rng(seed), np.unique(patients, return_inverse=True)
    films = [np.flatnonzero(number == each) for each in range(len(names))]
    counts = np.zeros((len(names), 2, hits.shape[1]))
    np.add.at(counts, number, np.stack([hits & of, of], axis=1).astype(np.float64))

    def rates(sums: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = np.nan_to_num(sums[..., 0, :] / sums[..., 1, :]) @ weights.T
        return found

    truth, held, made = rates(counts.sum(axis=0)), np.zeros((2, len(weights))), 0
    while made < draws:
        drawn = dice.integers(0, len(names), len(names))
        rows, units = np.concatenate([films[each] for each in drawn]), [len(films[each]) for each in drawn]
        sums = RateSums.of(hits[rows], of[rows], np.repeat(np.arange(len(drawn)), units))
        if np.isnan(sums.values[(weights != 0).any(axis=0)]).any():
            continue
        found, made = sums.combined(weights), made + 1
        held[0] += (found.low <= truth) & (truth <= found.high)
        times = dice.multinomial(len(drawn), np.full(len(drawn), 1 / len(drawn)), RESAMPLES)
        low, high = np.quantile(rates(np.einsum("rp,pks->rks", times, counts[drawn])), LEVEL, axis=0)
        held[1] += (low <= truth) & (truth <= high)
    return held / draws


def excesses(joint: JointScores) -> Iterator[tuple[str, list[tuple[Bools, Bools]]]]:
    """Random pairs of findings whose rates are all clear of 0, and others."""
    found, dice = co_occurrence(joint, 0), np.random.default_rng(1)
    least = np.stack([found.calls, found.call_rates, found.labels, found.label_rates]).min(axis=0)
    enough = (found.labeled >= FEWEST) & (found.called >= FEWEST)
    for name, kept in (("all rates clear", least > CLEAR), ("a rate near 0", least <= CLEAR)):
        pairs = np.argwhere(enough & kept)
        some = pairs[dice.permutation(len(pairs))[:PAIRS]]
        yield name, [_of_pair(joint, *pair) for pair in some.tolist()]


def _of_pair(joint: JointScores, given: int, other: int) -> tuple[Bools, Bools]:
    calls, labels = joint.called[0][:, [given, other]], joint.labels[:, [given, other]]
    both = (calls >= 0).all(axis=1) & ~np.isnan(labels).any(axis=1)
    hits = np.stack([calls[:, 1] == 1] * 2 + [labels[:, 1] == 1] * 2, axis=1)
    return hits, np.stack([both & (calls[:, 0] == 1), both, both & (labels[:, 0] == 1), both], axis=1)


def main(words: Sequence[str] | None = None) -> int:
    parser = command(__doc__)
    parser.add_argument("--draws", type=int, default=150)
    asked = parser.parse_args(words)
    draws, store = 5 if asked.small else asked.draws, Store()
    try:
        for cohort, models in COHORTS.items():
            chosen = Slice(cohort, models[0])
            joint = joint_scores(store, chosen, models)
            for name, pairs in excesses(joint):
                held = np.mean([coverage(*pair, joint.patients, EXCESS, draws, 0) for pair in pairs], axis=0)
                print(f"{cohort}, excess of calls, {name}: closed {held[0, 0]:.1%}, bootstrap {held[1, 0]:.1%}")
            board = board_of(joint, slice_groups(store, chosen, models), 0, 0, False)
            has, known, called = joint.labels == 1, ~np.isnan(joint.labels), joint.called == 1
            for (place, measure), part in ((key, board.parts[key[0]]) for key in board.means if key[1] in BOARD_RATES):
                if part.center is not None:
                    continue
                one, recall = board.weights(place, measure), measure == "recall"
                hits = np.hstack([calls if recall else has for calls in called])
                of = np.hstack([has if recall else known & calls for calls in called])
                weights = np.array([[*one, *(0 * one)], [*one, *-one]])
                (mean, less), (drawn, drawn_less) = coverage(hits, of, joint.patients, weights, draws, 0)
                print(
                    f"{cohort}, mean {measure} of {part.name}: closed {mean:.1%}, bootstrap {drawn:.1%}; "
                    f"difference of two models: closed {less:.1%}, bootstrap {drawn_less:.1%}",
                    flush=True,
                )
    finally:
        store.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

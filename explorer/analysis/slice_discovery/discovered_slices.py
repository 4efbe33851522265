"""Slices on which a model fails more often: found on half of the patients, counted on the other half.

What was chosen for being bad on some films looks bad on those films by chance alone. So no film on which a slice was
chosen is among those that its figures are counted on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.slice_discovery.failure_cost import costs
from explorer.analysis.slice_discovery.finding_films import FAILURES, Failure, FindingFilms
from explorer.core.arrays import Floats
from explorer.core.rates import Rate
from explorer.metrics.bootstrap import ROUNDING, interval
from explorer.metrics.exact_test import more_often_p
from explorer.metrics.paired_rows import benjamini_hochberg
from explorer.metrics.resamples import resamples_of
from models.array_types import Bools

Source = Literal["facets", "embeddings", "spectra"]
MOST = 20  # slices that are counted, of each kind of failure
HELD = 0.75  # of a slice's cost, by a narrower one that is named in its place
EARNED = 0.05  # p, at most, of films with one word more against those without it
FEWEST = 5  # films on which the model could fail: inside and outside, in either half


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A candidate with what it says of one kind of failure, in the half where it was found.

    `inside` (n,) are its films among the finding's; `place` is that among the candidates of its source.
    """

    source: Source
    place: int
    failure: Failure
    inside: Bools
    low: float


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """A slice in the half on which it was not chosen.

    `here` and `rest` are its failures and those of the other films. `cost` is what the rate over all films has of it,
    with its 95 % interval by the bootstrap over patients, None where there is none. `p` is one-sided, that it is no
    worse than the rest: the larger of Fisher's exact test, which knows of few films, and of the bootstrap, which knows
    of films of one patient. `adjusted` is by Benjamini and Hochberg over all slices that were counted.
    """

    proposal: Proposal
    here: Rate
    rest: Rate
    cost: float
    interval: tuple[float, float] | None
    p: float
    adjusted: float


def proposals(one: FindingFilms, sets: Sequence[tuple[Source, Bools]], most: int = MOST) -> tuple[list[Proposal], int]:
    """The slices worth counting, and how many looks there were: candidates x kinds of failure.

    Of each kind at most `most`, the most costly first. One after another is chosen by the low end of its cost, on the
    films that none before holds: a slice that fails only because it shares films with another one is not proposed
    beside it (sequential covering).
    """
    found, looks = [], 0
    every = np.concatenate([inside for _, inside in sets]) if sets else np.zeros((0, len(one.films)), np.bool_)
    origin = [(source, place) for source, inside in sets for place in range(len(inside))]
    for failure in FAILURES:
        rows = one.rows(failure)
        halves = rows[one.looked[rows]], rows[~one.looked[rows]]
        wide = np.flatnonzero(np.logical_and(*(_enough(every[:, half]) for half in halves)))
        looks += len(wide)
        films = halves[0]
        for place, low in covering(every[wide][:, films], one.wrong()[films], one.patients[films], most):
            source, at = origin[wide[place]]
            found.append(Proposal(source, at, failure, every[wide[place]], low))
    return found, looks


def _enough(sets: Bools) -> Bools:
    """Which candidates (C, k) have films enough inside and outside; it does not ask how these are read."""
    inside = sets.sum(axis=1)
    return np.asarray((inside >= FEWEST) & (sets.shape[1] - inside >= FEWEST))


def covering(sets: Bools, wrong: Bools, patients: NDArray[np.int64], most: int = MOST) -> Iterator[tuple[int, float]]:
    """Places of the sets (C, k) that cost most, one after another, with the low end of the cost; until none costs."""
    left = np.ones(len(wrong), dtype=np.bool_)
    for _ in range(most):
        known = costs(sets[:, left], wrong[left], patients[left])
        enough = (known.inside >= FEWEST) & (int(left.sum()) - known.inside >= FEWEST)
        low = np.where(enough & ~np.isnan(known.low), known.low, -np.inf)
        if not low.size or low.max() <= 0:
            return
        narrow = _narrowest(sets[:, left], known.cost, low)
        best = _earned(sets[:, left], wrong[left], low, narrow)
        yield best, float(low[best])
        left = left & ~sets[best]


def _narrowest(sets: Bools, cost: Floats, low: Floats) -> int:
    """The set whose cost has the highest low end; in its place one inside of it that holds nearly all of the cost.

    Films around a slice that are read like all others take nothing from what it costs, but they are not where the
    model fails.
    """
    best = int(low.argmax())
    while True:
        within = ~(sets & ~sets[best]).any(axis=1) & (sets.sum(axis=1) < sets[best].sum())
        narrow = np.flatnonzero(within & (low > 0) & (cost >= HELD * cost[best]))
        if not narrow.size:
            return best
        best = int(narrow[low[narrow].argmax()])


def _earned(sets: Bools, wrong: Bools, low: Floats, chosen: int) -> int:
    """The chosen set, or in its place a wider one that it is not plainly worse than.

    A word that narrows must earn its place: films with it fail more often than the wider set's films without it
    (Fisher's exact test, one-sided, p at most EARNED).
    """
    while True:
        inside = sets[chosen]
        wider = (low > 0) & ~(inside & ~sets).any(axis=1) & (sets.sum(axis=1) > inside.sum())
        unearned = [place for place in np.flatnonzero(wider) if _worse_p(inside, sets[place], wrong) > EARNED]
        if not unearned:
            return chosen
        chosen = int(max(unearned, key=lambda place: low[place]))


def _worse_p(inside: Bools, wider: Bools, wrong: Bools) -> float:
    """How often chance alone has films inside fail as much more often than the wider set's other films."""
    rates = (Rate(int((wrong & some).sum()), int(some.sum())) for some in (inside, wider & ~inside))
    return more_often_p(*rates)


def counted(one: FindingFilms, found: Sequence[Proposal], resamples: int, seed: int) -> list[Counted]:
    """Each slice on the other half of the patients, with p not adjusted: see `ranked`."""
    results: list[Counted] = []
    for failure in FAILURES:
        rows = one.rows(failure)
        rows = rows[~one.looked[rows]]
        those = [each for each in found if each.failure == failure]
        if those and rows.size:
            sets = np.stack([each.inside[rows] for each in those])
            results += _measured(those, sets, one.wrong()[rows], one.patients[rows], resamples, seed)
    return results


def _measured(
    those: Sequence[Proposal],
    sets: Bools,
    wrong: Bools,
    patients: NDArray[np.int64],
    resamples: int,
    seed: int,
) -> Iterator[Counted]:
    known = costs(sets, wrong, patients)
    samples = cost_samples(sets, wrong, patients, resamples, seed)
    units = len(np.unique(patients))
    for place, proposal in enumerate(those):
        inside = sets[place]
        here = Rate(int((wrong & inside).sum()), int(inside.sum()))
        rest = Rate(int((wrong & ~inside).sum()), int((~inside).sum()))
        p = max(more_often_p(here, rest), _no_worse(samples[:, place]))
        low, high = interval(samples[:, place], units)
        reach = (low, high) if low < high else None
        yield Counted(proposal, here, rest, float(known.cost[place]), reach, p, float("nan"))


def _no_worse(samples: NDArray[np.float64]) -> float:
    """How often resamples (resamples,) have no cost, one-sided, as `paired_rows.two_sided_p` counts; 1 without any."""
    defined = samples[~np.isnan(samples)]
    return (int((defined <= ROUNDING).sum()) + 1) / (defined.size + 1)


def cost_samples(
    sets: Bools, wrong: Bools, patients: NDArray[np.int64], resamples: int, seed: int
) -> NDArray[np.float64]:
    """The cost of each set (C, k) in each resample of patients (resamples, C); NaN where one has no film on a side."""
    failures = wrong & sets

    def evaluate(counts: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
        weights = counts.astype(np.float64)  # whole numbers: products are exact, in whatever order they are added up
        n, failed = weights.sum(axis=1, keepdims=True), (weights @ wrong)[:, None]
        inside, there = weights @ sets.T.astype(np.float64), weights @ failures.T.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            cost = failed / n - (failed - there) / (n - inside)
        return np.where((inside > 0) & (inside < n), cost, np.nan)

    return resamples_of(len(wrong), resamples, seed, patients, None).evaluate(evaluate)


def ranked(results: Sequence[Counted]) -> tuple[Counted, ...]:
    """The slices with adjusted p, by the low end of what they cost; those without an interval last, by the cost."""
    adjusted = benjamini_hochberg(np.array([each.p for each in results], dtype=np.float64))
    those = [replace(each, adjusted=float(value)) for each, value in zip(results, adjusted, strict=True)]
    return tuple(sorted(those, key=_order))


def _order(each: Counted) -> tuple[bool, float, str, str, int]:
    low = each.cost if each.interval is None else each.interval[0]
    proposal = each.proposal
    return each.interval is None, -low, proposal.failure, proposal.source, proposal.place

"""Finds slices on which a model fails more often: they are found on half of the patients and counted on the other half.

A slice selected for failing on some films overstates its failures on those films. Its figures are therefore counted on
films that played no part in selecting it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.slice_discovery.failure_cost import slice_costs
from explorer.analysis.slice_discovery.finding_films import FAILURE_KINDS, Failure, FindingFilms
from explorer.core.arrays import Floats
from explorer.core.rates import Rate
from explorer.metrics.bootstrap import ROUNDING, percentile_interval
from explorer.metrics.clustered_rates import clustered_rate
from explorer.metrics.exact_test import more_often_p
from explorer.metrics.paired_rows import benjamini_hochberg
from explorer.metrics.resamples import resamples_of
from models.array_types import Bools

CandidateSource = Literal["facets", "embeddings", "spectra"]
MAX_SLICES = 20  # slices counted per kind of failure
MIN_COST_SHARE = 0.75  # share of a slice's cost that a narrower slice must account for to replace it
MAX_NARROWING_P = 0.05  # largest p with which a further facet may narrow a slice
MIN_SIDE_FILMS = 5  # at least this many films that can show the failure, inside and outside, in each half


@dataclass(frozen=True, slots=True, eq=False)
class SliceProposal:
    """A candidate slice for one kind of failure, found in the search half.

    `inside` (n,) marks its films among the finding's; `place` is its index among its source's candidates; `low` is the
    lower bound of its cost.
    """

    source: CandidateSource
    place: int
    failure: Failure
    inside: Bools
    low: float


@dataclass(frozen=True, slots=True, eq=False)
class CountedSlice:
    """A slice's figures in the held-out half.

    `here` and `rest` are failure rates inside and outside. `cost` is its contribution to the overall failure rate, with
    a 95 % bootstrap interval over patients, or None. `p` is one-sided, for the null hypothesis that the slice is no
    worse than the rest: the larger of Fisher's exact test, which handles few films, and the bootstrap, which handles
    repeated patients. `adjusted` follows Benjamini and Hochberg over all counted slices.
    """

    proposal: SliceProposal
    here: Rate
    rest: Rate
    cost: float
    interval: tuple[float, float] | None
    p: float
    adjusted: float


def propose_slices(
    one: FindingFilms, sets: Sequence[tuple[CandidateSource, Bools]], most: int = MAX_SLICES
) -> tuple[list[SliceProposal], int]:
    """Return the slices worth counting, and the number of candidates x kinds of failure examined.

    At most `most` per kind, most costly first. Each next slice has the highest lower bound of cost on the films not yet
    covered, so none is proposed merely because it shares films with another (sequential covering).
    """
    found, looks = [], 0
    every = np.concatenate([inside for _, inside in sets]) if sets else np.zeros((0, len(one.films)), np.bool_)
    origin = [(source, place) for source, inside in sets for place in range(len(inside))]
    for failure in FAILURE_KINDS:
        rows = one.rows(failure)
        halves = rows[one.searched[rows]], rows[~one.searched[rows]]
        wide = np.flatnonzero(np.logical_and(*(_enough(every[:, half]) for half in halves)))
        looks += len(wide)
        films = halves[0]
        for place, low in cover_costs(every[wide][:, films], one.wrong()[films], one.patients[films], most):
            source, at = origin[wide[place]]
            found.append(SliceProposal(source, at, failure, every[wide[place]], low))
    return found, looks


def _enough(sets: Bools) -> Bools:
    """Return which candidates (C, k) have enough films inside and outside, regardless of outcomes."""
    inside = sets.sum(axis=1)
    return np.asarray((inside >= MIN_SIDE_FILMS) & (sets.shape[1] - inside >= MIN_SIDE_FILMS))


def cover_costs(
    sets: Bools, wrong: Bools, patients: NDArray[np.int64], most: int = MAX_SLICES
) -> Iterator[tuple[int, float]]:
    """Yield indices of the most costly sets (C, k) with their costs' lower bounds, until no cost is positive."""
    left = np.ones(len(wrong), dtype=np.bool_)
    for _ in range(most):
        known = slice_costs(sets[:, left], wrong[left], patients[left])
        enough = (known.inside >= MIN_SIDE_FILMS) & (int(left.sum()) - known.inside >= MIN_SIDE_FILMS)
        low = np.where(enough & ~np.isnan(known.low), known.low, -np.inf)
        if not low.size or low.max() <= 0:
            return
        narrow = _narrowest(sets[:, left], known.cost, low)
        best = _widened(sets[:, left], wrong[left], low, narrow)
        yield best, float(low[best])
        left = left & ~sets[best]


def _narrowest(sets: Bools, cost: Floats, low: Floats) -> int:
    """Return the set with the highest lower bound of cost, or a subset that accounts for nearly all of that cost.

    Adding films with average results to a slice does not lower its cost, although the model does not fail on them.
    """
    best = int(low.argmax())
    while True:
        within = ~(sets & ~sets[best]).any(axis=1) & (sets.sum(axis=1) < sets[best].sum())
        narrow = np.flatnonzero(within & (low > 0) & (cost >= MIN_COST_SHARE * cost[best]))
        if not narrow.size:
            return best
        best = int(narrow[low[narrow].argmax()])


def _widened(sets: Bools, wrong: Bools, low: Floats, chosen: int) -> int:
    """Return the chosen set, or a superset if the chosen set is not clearly worse than the rest of it.

    A further facet is kept only if films with it fail more often than the superset's films without it (one-sided
    Fisher's exact test).
    """
    while True:
        inside = sets[chosen]
        wider = (low > 0) & ~(inside & ~sets).any(axis=1) & (sets.sum(axis=1) > inside.sum())
        unearned = [place for place in np.flatnonzero(wider) if _worse_p(inside, sets[place], wrong) > MAX_NARROWING_P]
        if not unearned:
            return chosen
        chosen = int(max(unearned, key=lambda place: low[place]))


def _worse_p(inside: Bools, wider: Bools, wrong: Bools) -> float:
    """Return the one-sided p for films inside failing no more often than the superset's other films."""
    rates = (Rate(int((wrong & some).sum()), int(some.sum())) for some in (inside, wider & ~inside))
    return more_often_p(*rates)


def count_slices(one: FindingFilms, found: Sequence[SliceProposal], resamples: int, seed: int) -> list[CountedSlice]:
    """Count each slice on the held-out half of the patients, with p still unadjusted."""
    results: list[CountedSlice] = []
    for failure in FAILURE_KINDS:
        rows = one.rows(failure)
        rows = rows[~one.searched[rows]]
        those = [each for each in found if each.failure == failure]
        if those and rows.size:
            sets = np.stack([each.inside[rows] for each in those])
            results += _measured(those, sets, one.wrong()[rows], one.patients[rows], resamples, seed)
    return results


def _measured(
    those: Sequence[SliceProposal],
    sets: Bools,
    wrong: Bools,
    patients: NDArray[np.int64],
    resamples: int,
    seed: int,
) -> Iterator[CountedSlice]:
    known = slice_costs(sets, wrong, patients)
    samples = cost_samples(sets, wrong, patients, resamples, seed)
    units = len(np.unique(patients))
    for place, proposal in enumerate(those):
        inside = sets[place]
        here, rest = (clustered_rate(wrong[side], patients[side]) for side in (inside, ~inside))
        p = max(more_often_p(here, rest), _positive_cost_p(samples[:, place]))
        low, high = percentile_interval(samples[:, place], units)
        reach = (low, high) if low < high else None
        yield CountedSlice(proposal, here, rest, float(known.cost[place]), reach, p, float("nan"))


def _positive_cost_p(samples: NDArray[np.float64]) -> float:
    """Return the one-sided p of a positive cost from resamples (resamples,); see `paired_rows.two_sided_p`."""
    defined = samples[~np.isnan(samples)]
    return (int((defined <= ROUNDING).sum()) + 1) / (defined.size + 1)


def cost_samples(
    sets: Bools, wrong: Bools, patients: NDArray[np.int64], resamples: int, seed: int
) -> NDArray[np.float64]:
    """Return each set's cost in each resample of patients, (resamples, C); NaN if a side has no film."""
    failures = wrong & sets

    def evaluate(counts: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
        weights = counts.astype(np.float64)  # integers: products are exact in any order of summation
        n, failed = weights.sum(axis=1, keepdims=True), (weights @ wrong)[:, None]
        inside, there = weights @ sets.T.astype(np.float64), weights @ failures.T.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            cost = failed / n - (failed - there) / (n - inside)
        return np.where((inside > 0) & (inside < n), cost, np.nan)

    return resamples_of(len(wrong), resamples, seed, patients, None).evaluate(evaluate)


def rank_slices(results: Sequence[CountedSlice]) -> tuple[CountedSlice, ...]:
    """Return the slices with adjusted p, sorted by their cost's lower bound, those without an interval last."""
    adjusted = benjamini_hochberg(np.array([each.p for each in results], dtype=np.float64))
    those = [replace(each, adjusted=float(value)) for each, value in zip(results, adjusted, strict=True)]
    return tuple(sorted(those, key=_order))


def _order(each: CountedSlice) -> tuple[bool, float, str, str, int]:
    low = each.cost if each.interval is None else each.interval[0]
    proposal = each.proposal
    return each.interval is None, -low, proposal.failure, proposal.source, proposal.place

"""Closed-form intervals of the leaderboard's precision and recall, which are rates, of their means and differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from explorer.analysis.leaderboard.board_metrics import Region
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.joint_scores import ComparedFilms
from explorer.core.arrays import Floats
from explorer.metrics.clustered_rates import RateDifferences, RateSums
from explorer.metrics.paired_rows import PairedRows, benjamini_hochberg
from explorer.runtime.cached_per_owner import cached_per_owner

MOST_COUNTED = 200_000  # films times models, which take about two seconds; beyond, resamples give these intervals, too
BOARD_RATES: tuple[BoardMeasure, ...] = ("precision", "recall")


@dataclass(frozen=True, eq=False)
class BoardRates:
    """The films behind a leaderboard's rates, by region; `natural` weights them to natural prevalence."""

    films: ComparedFilms
    regions: Mapping[str | None, Region]  # by center
    natural: bool

    def limits(self, center: str | None, measure: BoardMeasure, weights: Floats) -> tuple[Floats, Floats]:
        """Return 95 % limits (low, high) of the findings' rates times `weights` (findings,), summed, by model."""
        models = range(len(self.films.models))
        every = [_sums(self, center, measure, (model,)).limits(weights[None]) for model in models]
        low, high = (np.concatenate(side) for side in zip(*every, strict=True))
        return low, high

    def against(self, center: str | None, measure: BoardMeasure, weights: Floats, reference: int) -> PairedRows:
        """Return such sums of every model minus the reference's; NaN for the reference."""
        both, lacking = np.concatenate([-weights, weights])[None], np.full(1, np.nan)
        every = [
            RateDifferences(*[lacking] * 4)
            if model == reference
            else _sums(self, center, measure, (reference, model)).combined(both)
            for model in range(len(self.films.models))
        ]
        names = RateDifferences.__slots__
        found = RateDifferences(*(np.concatenate([getattr(each, name) for each in every]) for name in names))
        return PairedRows(found.value, found.low, found.high, found.p, benjamini_hochberg(found.p))


def board_rates(films: ComparedFilms, regions: Mapping[str | None, Region], *, natural: bool) -> BoardRates | None:
    """Return the films behind a leaderboard's rates; None where counting them by patient would delay its points."""
    large = len(films.films) * len(films.models) > MOST_COUNTED
    return None if large else BoardRates(films, regions, natural)


@cached_per_owner(256)
def _sums(rates: BoardRates, center: str | None, measure: BoardMeasure, models: tuple[int, ...]) -> RateSums:
    """Return the sums of the rates (models x findings) of these models over the films of a center, or of all."""
    region = rates.regions[center]
    films, findings = rates.films.of(region.rows), range(len(rates.films.findings))
    labels = films.label_columns(findings).T
    known = labels >= 0 if region.uncalled is None else (labels >= 0) & ~region.uncalled
    has, hits, counted = labels == 1, [], []
    for model in models:
        called = films.call_columns(model, findings).T
        judged = known & (called >= 0).any(axis=0)
        hits.append(called == 1 if measure == "recall" else has)
        counted.append(judged & (has if measure == "recall" else called == 1))
    weights = films.weights if rates.natural else None
    return RateSums.of(np.concatenate(hits, axis=1), np.concatenate(counted, axis=1), films.patients, weights)

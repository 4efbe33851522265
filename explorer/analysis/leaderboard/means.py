"""Compares models on the same films: means of six metrics over groups of findings, and how certain their order is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.board_metrics import (
    Region,
    Values,
    board_points,
    board_regions,
    board_samples,
    in_order_of_centers,
)
from explorer.analysis.leaderboard.board_rates import BOARD_RATES, BoardRates, board_rates
from explorer.analysis.leaderboard.groups import BoardPart, FrequencyGroups, board_parts
from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES, LOWER_IS_BETTER, BoardMeasure
from explorer.analysis.leaderboard.joint_scores import ComparedFilms, compared_films
from explorer.core.arrays import Floats, or_none
from explorer.core.findings import FrequencyGroup
from explorer.core.metric_plan import IntervalKind
from explorer.core.progress import OnShare, no_progress
from explorer.metrics.bias_corrected import intervals_of
from explorer.metrics.bootstrap import percentile_intervals
from explorer.metrics.joint_means import JointMeans, MeanSums
from explorer.metrics.paired_rows import PairedRows, paired_rows
from explorer.metrics.ranks import RankShares, rank_shares, ranks
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.runtime.work_process import RunWork, run_here
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store


class Winner(TypedDict):
    """The best models for a finding by AP, then AUROC: several if both tie, none if undefined.

    `p_first` is how often the first of them ranks best over the resamples; None without resamples or with one model.
    Programs, files and the page all use it unchanged.
    """

    finding: str
    frequency_group: FrequencyGroup | None
    films: int
    positives: int
    models: list[str]
    AP: float | None
    p_first: float | None


@dataclass(frozen=True, slots=True, eq=False)
class FindingFigures:
    """A metric by model and finding with its 95 % percentile interval, all (models, findings).

    NaN if undefined; intervals are also NaN if not yet computed or based on one patient.
    """

    point: Floats
    low: Floats
    high: Floats

    def of(self, findings: Sequence[int]) -> FindingFigures:
        """Return the figures of the findings at these indices, in their order."""
        places = list(findings)
        return FindingFigures(self.point[:, places], self.low[:, places], self.high[:, places])


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The leaderboard; if `resamples` is 0, only precision and recall have intervals: their `rates` have a closed form.

    `uncalled` counts pairs left out of F1, precision and recall for lack of a threshold; `undefined` are findings
    without films of both classes, which no mean counts. `weighted`: films have weights to natural prevalence. Means
    leave out findings with fewer than `minimum` positives; `intervals` that have no closed form are of this kind.
    """

    models: tuple[str, ...]
    findings: tuple[str, ...]
    parts: tuple[BoardPart, ...]
    means: Mapping[tuple[int, BoardMeasure], JointMeans]  # by index of the part
    by_finding: Mapping[BoardMeasure, FindingFigures]
    rates: BoardRates | None  # None for many films of many models
    groups: FrequencyGroups
    known: tuple[int, ...]  # (findings,) films with a known label
    positives: tuple[int, ...]  # (findings,) films with the finding
    winners: tuple[Winner, ...]  # in the order of the findings
    films: int
    patients: int
    films_left_out: int
    findings_left_out: tuple[str, ...]
    uncalled: int
    undefined: tuple[str, ...]
    weighted: bool
    resamples: int
    films_lacking: tuple[int, ...] = ()  # (models,) number of films that each did not fully score
    odd: tuple[tuple[str, ...], ...] = ()  # (models,) warnings about implausible scores
    minimum: int = 0
    intervals: IntervalKind = "percentile"

    def fewest(self, part: int, measure: BoardMeasure) -> int:
        """Return the positives of the rarest finding that a measure's mean over a part counts."""
        return self.parts[part].fewest_of(self.means[part, measure].counted)

    def against(self, part: int, measure: BoardMeasure, reference: int) -> PairedRows:
        """Return every model minus the reference, on the same films or resamples."""
        means = self.means[part, measure]
        if measure in BOARD_RATES and self.rates is not None and means.units > 1:
            return self.rates.against(self.parts[part].center, measure, self.weights(part, measure), reference)
        fewest = self.fewest(part, measure)
        return paired_rows(means.point, means.samples, reference, means.units, fewest, self.intervals)

    def weights(self, part: int, measure: BoardMeasure) -> Floats:
        """Return each finding's weight (findings,) in a measure's mean over a part."""
        counted = list(self.means[part, measure].counted)
        found = np.zeros(len(self.findings))
        found[counted] = 1 / max(1, len(counted))
        return found

    def order(self, part: int, measure: BoardMeasure) -> RankShares:
        """Return how certain the models' order by a measure is; ties are broken by mean AUROC."""
        ties = None if measure == "AUROC" else self.means[part, "AUROC"].samples
        return rank_shares(larger_is_better(measure, self.means[part, measure].samples), ties)


def leaderboard(
    store: Store, chosen: Slice, models: Sequence[str], *, natural: bool = False, minimum: int = 0
) -> Board:
    """Return the slice's leaderboard with point estimates only. Raises NoComparison and the store's errors."""
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    return _points(store, chosen, tuple(models), natural, minimum, versions)


@cached_per_owner(32)
def _points(
    store: Store, chosen: Slice, models: tuple[str, ...], natural: bool, minimum: int, _versions: tuple[str, ...]
) -> Board:
    films, groups = compared_films(store, chosen, models), slice_groups(store, chosen, models)
    return board_of(films, groups, 0, 0, natural, minimum=minimum)


def slice_groups(store: Store, chosen: Slice, models: Sequence[str]) -> FrequencyGroups:
    """Return the findings' frequency groups by the slice's source."""
    return store.groups(chosen.cohort, models[0], chosen.source)


def board_of(
    films: ComparedFilms,
    groups: FrequencyGroups,
    resamples: int,
    seed: int,
    natural: bool,
    on_progress: OnShare = no_progress,
    run: RunWork = run_here,
    *,
    minimum: int = 0,
    intervals: IntervalKind = "percentile",
) -> Board:
    """Return the leaderboard of several models; with `resamples`, including intervals, differences and ranks.

    Each center's films are resampled separately, by `run`. `natural` weights films to natural prevalence. Means leave
    out findings with fewer than `minimum` positives on their films. `on_progress` receives the share done. Raises
    ValueError like `joint_metrics`.
    """
    films, ranges = in_order_of_centers(films)
    regions = board_regions(films, ranges, natural=natural)
    points, odd = board_points(films, regions, natural=natural)
    parts = board_parts(films.findings, films.label_columns(range(len(films.findings))), ranges, groups)
    everywhere, by_center = points[None], {region.center: region for region in regions}
    region = by_center[None]
    sums = {
        (place, measure): MeanSums(points[part.center][measure], part.at_least(minimum), resamples)
        for place, part in enumerate(parts)
        for measure in BOARD_MEASURES
    }
    ends = {measure: np.full((2, *everywhere[measure].shape), np.nan) for measure in BOARD_MEASURES}
    first = np.full(everywhere["AP"].shape, np.nan)
    if resamples:
        drawn = board_samples(films, regions, resamples, seed, natural=natural, run=run, on_progress=on_progress)
        for some, samples in drawn:
            for (place, measure), each in sums.items():
                each.add(some, samples[parts[place].center][measure])
            for measure, limits in ends.items():
                here = everywhere[measure][:, some]
                limits[:, :, some] = finding_intervals(samples[None][measure], region.patients[some], here, intervals)
            for column, finding in enumerate(some):
                pair = (samples[None][measure][:, :, column] for measure in ("AP", "AUROC"))
                first[:, finding] = rank_shares(*pair).first
    defined = np.isfinite(everywhere["AUROC"]).sum(axis=0)
    return _with_rates(
        Board(
            models=films.models,
            findings=films.findings,
            parts=parts,
            means={key: each.means(by_center[parts[key[0]].center].patients, intervals) for key, each in sums.items()},
            by_finding={measure: FindingFigures(everywhere[measure], *ends[measure]) for measure in BOARD_MEASURES},
            rates=board_rates(films, by_center, natural=natural),
            groups=dict(groups),
            known=tuple(region.known.tolist()),
            positives=tuple(region.positives.tolist()),
            winners=tuple(_winners(films, everywhere, region, first, groups)),
            films=len(films.films),
            patients=len(np.unique(films.patients)),
            films_left_out=films.films_left_out,
            findings_left_out=films.findings_left_out,
            uncalled=region.left_out,
            undefined=tuple(name for name, some in zip(films.findings, defined, strict=True) if not some),
            weighted=bool((films.weights != 1).any()),
            resamples=resamples,
            films_lacking=films.films_lacking,
            odd=odd,
            minimum=minimum,
            intervals=intervals,
        )
    )


def _with_rates(board: Board) -> Board:
    """Return the board with the closed-form intervals of the means of its rates."""
    if board.rates is None:
        return board
    means = dict(board.means)
    for place, part in enumerate(board.parts):
        for measure in BOARD_RATES:
            ends = board.rates.limits(part.center, measure, board.weights(place, measure))
            means[place, measure] = replace(means[place, measure], ends=ends)
    return replace(board, means=means)


def larger_is_better(measure: BoardMeasure, values: Floats) -> Floats:
    """Return values signed so that larger is better."""
    return -values if measure in LOWER_IS_BETTER else values


def finding_intervals(
    samples: Floats, patients: NDArray[np.int64], points: Floats | None = None, kind: IntervalKind = "percentile"
) -> tuple[Floats, Floats]:
    """Return low and high (models, findings) of samples (resamples, models, findings).

    Bias-corrected intervals need the figures themselves, `points` (models, findings).
    """
    shape = samples.shape[1:]
    columns, units = samples.reshape(len(samples), shape[0] * shape[1]), np.broadcast_to(patients, shape).ravel()
    if points is None or kind == "percentile":
        low, high = percentile_intervals(columns, units)
    else:
        low, high = intervals_of(kind, columns, points.ravel(), units)
    return low.reshape(shape), high.reshape(shape)


def _winners(
    films: ComparedFilms, points: Values, region: Region, p_first: Floats, groups: FrequencyGroups
) -> Iterator[Winner]:
    for place, finding in enumerate(films.findings):
        precision, area = points["AP"][:, place], points["AUROC"][:, place]
        defined = bool((~np.isnan(precision)).any())
        first = np.flatnonzero(ranks(precision[None], area[None])[0] == 1) if defined else np.empty(0, dtype=int)
        yield {
            "finding": finding,
            "frequency_group": groups[finding],
            "films": int(region.known[place]),
            "positives": int(region.positives[place]),
            "models": [films.models[each] for each in first],
            "AP": float(precision[first[0]]) if defined else None,
            "p_first": or_none(p_first[first[0], place]) if defined and len(films.models) > 1 else None,
        }

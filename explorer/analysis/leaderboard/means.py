"""Compares models on the same films: means of six metrics over groups of findings, and how certain their order is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from explorer.analysis.leaderboard.groups import BoardPart, FrequencyGroups, board_parts
from explorer.analysis.leaderboard.joint_metrics import (
    BOARD_MEASURES,
    LOWER_IS_BETTER,
    BoardMeasure,
    JointMetrics,
    joint_metrics,
)
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.core.arrays import Floats
from explorer.core.findings import FrequencyGroup
from explorer.core.progress import OnShare, no_progress, sub_progress
from explorer.metrics.bootstrap import percentile_intervals
from explorer.metrics.joint_means import JointMeans, joint_means
from explorer.metrics.odd_scores import odd_scores
from explorer.metrics.paired_rows import PairedRows, paired_rows
from explorer.metrics.ranks import RankShares, rank_shares, ranks
from explorer.metrics.resamples import WORKERS
from explorer.runtime.cached_per_owner import cached_per_owner
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
    """The leaderboard; `resamples` is 0 if it has point estimates only.

    `uncalled` counts pairs left out of F1, precision and recall for lack of a threshold; `undefined` are findings
    without films of both classes, which no mean counts. `weighted`: films have weights to natural prevalence.
    """

    models: tuple[str, ...]
    findings: tuple[str, ...]
    parts: tuple[BoardPart, ...]
    means: Mapping[tuple[int, BoardMeasure], JointMeans]  # by index of the part
    by_finding: Mapping[BoardMeasure, FindingFigures]
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

    def fewest(self, part: int, measure: BoardMeasure) -> int:
        """Return the positives of the rarest finding that a measure's mean over a part counts."""
        return self.parts[part].fewest_of(self.means[part, measure].counted)

    def against(self, part: int, measure: BoardMeasure, reference: int) -> PairedRows:
        """Return every model minus the reference, on the same resamples."""
        means = self.means[part, measure]
        return paired_rows(means.point, means.samples, reference, means.units, self.fewest(part, measure))

    def order(self, part: int, measure: BoardMeasure) -> RankShares:
        """Return how certain the models' order by a measure is; ties are broken by mean AUROC."""
        ties = None if measure == "AUROC" else self.means[part, "AUROC"].samples
        return rank_shares(larger_is_better(measure, self.means[part, measure].samples), ties)


def leaderboard(store: Store, chosen: Slice, models: Sequence[str], *, natural: bool = False) -> Board:
    """Return the slice's leaderboard with point estimates only. Raises NoComparison and the store's errors."""
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    return _points(store, chosen, tuple(models), natural, versions)


@cached_per_owner(32)
def _points(store: Store, chosen: Slice, models: tuple[str, ...], natural: bool, _versions: tuple[str, ...]) -> Board:
    return board_of(joint_scores(store, chosen, models), slice_groups(store, chosen, models), 0, 0, natural)


def slice_groups(store: Store, chosen: Slice, models: Sequence[str]) -> FrequencyGroups:
    """Return the findings' frequency groups by the slice's source."""
    return store.groups(chosen.cohort, models[0], chosen.source)


def board_of(
    joint: JointScores,
    groups: FrequencyGroups,
    resamples: int,
    seed: int,
    natural: bool,
    on_progress: OnShare = no_progress,
) -> Board:
    """Return the leaderboard of several models; with `resamples`, including intervals, differences and ranks.

    Each center's films are resampled separately. `natural` weights films to natural prevalence. `on_progress` receives
    the share done. Raises ValueError like `joint_metrics`.
    """
    parts = board_parts(joint, groups)
    films = {None: joint} | {part.center: joint.at(part.center) for part in parts if part.center}
    if resamples:
        metrics = _sampled_metrics(films, resamples, seed, natural, on_progress)
    else:
        with ThreadPoolExecutor(WORKERS) as pool:
            found = pool.map(lambda some: joint_metrics(some, 0, seed, natural=natural), films.values())
            metrics = dict(zip(films, found, strict=True))
    everywhere = metrics[None]
    defined = np.isfinite(everywhere.points["AUROC"]).sum(axis=0)
    return Board(
        models=joint.models,
        findings=joint.findings,
        parts=parts,
        means={
            (place, measure): _mean(metrics[part.center], part, measure)
            for place, part in enumerate(parts)
            for measure in BOARD_MEASURES
        },
        by_finding={measure: figures_by_finding(everywhere, measure) for measure in BOARD_MEASURES},
        groups=dict(groups),
        known=tuple(everywhere.known.tolist()),
        positives=tuple(everywhere.positives.tolist()),
        winners=tuple(_winners(joint, everywhere, groups)),
        films=len(joint.labels),
        patients=len(np.unique(joint.patients)),
        films_left_out=joint.films_left_out,
        findings_left_out=joint.findings_left_out,
        uncalled=everywhere.uncalled,
        undefined=tuple(name for name, some in zip(joint.findings, defined, strict=True) if not some),
        weighted=bool((joint.weights != 1).any()),
        resamples=resamples,
        films_lacking=joint.films_lacking,
        odd=tuple(
            tuple(odd_scores(joint.findings, joint.labels, scores, areas))
            for scores, areas in zip(joint.scores, everywhere.points["AUROC"], strict=True)
        ),
    )


def _sampled_metrics(
    films: Mapping[str | None, JointScores], resamples: int, seed: int, natural: bool, on_progress: OnShare
) -> dict[str | None, JointMetrics]:
    """Compute metrics with samples center by center, because each computation already uses all cores."""
    metrics: dict[str | None, JointMetrics] = {}
    done, of = 0, sum(len(some.labels) for some in films.values())
    for center, some in films.items():
        center_progress = sub_progress(on_progress, done / of, len(some.labels) / of)
        metrics[center] = joint_metrics(some, resamples, seed, natural=natural, on_progress=center_progress)
        done += len(some.labels)
    return metrics


def larger_is_better(measure: BoardMeasure, values: Floats) -> Floats:
    """Return values signed so that larger is better."""
    return -values if measure in LOWER_IS_BETTER else values


def _mean(metrics: JointMetrics, part: BoardPart, measure: BoardMeasure) -> JointMeans:
    return joint_means(metrics.points[measure], metrics.samples[measure], part.members, metrics.patients)


def figures_by_finding(metrics: JointMetrics, measure: BoardMeasure) -> FindingFigures:
    """Return a metric by model and finding with intervals from its samples."""
    point, samples = metrics.points[measure], metrics.samples[measure]
    columns = samples.reshape(len(samples), point.size)
    low, high = percentile_intervals(columns, np.broadcast_to(metrics.patients, point.shape).ravel())
    return FindingFigures(point, low.reshape(point.shape), high.reshape(point.shape))


def _winners(joint: JointScores, metrics: JointMetrics, groups: FrequencyGroups) -> Iterator[Winner]:
    for place, finding in enumerate(joint.findings):
        precision, area = metrics.points["AP"][:, place], metrics.points["AUROC"][:, place]
        defined = bool((~np.isnan(precision)).any())
        first = np.flatnonzero(ranks(precision[None], area[None])[0] == 1) if defined else np.empty(0, dtype=int)
        drawn = rank_shares(metrics.samples["AP"][:, :, place], metrics.samples["AUROC"][:, :, place])
        yield {
            "finding": finding,
            "frequency_group": groups[finding],
            "films": int(metrics.known[place]),
            "positives": int(metrics.positives[place]),
            "models": [joint.models[each] for each in first],
            "AP": float(precision[first[0]]) if defined else None,
            "p_first": float(drawn.first[first[0]]) if defined and drawn.used and len(joint.models) > 1 else None,
        }

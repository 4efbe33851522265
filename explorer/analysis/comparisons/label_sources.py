"""Compares two readings of the labels on the same films: metrics, the models' order, and agreement.

A reading is one source's labels, or those that count with uncertain labels counted as absent or as present: how far
may figures and order be off, if all of these fall one way?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.comparisons.label_ranges import LabelRanges, label_ranges
from explorer.analysis.comparisons.subgroups import ModelEstimates, model_estimates
from explorer.analysis.leaderboard.joint_metrics import joint_metrics
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.leaderboard.means import FindingFigures, finding_intervals
from explorer.core.arrays import Floats
from explorer.core.figures import Estimate
from explorer.core.findings import TASKS
from explorer.core.uncertainty import Policy
from explorer.metrics.agreement import cohen_kappa
from explorer.metrics.agreement_interval import agreement
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.joint_means import joint_means
from explorer.metrics.rank_correlation import kendall, spearman
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

RankedMeasure = Literal["AP", "AUROC"]
UNCERTAIN_NAMES: Mapping[Policy, str] = MappingProxyType(
    {"zeros": "uncertain ones as absent", "ones": "uncertain ones as present"}
)


class NoLabelsInCommon(Refusal):
    """The sources label no film in common."""


@dataclass(frozen=True, slots=True)
class LabelReading:
    """Labels of a source, by default those that count; `uncertain` says how to count uncertain ones."""

    source: str | None
    uncertain: Policy = "ignore"

    @property
    def name(self) -> str:
        """The source, and how uncertain labels count."""
        return ", ".join(filter(None, (self.source, UNCERTAIN_NAMES.get(self.uncertain)))) or "labels"


@dataclass(frozen=True, slots=True)
class LabelPair:
    """A finding's labels in two readings, over the films that both label, and their agreement.

    `both` counts films that both label present, `first` and `second` films that only one of them does.
    """

    finding: str
    films: int
    both: int
    first: int
    second: int
    kappa: Estimate


@dataclass(frozen=True, slots=True, eq=False)
class SourceComparison:
    """Models evaluated with one or two readings of the labels, `sources`, on films and findings that each labels.

    `means`, one per reading, are over the `counted` findings: seen findings whose metric is defined for all readings
    and models. Correlations compare the two readings over the models' means and, for each model, over the counted
    findings; with one reading there are none. `resamples` is 0 if only point estimates are computed.
    """

    sources: tuple[str, ...]
    models: tuple[str, ...]
    findings: tuple[str, ...]
    measure: RankedMeasure
    films: int
    known: tuple[int, ...]  # (findings,)
    positives: NDArray[np.int64]  # (sources, findings)
    counted: tuple[str, ...]
    means: tuple[ModelEstimates, ...]  # by source
    by_finding: tuple[FindingFigures, ...]  # by source
    over_models: tuple[Estimate, Estimate] | None  # Kendall's tau-b, Spearman's rho
    over_findings: tuple[tuple[Estimate, Estimate], ...]  # by model
    agreement: tuple[LabelPair, ...]
    resamples: int
    ranges: LabelRanges | None = None  # if one reading counts as present all that they differ on; with intervals


def same_order(first: Floats, second: Floats) -> bool:
    """Return whether two readings' means (models,) have the models in the same order."""
    return np.array_equal(np.argsort(-first, kind="stable"), np.argsort(-second, kind="stable"))


def without_label_source(chosen: Slice) -> Slice:
    """Return the slice without its label source and reading, unless it selects pairs by outcome."""
    plain = replace(chosen, label_source=None, uncertain=None)
    return chosen if plain.picks_pairs else plain


def compare_sources(
    store: Store, chosen: Slice, models: Sequence[str], readings: Sequence[LabelReading], measure: RankedMeasure
) -> SourceComparison:
    """Compare readings by point estimates only. Raises NoLabelsInCommon and the errors of `joint_scores`."""
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    return _points(store, chosen, tuple(models), tuple(readings), measure, versions)


def source_intervals(
    store: Store, chosen: Slice, models: Sequence[str], readings: Sequence[LabelReading], measure: RankedMeasure
) -> Callable[[int, int], SourceComparison]:
    """Return a slow function of resamples and seed that compares with intervals. Raises like `compare_sources`."""
    names = [reading.name for reading in readings]
    return partial(compare_labeled, _labeled(store, chosen, models, readings), names, measure)


@cached_per_owner(32)
def _points(
    store: Store,
    chosen: Slice,
    models: tuple[str, ...],
    readings: tuple[LabelReading, ...],
    measure: RankedMeasure,
    _versions: tuple[str, ...],
) -> SourceComparison:
    return source_intervals(store, chosen, models, readings, measure)(0, 0)


def _labeled(store: Store, chosen: Slice, models: Sequence[str], readings: Sequence[LabelReading]) -> list[JointScores]:
    """Return scores with the labels of each reading, on the films and findings that all of them label."""
    films = without_label_source(chosen)
    each = [joint_scores(store, films, models, reading.source, reading.uncertain) for reading in readings]
    known = np.logical_and.reduce([~np.isnan(joint.labels) for joint in each])
    there = known.any(axis=1)
    if not there.any():
        raise NoLabelsInCommon(
            "These sources label no film in common",
            "Sources are compared on films that both label. Remove a filter, or choose another source.",
        )
    return [replace(joint, labels=np.where(known, joint.labels, np.nan)).of(there) for joint in each]


def compare_labeled(
    labeled: Sequence[JointScores], sources: Sequence[str], measure: RankedMeasure, resamples: int, seed: int
) -> SourceComparison:
    """Compare readings, by name; `labeled` holds the same films and scores with the labels of each.

    Resamples draw whole patients and are the same for all readings. Raises ValueError like `joint_metrics`.
    """
    first = labeled[0]
    models, findings = len(first.models), len(first.findings)
    metrics = [joint_metrics(joint, resamples, seed, measures=(measure,)) for joint in labeled]
    points = np.concatenate([each.points[measure] for each in metrics])
    samples = np.concatenate([each.samples[measure] for each in metrics], axis=1)
    seen = [place for place in range(findings) if first.findings[place] not in TASKS["unseen"]] or list(range(findings))
    means = joint_means(points, samples, seen, metrics[0].patients)
    counted, units = list(means.counted), means.units
    pair = len(labeled) == 2
    each = points.reshape(-1, models, findings)[:, :, counted]
    drawn = samples.reshape(resamples, len(labeled), models, findings)[:, :, :, counted]
    mean, drawn_means = means.point.reshape(-1, models), means.samples.reshape(resamples, len(labeled), models)
    return SourceComparison(
        sources=tuple(sources),
        models=first.models,
        findings=first.findings,
        measure=measure,
        films=len(first.labels),
        known=tuple(metrics[0].known.tolist()),
        positives=np.stack([each.positives for each in metrics]),
        counted=tuple(first.findings[place] for place in counted),
        means=tuple(model_estimates(one, drawn_means[:, place], units) for place, one in enumerate(mean)),
        by_finding=tuple(
            FindingFigures(one.points[measure], *finding_intervals(one.samples[measure], one.patients))
            for one in metrics
        ),
        over_models=_rank_correlations(mean, drawn_means, units) if pair and models > 1 else None,
        over_findings=tuple(
            _rank_correlations(each[:, model], drawn[:, :, model], units) for model in range(models * pair)
        ),
        agreement=tuple(_pair(labeled, place, resamples, seed) for place in range(findings * pair)),
        resamples=resamples,
        ranges=_ranges(labeled) if pair and resamples else None,
    )


def _ranges(labeled: Sequence[JointScores]) -> LabelRanges | None:
    """Return what uncertain labels can do, if the readings differ in nothing but how they count these."""
    fewer, more = sorted(labeled, key=lambda joint: float(np.nansum(joint.labels)))
    return None if (fewer.labels > more.labels).any() else label_ranges(fewer, more)


def _rank_correlations(points: Floats, samples: Floats, units: int) -> tuple[Estimate, Estimate]:
    """Return Kendall's tau-b and Spearman's rho of two sources' points (2, k), with intervals from their samples."""
    tau, rho = (
        _estimate(float(measure(*points)), measure(samples[:, 0], samples[:, 1]), units)
        for measure in (kendall, spearman)
    )
    return tau, rho


def _estimate(value: float, samples: Floats, units: int) -> Estimate:
    low, high = percentile_interval(samples, units) if len(samples) else (np.nan, np.nan)
    return Estimate(value, float(low), float(high))


def _pair(labeled: Sequence[JointScores], place: int, resamples: int, seed: int) -> LabelPair:
    ratings = np.stack([joint.labels[:, place] for joint in labeled], axis=1)
    there = ~np.isnan(ratings[:, 0])
    ratings, patients = ratings[there], labeled[0].patients[there]
    value = float(cohen_kappa(ratings)) if len(ratings) else np.nan
    reach: tuple[float, float] | None = None
    if resamples and len(ratings):
        reach = agreement(cohen_kappa, ratings, resamples=resamples, seed=seed, unit=patients).interval
    present = ratings == 1
    return LabelPair(
        finding=labeled[0].findings[place],
        films=len(ratings),
        both=int(present.all(axis=1).sum()),
        first=int((present[:, 0] & ~present[:, 1]).sum()),
        second=int((present[:, 1] & ~present[:, 0]).sum()),
        kappa=Estimate(value, *(reach or ())),
    )

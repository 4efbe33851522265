"""The same films under the labels of two sources: metrics of each, how alike they order models, how far they agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.comparisons.subgroups import Figures, figures_of
from explorer.analysis.leaderboard.joint_metrics import joint_metrics
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.leaderboard.means import FindingFigures, figures_by_finding
from explorer.core.arrays import Floats
from explorer.core.figures import Estimate
from explorer.core.findings import TASKS
from explorer.metrics.agreement import cohen_kappa
from explorer.metrics.agreement_interval import agreement
from explorer.metrics.bootstrap import interval
from explorer.metrics.joint_means import joint_means
from explorer.metrics.rank_correlation import kendall, spearman
from explorer.runtime.cached_per_owner import remembered
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

Ranked = Literal["AP", "AUROC"]


class NoLabelsInCommon(Refusal):
    """Two sources that label no film of these in common."""


@dataclass(frozen=True, slots=True)
class LabelPair:
    """A finding under two sources, over the films that both label: how many each calls present, and their agreement.

    `both` call it present, `first` and `second` the one source alone.
    """

    finding: str
    films: int
    both: int
    first: int
    second: int
    kappa: Estimate


@dataclass(frozen=True, slots=True, eq=False)
class UnderSources:
    """Models under the labels of one source or two, on films and findings that each source labels.

    `means` (sources, models) are over the `counted` findings: seen ones that are defined under every source for all
    models. Correlations are between the two sources: over the models by their means, and for each model over the
    counted findings; none of one source. `resamples` is 0 while only points are there.
    """

    sources: tuple[str, ...]
    models: tuple[str, ...]
    findings: tuple[str, ...]
    measure: Ranked
    films: int
    known: tuple[int, ...]  # (findings,)
    positives: NDArray[np.int64]  # (sources, findings)
    counted: tuple[str, ...]
    means: tuple[Figures, ...]  # a source each
    by_finding: tuple[FindingFigures, ...]  # a source each
    over_models: tuple[Estimate, Estimate] | None  # Kendall's tau-b, Spearman's rho
    over_findings: tuple[tuple[Estimate, Estimate], ...]  # a model each
    agreement: tuple[LabelPair, ...]
    resamples: int


def without_label_source(chosen: Slice) -> Slice:
    """The slice that sources are compared on: whose labels count alone leaves no film of it out."""
    plain = replace(chosen, label_source=None)
    return chosen if plain.picks_pairs else plain


def under_sources(
    store: Store, chosen: Slice, models: Sequence[str], sources: Sequence[str], measure: Ranked
) -> UnderSources:
    """Points alone, at once. Raises NoLabelsInCommon, and what `joint_scores` raises."""
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    return _points(store, chosen, tuple(models), tuple(sources), measure, versions)


def source_intervals(
    store: Store, chosen: Slice, models: Sequence[str], sources: Sequence[str], measure: Ranked
) -> Callable[[int, int], UnderSources]:
    """What makes the same with intervals, of resamples and a seed, in seconds. Raises as `under_sources` does."""
    return partial(sources_of, _labeled(store, chosen, models, sources), sources, measure)


@remembered(32)
def _points(
    store: Store,
    chosen: Slice,
    models: tuple[str, ...],
    sources: tuple[str, ...],
    measure: Ranked,
    _versions: tuple[str, ...],
) -> UnderSources:
    return source_intervals(store, chosen, models, sources, measure)(0, 0)


def _labeled(store: Store, chosen: Slice, models: Sequence[str], sources: Sequence[str]) -> list[JointScores]:
    """The models' scores with the labels of each source, where all of them say present or absent; the same films."""
    each = [joint_scores(store, without_label_source(chosen), models, source) for source in sources]
    known = np.logical_and.reduce([~np.isnan(joint.labels) for joint in each])
    films = known.any(axis=1)
    if not films.any():
        raise NoLabelsInCommon(
            "These sources label no film in common",
            "Sources are compared on films that both label. Take a filter away, or choose another source.",
        )
    return [replace(joint, labels=np.where(known, joint.labels, np.nan)).of(films) for joint in each]


def sources_of(
    labeled: Sequence[JointScores], sources: Sequence[str], measure: Ranked, resamples: int, seed: int
) -> UnderSources:
    """What the sources make of the models: `labeled` are the same films and scores, with the labels of each.

    All draws are of whole patients, and the same for all sources. Raises ValueError as `joint_metrics` does.
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
    return UnderSources(
        sources=tuple(sources),
        models=first.models,
        findings=first.findings,
        measure=measure,
        films=len(first.labels),
        known=tuple(metrics[0].known.tolist()),
        positives=np.stack([each.positives for each in metrics]),
        counted=tuple(first.findings[place] for place in counted),
        means=tuple(figures_of(one, drawn_means[:, place], units) for place, one in enumerate(mean)),
        by_finding=tuple(figures_by_finding(one, measure) for one in metrics),
        over_models=_alike(mean, drawn_means, units) if pair and models > 1 else None,
        over_findings=tuple(_alike(each[:, model], drawn[:, :, model], units) for model in range(models * pair)),
        agreement=tuple(_pair(labeled, place, resamples, seed) for place in range(findings * pair)),
        resamples=resamples,
    )


def _alike(points: Floats, samples: Floats, units: int) -> tuple[Estimate, Estimate]:
    """Kendall's tau-b and Spearman's rho of two sources' points (2, k), with intervals of samples (resamples, 2, k)."""
    tau, rho = (
        _estimate(float(measure(*points)), measure(samples[:, 0], samples[:, 1]), units)
        for measure in (kendall, spearman)
    )
    return tau, rho


def _estimate(value: float, samples: Floats, units: int) -> Estimate:
    low, high = interval(samples, units) if len(samples) else (np.nan, np.nan)
    return Estimate(value, float(low), float(high))


def _pair(labeled: Sequence[JointScores], place: int, resamples: int, seed: int) -> LabelPair:
    ratings = np.stack([joint.labels[:, place] for joint in labeled], axis=1)
    there = ~np.isnan(ratings[:, 0])
    ratings, patients = ratings[there], labeled[0].patients[there]
    value = float(cohen_kappa(ratings)) if len(ratings) else np.nan
    reach: tuple[float, float] | None = None
    if resamples and len(ratings):
        reach = agreement(cohen_kappa, ratings, resamples=resamples, seed=seed, unit=patients).interval
    said = ratings == 1
    return LabelPair(
        finding=labeled[0].findings[place],
        films=len(ratings),
        both=int(said.all(axis=1).sum()),
        first=int((said[:, 0] & ~said[:, 1]).sum()),
        second=int((said[:, 1] & ~said[:, 0]).sum()),
        kappa=Estimate(value, *(reach or ())),
    )

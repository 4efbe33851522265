"""Computes the leaderboard's metrics in blocks of models and findings, because all scores may not fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_metrics import (
    ALL_MEASURES,
    BoardMeasure,
    computed_measures,
    draws,
    every_film,
    points_of_model,
    prepared_metrics,
    without_call,
)
from explorer.analysis.leaderboard.joint_scores import ComparedFilms, JointScores
from explorer.core.arrays import Evaluate, Floats
from explorer.core.progress import OnShare, no_progress, sub_progress
from explorer.metrics.odd_scores import odd_ranked_scores
from explorer.metrics.resamples import WORKERS
from explorer.metrics.sorted_cases import LabeledCases
from explorer.runtime.work_process import RunWork

BLOCK = 2**22  # scores in a block of samples, which take 60 times as many bytes
PER_POSITIVE = 6  # a positive case takes as much as so many scores: it has a sum in each resample
Values = Mapping[BoardMeasure, Floats]  # (models, findings), or (resamples, models, findings)
# (model, scores (findings, n), calls (findings, n)) -> metrics (measures, findings) by region
ModelPoints = Callable[[int, NDArray[np.float32], NDArray[np.int8]], list[Floats]]


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Films that are measured together: all, or those of a center, which are a range of the films.

    `uncalled` marks pairs (n, findings) that F1, precision and recall leave out, None if there are none: see
    `without_call`. `known`, `positives` and `patients` (findings,) count films and patients with a known label.
    """

    center: str | None
    rows: slice
    uncalled: NDArray[np.bool_] | None
    known: NDArray[np.int64]
    positives: NDArray[np.int64]
    patients: NDArray[np.int64]
    left_out: int  # known pairs that are `uncalled`


def in_order_of_centers(films: ComparedFilms) -> tuple[ComparedFilms, dict[str | None, slice]]:
    """Return the films with those of each center together, and the range of each center; None: of all."""
    every: dict[str | None, slice] = {None: slice(0, len(films.films))}
    centers = sorted(set(films.centers.tolist()))
    if len(centers) < 2:
        return films, every
    places = {center: place for place, center in enumerate(centers)}
    codes = np.array([places[center] for center in films.centers.tolist()], dtype=np.int32)
    ends = np.cumsum(np.bincount(codes)).tolist()
    ranges = (slice(start, end) for start, end in zip([0, *ends], ends, strict=False))
    return films.of(np.argsort(codes, kind="stable")), every | dict(zip(centers, ranges, strict=True))


def board_regions(films: ComparedFilms, ranges: Mapping[str | None, slice], *, natural: bool) -> tuple[Region, ...]:
    """Return the regions of films in the order of their centers."""
    findings = range(len(films.findings))
    labels = films.label_columns(findings)
    uncalled: dict[str | None, NDArray[np.bool_]] = {}
    with ThreadPoolExecutor(WORKERS) as pool:
        calls_all = list(pool.map(films.calls_all, range(len(films.models))))
        some = [model for model, every in enumerate(calls_all) if not every]
        for called in pool.map(lambda model: films.call_columns(model, findings).T, some):
            for center, rows in ranges.items():
                uncalled[center] = without_call(called[None, rows]) | uncalled.get(center, False)
    return tuple(
        _region(films.of(rows), labels[:, rows], center, rows, uncalled.get(center), natural)
        for center, rows in ranges.items()
    )


def _region(
    films: ComparedFilms,
    labels: NDArray[np.int8],
    center: str | None,
    rows: slice,
    uncalled: NDArray[np.bool_] | None,
    natural: bool,
) -> Region:
    known = (labels >= 0).T
    left_out = 0 if uncalled is None else int((uncalled & known).sum())
    return Region(
        center=center,
        rows=rows,
        uncalled=uncalled if left_out else None,
        known=known.sum(axis=0),
        positives=(labels == 1).sum(axis=1),
        patients=draws(films, 1, 0, natural=natural).units_with(known),
        left_out=left_out,
    )


def board_points(
    films: ComparedFilms, regions: Sequence[Region], *, natural: bool
) -> tuple[dict[str | None, Values], tuple[tuple[str, ...], ...]]:
    """Return the metrics by center, and each model's warnings about odd scores."""
    findings, whole = range(len(films.findings)), regions[0]
    points_of = _weighted_points(films, regions) if natural else _plain_points(films, regions)

    def points(model: int) -> tuple[list[Floats], tuple[str, ...]]:
        scores = films.score_columns(model, findings)
        found = points_of(model, scores, films.call_columns(model, findings))
        areas = found[0][ALL_MEASURES.index("AUROC")]
        absent = whole.known - whole.positives
        return found, tuple(odd_ranked_scores(films.findings, scores.T, whole.positives, absent, areas))

    with ThreadPoolExecutor(WORKERS) as pool:
        found = list(pool.map(points, range(len(films.models))))
    by_region = zip(regions, zip(*(values for values, _ in found), strict=True), strict=True)
    return {region.center: _by_measure(np.stack(of, axis=1)) for region, of in by_region}, tuple(
        odd for _, odd in found
    )


def _plain_points(films: ComparedFilms, regions: Sequence[Region]) -> ModelPoints:
    """Return a function that computes metrics by region with every film counted once."""
    labels = films.label_columns(range(len(films.findings)))
    ranked = [[LabeledCases.of(row[each.rows]) for row in labels] for each in regions]
    judged = [
        cases
        if each.uncalled is None
        else [LabeledCases.of(row) for row in np.where(each.uncalled.T, -1, labels[:, each.rows])]
        for cases, each in zip(ranked, regions, strict=True)
    ]

    def points(model: int, scores: NDArray[np.float32], called: NDArray[np.int8]) -> list[Floats]:
        return [
            points_of_model(cases, call_cases, scores[:, each.rows], called[:, each.rows], films.scales[model])
            for cases, call_cases, each in zip(ranked, judged, regions, strict=True)
        ]

    return points


def _weighted_points(films: ComparedFilms, regions: Sequence[Region]) -> ModelPoints:
    """Return a function that computes metrics by region with films weighted to natural prevalence."""
    base = films.block(())  # labels, which are the same for all models

    def points(model: int, scores: NDArray[np.float32], called: NDArray[np.int8]) -> list[Floats]:
        named, scale = (films.models[model],), (films.scales[model],)
        one = replace(base, models=named, scales=scale, scores=scores.T[None], called=called.T[None])
        here = [(one.of(each.rows), each) for each in regions]
        return [_prepared(some, each)(every_film(some, True)[None])[0, :, 0] for some, each in here]

    return points


def board_samples(
    films: ComparedFilms,
    regions: Sequence[Region],
    resamples: int,
    seed: int,
    *,
    natural: bool,
    run: RunWork,
    measures: Collection[BoardMeasure] = ALL_MEASURES,
    on_progress: OnShare = no_progress,
) -> Iterator[tuple[Sequence[int], dict[str | None, Values]]]:
    """Yield some findings at a time, by index, with the samples of these metrics by center.

    Blocks of scores are computed by `run`. `on_progress` receives the share done.
    """
    blocks = list(_blocks(len(films.models), len(films.films) + PER_POSITIVE * regions[0].positives))
    computed = computed_measures(measures)
    share, done = 1 / sum(len(some_models) for _, some_models in blocks), 0
    for some, some_models in blocks:
        here = [each if each.uncalled is None else replace(each, uncalled=each.uncalled[:, some]) for each in regions]
        found: list[list[Floats]] = []
        for each in some_models:
            work = partial(samples_of_block, films.block(each, some), here, resamples, seed, natural, computed)
            found.append(run(work, sub_progress(on_progress, share * done, share)))
            done += 1
        by_region = zip(regions, zip(*found, strict=True), strict=True)
        samples = {region.center: np.concatenate(of, axis=2) for region, of in by_region}
        yield some, {center: _by_measure(each, computed, axis=1) for center, each in samples.items()}


def _blocks(models: int, room: NDArray[np.int64]) -> Iterator[tuple[range, list[range]]]:
    """Yield the blocks that fit in memory: findings, each with its room (findings,) for a model, and some models."""
    start, ends = 0, np.cumsum(room)
    while start < len(room):
        before = ends[start] - room[start]
        stop = max(start + 1, int(np.searchsorted(ends, before + BLOCK // models, side="right")))
        parts = -(-models // max(1, BLOCK // int(ends[stop - 1] - before)))
        edges = [models * part // parts for part in range(parts + 1)]
        yield range(start, stop), [range(*each) for each in pairwise(edges)]
        start = stop


def samples_of_block(
    joint: JointScores,
    regions: Sequence[Region],
    resamples: int,
    seed: int,
    natural: bool,
    measures: Collection[BoardMeasure],
    on_progress: OnShare = no_progress,
) -> list[Floats]:
    """Return samples (resamples, computed measures, models, findings) of each region, resampled separately."""
    found: list[Floats] = []
    before, every = 0, sum(each.rows.stop - each.rows.start for each in regions)
    for each in regions:
        films = joint.of(each.rows)
        drawn = draws(films, resamples, seed, natural=natural)
        progress = sub_progress(on_progress, before / every, len(films.films) / every)
        found.append(drawn.evaluate(_prepared(films, each, measures), progress))
        before += len(films.films)
    return found


def _prepared(joint: JointScores, region: Region, measures: Collection[BoardMeasure] = ALL_MEASURES) -> Evaluate:
    return prepared_metrics(joint, measures, _call_labels(joint, region))[1]


def _call_labels(joint: JointScores, region: Region) -> Floats:
    return joint.labels if region.uncalled is None else np.where(region.uncalled, np.nan, joint.labels)


def _by_measure(values: Floats, measures: Sequence[BoardMeasure] = ALL_MEASURES, axis: int = 0) -> Values:
    """Split values along an axis by measure."""
    return {measure: np.take(values, place, axis) for place, measure in enumerate(measures)}

"""Builds the lines of the challenge's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats
from explorer.core.figures import NO_NEGATIVES, NO_POSITIVES, UNDEFINED
from explorer.core.findings import FrequencyGroup
from explorer.core.metric_plan import IntervalKind, Plan
from explorer.metrics.bias_corrected import interval_of
from explorer.metrics.bootstrap import Bootstrap, macro_samples
from explorer.metrics.metrics import macro
from models.statistics import wilson

TableMetric = Literal["AP", "AUROC", "F1", "precision", "recall", "ECE"]
PartLevel = Literal["all", "without Normal", "group", "finding"]

NOT_GROUPED = "not grouped"
TOO_FEW = "too few positives"


@dataclass(frozen=True, slots=True)
class TablePart:
    """One finding, a frequency group, or all findings of a cohort; `members` are indices of findings."""

    level: PartLevel
    name: str
    group: FrequencyGroup | None
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MetricEstimate:
    """A metric of a finding, or its mean over the findings of a part for which it is defined."""

    value: float | None  # None: undefined, for the reason `why`
    low: float | None  # 95 % interval; None: one image or patient, constant over resamples, or undefined
    high: float | None
    counted: int  # findings
    left_out: int  # findings that leave it undefined
    incomplete: int  # resamples in which it or a counted member is undefined
    why: str | None


@dataclass(frozen=True, slots=True)
class MetricsLine:
    """A part's metrics at one center (None: all centers).

    `n` counts images with a known label of any member, `patients` their patients (None: not stated), `positives` images
    with any member present. `fewest_positives` is the number of positives of the rarest counted member that has any,
    which limits the precision of a mean; only the mean of ECE counts members without positives. `weighted` holds the
    same metrics with weighted images; `n` and `positives` still count images.
    """

    center: str | None
    part: TablePart
    n: int
    patients: int | None
    positives: int
    fewest_positives: int
    estimates: Mapping[TableMetric, MetricEstimate]
    weighted: Mapping[TableMetric, MetricEstimate]  # empty if images have no weights


def table_parts(findings: Sequence[str], groups: Sequence[FrequencyGroup | None]) -> tuple[TablePart, ...]:
    """Return all findings, all but Normal, each non-empty frequency group, and each finding, from head to tail."""
    order = (*FrequencyGroup, None)
    places = range(len(findings))
    parts = [TablePart("all", "all findings", None, tuple(places))]
    abnormal = tuple(place for place in places if findings[place] != "Normal")
    if 0 < len(abnormal) < len(findings):
        parts.append(TablePart("without Normal", "without Normal", None, abnormal))
    for group in order:
        members = tuple(place for place in places if groups[place] is group)
        if members:
            parts.append(TablePart("group", group or NOT_GROUPED, group, members))
    for place in sorted(places, key=lambda place: order.index(groups[place])):
        parts.append(TablePart("finding", findings[place], groups[place], (place,)))
    return tuple(parts)


def metrics_line(
    center: str | None,
    part: TablePart,
    labels: Floats,
    patients: npt.NDArray[np.object_] | None,
    results: Mapping[TableMetric, Bootstrap],
    weighted: Mapping[TableMetric, Bootstrap],
    plan: Plan,
) -> MetricsLine:
    """Return a part's line from one center's labels (images, findings), patients (images,) and computed metrics."""
    members = labels[:, part.members]
    known = (~np.isnan(members)).any(axis=1)
    present = members == 1
    counts = present.sum(axis=0)
    without_recall = np.isnan(results["recall"].point)
    counted = _counted(part, counts, plan.min_positives)
    return MetricsLine(
        center=center,
        part=part,
        n=int(known.sum()),
        patients=None if patients is None else len(set(patients[known])),
        positives=int(present.any(axis=1).sum()),
        fewest_positives=_fewest(counts, part, counted),
        estimates={
            metric: _estimate(part, counted, metric, labels, result, without_recall, plan.intervals, plain=True)
            for metric, result in results.items()
        },
        weighted={
            metric: _estimate(part, counted, metric, labels, result, without_recall, plan.intervals, plain=False)
            for metric, result in weighted.items()
        },
    )


def _counted(part: TablePart, positives: npt.NDArray[np.int64], minimum: int) -> TablePart:
    """Return a group of findings without those with too few positives (members,); a finding's own line stays."""
    if part.level == "finding":
        return part
    pairs = zip(part.members, positives, strict=True)
    return replace(part, members=tuple(place for place, count in pairs if count >= minimum))


def _fewest(positives: npt.NDArray[np.int64], part: TablePart, counted: TablePart) -> int:
    """Return the positives of the rarest counted member that has any."""
    pairs = zip(part.members, positives.tolist(), strict=True)
    return min((count for place, count in pairs if count and place in counted.members), default=0)


def _estimate(
    part: TablePart,
    counted: TablePart,
    metric: TableMetric,
    every: Floats,
    result: Bootstrap,
    without_recall: npt.NDArray[np.bool_],
    kind: IntervalKind,
    *,
    plain: bool,
) -> MetricEstimate:
    """Return a part's estimate over its `counted` members; `plain` means unweighted.

    `every` holds labels (images, findings). `without_recall` (findings,) marks findings without a recall, which
    positives alone do not explain.
    """
    members = np.array(counted.members, dtype=np.intp)
    labels, too_few = every[:, members], len(part.members) - len(members)
    points = result.point[members]
    mean, defined = macro(points), members[~np.isnan(points)]
    if not mean.counted:
        reasons = {
            _reason(metric, column, bool(without_recall[place]))
            for place, column in zip(members, labels.T, strict=True)
        }
        why = reasons.pop() if len(reasons) == 1 else UNDEFINED if len(members) else TOO_FEW
        return MetricEstimate(None, None, None, 0, mean.left_out + too_few, len(result.samples), why)
    point, samples, units = macro_samples(result, counted.members)
    low, high = (None if np.isnan(end) else end for end in interval_of(kind, samples, point, units))
    if low is not None and low == high:
        low, high = _constant_interval(metric, mean.mean, labels) if plain else (None, None)
    incomplete = int(np.isnan(result.samples[:, defined]).any(axis=1).sum())
    return MetricEstimate(mean.mean, low, high, mean.counted, mean.left_out + too_few, incomplete, None)


def _constant_interval(metric: TableMetric, value: float, labels: Floats) -> tuple[float, float] | tuple[None, None]:
    """Return the Wilson interval of one finding's recall, a plain rate; None for other metrics.

    All resamples of a rate of 0 or 1 agree, yet 0 of 3 does not prove a rate of 0.
    """
    if metric != "recall" or labels.shape[1] != 1:
        return None, None
    positives = int((labels == 1).sum())
    return wilson(round(value * positives), positives)


def _reason(metric: TableMetric, labels: Floats, without_recall: bool) -> str:
    """Return why a metric of one finding is undefined; `without_recall` as in `_estimate`."""
    known = labels[~np.isnan(labels)]
    if not len(known):
        return "no labels"
    if not known.any():
        return NO_POSITIVES
    if without_recall and metric in ("F1", "precision", "recall"):
        return "no threshold"
    return "none called" if metric == "precision" else NO_NEGATIVES

"""The lines of the challenge's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats
from explorer.core.figures import NO_NEGATIVES, NO_POSITIVES, UNDEFINED
from explorer.core.findings import FrequencyGroup
from explorer.metrics.bootstrap import Bootstrap, macro_interval
from explorer.metrics.metrics import macro
from models.statistics import wilson

Metric = Literal["AP", "AUROC", "F1", "precision", "recall", "ECE"]
Level = Literal["all", "without Normal", "group", "finding"]

NOT_GROUPED = "not grouped"


@dataclass(frozen=True, slots=True)
class Part:
    """Some findings of a cohort: one of them, a frequency group, or all. `members` are their places."""

    level: Level
    name: str
    group: FrequencyGroup | None
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MetricEstimate:
    """A metric of a finding, or its mean over those findings of a part where it is defined."""

    value: float | None  # None: undefined, `why` says why
    low: float | None  # 95 % interval; None: of one image or patient only, the same in every resample, or undefined
    high: float | None
    counted: int  # findings
    left_out: int  # findings where it is undefined
    incomplete: int  # resamples where it, or a counted member of the mean, is undefined
    why: str | None


@dataclass(frozen=True, slots=True)
class MetricsLine:
    """The metrics of a part at a center (None: all centers).

    `n` counts images with a known label of any member, `patients` their patients (None: not stated), `positives` images
    with any member present. `fewest_positives` are those of the member that has the fewest: a mean over findings is no
    better founded than that. Members without any are left out: only the mean of ECE counts them. `weighted` are the
    same metrics with each image counted by its weight; n and positives are of images all the same.
    """

    center: str | None
    part: Part
    n: int
    patients: int | None
    positives: int
    fewest_positives: int
    estimates: Mapping[Metric, MetricEstimate]
    weighted: Mapping[Metric, MetricEstimate]  # empty where images have no weights


def parts_of(findings: Sequence[str], groups: Sequence[FrequencyGroup | None]) -> tuple[Part, ...]:
    """All findings, all but Normal, each frequency group that has members, each finding; from head to tail."""
    order = (*FrequencyGroup, None)
    places = range(len(findings))
    parts = [Part("all", "all findings", None, tuple(places))]
    abnormal = tuple(place for place in places if findings[place] != "Normal")
    if 0 < len(abnormal) < len(findings):
        parts.append(Part("without Normal", "without Normal", None, abnormal))
    for group in order:
        members = tuple(place for place in places if groups[place] is group)
        if members:
            parts.append(Part("group", group or NOT_GROUPED, group, members))
    for place in sorted(places, key=lambda place: order.index(groups[place])):
        parts.append(Part("finding", findings[place], groups[place], (place,)))
    return tuple(parts)


def line(
    center: str | None,
    part: Part,
    labels: Floats,
    patients: npt.NDArray[np.object_] | None,
    results: Mapping[Metric, Bootstrap],
    weighted: Mapping[Metric, Bootstrap],
) -> MetricsLine:
    """The line of a part from a center's labels (images, findings), patients (images,) and metrics computed on them."""
    members = labels[:, part.members]
    known = (~np.isnan(members)).any(axis=1)
    present = members == 1
    counts = present.sum(axis=0)
    uncut = np.isnan(results["recall"].point)
    return MetricsLine(
        center=center,
        part=part,
        n=int(known.sum()),
        patients=None if patients is None else len(set(patients[known])),
        positives=int(present.any(axis=1).sum()),
        fewest_positives=int(counts[counts > 0].min(initial=len(members))) if counts.any() else 0,
        estimates={
            metric: _estimate(part, metric, members, result, uncut, plain=True) for metric, result in results.items()
        },
        weighted={
            metric: _estimate(part, metric, members, result, uncut, plain=False) for metric, result in weighted.items()
        },
    )


def _estimate(
    part: Part, metric: Metric, labels: Floats, result: Bootstrap, uncut: npt.NDArray[np.bool_], *, plain: bool
) -> MetricEstimate:
    """The estimate from the labels (images, members) of a part and the metric of all findings; `plain`: unweighted.

    `uncut` (findings,): whether a finding that has positives has no recall, which is where it has no threshold.
    """
    members = np.array(part.members)
    points = result.point[members]
    mean, defined = macro(points), members[~np.isnan(points)]
    if not mean.counted:
        reasons = {_reason(metric, column, bool(uncut[place])) for place, column in zip(members, labels.T, strict=True)}
        why = reasons.pop() if len(reasons) == 1 else UNDEFINED
        return MetricEstimate(None, None, None, 0, mean.left_out, len(result.samples), why)
    _, low, high = (None if np.isnan(number) else number for number in macro_interval(result, part.members))
    if low is not None and low == high:
        low, high = _where_all_resamples_agree(metric, mean.mean, labels) if plain else (None, None)
    incomplete = int(np.isnan(result.samples[:, defined]).any(axis=1).sum())
    return MetricEstimate(mean.mean, low, high, mean.counted, mean.left_out, incomplete, None)


def _where_all_resamples_agree(metric: Metric, value: float, labels: Floats) -> tuple[float, float] | tuple[None, None]:
    """Wilson's interval of one finding's recall, a plain rate of its positives; none else: 0 of 3 may well not be 0."""
    if metric != "recall" or labels.shape[1] != 1:
        return None, None
    positives = int((labels == 1).sum())
    return wilson(round(value * positives), positives)


def _reason(metric: Metric, labels: Floats, uncut: bool) -> str:
    """Why a metric of one finding is undefined; `uncut` as in `_estimate`."""
    known = labels[~np.isnan(labels)]
    if not len(known):
        return "no labels"
    if not known.any():
        return NO_POSITIVES
    if uncut and metric in ("F1", "precision", "recall"):
        return "no threshold"
    return "none called" if metric == "precision" else NO_NEGATIVES

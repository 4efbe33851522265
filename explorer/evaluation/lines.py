"""The lines of the challenge's table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from explorer.bootstrap import Bootstrap, macro_interval
from explorer.metric_inputs import Floats
from explorer.vocabulary import FrequencyGroup

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
class Estimate:
    """A metric of a finding, or its mean over those findings of a part where it is defined."""

    value: float | None  # None: undefined, `why` says why
    low: float | None  # 95 % interval
    high: float | None
    counted: int  # findings
    left_out: int  # findings where it is undefined
    incomplete: int  # resamples where it, or a counted member of the mean, is undefined
    why: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """The metrics of a part at a center (None: all centers).

    `n` counts images with a known label of any member, `positives` images with any member present.
    """

    center: str | None
    part: Part
    n: int
    positives: int
    estimates: Mapping[Metric, Estimate]


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


def line(center: str | None, part: Part, labels: Floats, results: Mapping[Metric, Bootstrap]) -> Line:
    """The line of a part from the labels (images, findings) of a center and the metrics computed on them."""
    members = labels[:, part.members]
    reasons = {metric: _reasons(members, result.point[list(part.members)]) for metric, result in results.items()}
    return Line(
        center=center,
        part=part,
        n=int((~np.isnan(members)).any(axis=1).sum()),
        positives=int((members == 1).any(axis=1).sum()),
        estimates={metric: _estimate(part, result, reasons[metric]) for metric, result in results.items()},
    )


def _estimate(part: Part, result: Bootstrap, reasons: Sequence[str]) -> Estimate:
    members = list(part.members)
    if len(reasons) == len(members):
        why = reasons[0] if len(set(reasons)) == 1 else "undefined"
        return Estimate(None, None, None, 0, len(members), len(result.samples), why)
    if part.level == "finding":
        numbers: Iterable[float] = (array[members[0]] for array in (result.point, result.low, result.high))
    else:
        numbers = macro_interval(result, members)
    value, low, high = (None if np.isnan(number) else float(number) for number in numbers)
    counted = [member for member in members if not np.isnan(result.point[member])]
    incomplete = int(np.isnan(result.samples[:, counted]).any(axis=1).sum())
    return Estimate(value, low, high, len(counted), len(reasons), incomplete, None)


def _reasons(labels: Floats, points: Floats) -> list[str]:
    """Why a metric is undefined, for each finding where it is."""
    return [_reason(column) for column, point in zip(labels.T, points, strict=True) if np.isnan(point)]


def _reason(labels: Floats) -> str:
    known = labels[~np.isnan(labels)]
    if not len(known):
        return "no labels"
    if not known.any():
        return "no positives"
    return "no negatives" if known.all() else "none called"

"""Means over findings of several models, compared like with like: over the findings that all of them have.

A finding without positives has no F1, a model that never calls one has no precision for it. A mean over other findings
for each model would compare the findings, not the models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats, ratio
from explorer.metrics.bootstrap import interval


@dataclass(frozen=True, slots=True, eq=False)
class JointMeans:
    """The mean of a metric by model, without unit, with its samples; NaN of a model that has the metric of no finding.

    `counted` are the places of the findings that the means are over; `incomplete` counts resamples in which some of
    these are undefined for some model, and left out for all.
    """

    point: Floats  # (models,) on the cases as they are
    samples: Floats  # (resamples, models)
    counted: tuple[int, ...]
    incomplete: int
    units: int  # cases or patients with a known label, of the counted finding that has the most

    def interval(self, model: int) -> tuple[float, float] | None:
        """The 95 % percentile interval of one model's mean; None where there is none, or every resample agrees."""
        if not len(self.samples):
            return None
        low, high = interval(self.samples[:, model], self.units)
        return (low, high) if low < high else None


def joint_means(points: Floats, samples: Floats, members: Sequence[int], units: npt.NDArray[np.int64]) -> JointMeans:
    """The means over the members (places of findings) of points (models, findings) and samples (resamples, models,
    findings), no resample where intervals are still to come; `units` (findings,) are those with a known label.

    A model without the metric for any member is not compared and narrows nothing. Each resample takes the mean over the
    counted findings that are defined in it for all compared models; it is NaN where there is none.
    """
    chosen = np.asarray(members, dtype=np.intp)
    compared = ~np.isnan(points[:, chosen]).all(axis=1)
    counted = chosen[~np.isnan(points[compared][:, chosen]).any(axis=0)] if compared.any() else chosen[:0]
    point = np.full(len(points), np.nan)
    drawn = np.full(samples.shape[:2], np.nan)
    if not counted.size:
        return JointMeans(point, drawn, (), len(samples), 0)
    point[compared] = points[compared][:, counted].mean(axis=1)
    values = samples[:, compared][:, :, counted]
    defined = ~np.isnan(values).any(axis=1, keepdims=True)
    sums = np.where(defined, values, 0).sum(axis=2)
    drawn[:, compared] = ratio(sums, np.broadcast_to(defined.sum(axis=2, dtype=np.float64), sums.shape))
    places = tuple(int(each) for each in counted)
    incomplete = (defined.sum(axis=2) < counted.size).sum()
    return JointMeans(point, drawn, places, int(incomplete), int(units[counted].max()))

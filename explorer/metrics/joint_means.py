"""Means over findings of several models, over the findings that all of them have.

A finding without positives has no F1, and a model that never calls a finding has no precision for it. Means over
different findings per model would compare the findings, not the models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats, ratio
from explorer.metrics.bootstrap import percentile_interval


@dataclass(frozen=True, slots=True, eq=False)
class JointMeans:
    """The mean of a metric by model, dimensionless, with its samples; NaN for a model without the metric.

    `counted` are the indices of the averaged findings; `incomplete` counts resamples in which some of them are
    undefined for some model, and so left out for all.
    """

    point: Floats  # (models,) on the original cases
    samples: Floats  # (resamples, models)
    counted: tuple[int, ...]
    incomplete: int
    units: int  # cases or patients with a known label, for the averaged finding that has the most

    def interval(self, model: int) -> tuple[float, float] | None:
        """Return the 95 % percentile interval of a model's mean; None if undefined, or if every resample is equal."""
        if not len(self.samples):
            return None
        low, high = percentile_interval(self.samples[:, model], self.units)
        return (low, high) if low < high else None


def joint_means(points: Floats, samples: Floats, members: Sequence[int], units: npt.NDArray[np.int64]) -> JointMeans:
    """Average points (models, findings) and samples (resamples, models, findings) over members (indices of findings).

    There may be no resamples yet. `units` (findings,) count units with a known label. A model without the metric for
    any member is not compared and excludes no finding. Each resample averages the findings that are defined in it for
    all compared models; NaN if there are none.
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

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
from explorer.core.metric_plan import IntervalKind
from explorer.metrics.bias_corrected import interval_of


@dataclass(frozen=True, slots=True, eq=False)
class JointMeans:
    """The mean of a metric by model, dimensionless, with its samples; NaN for a model without the metric.

    `counted` are the indices of the averaged findings; `incomplete` counts resamples in which some of them are
    undefined for some model, and so left out for all. `ends` are the limits of closed-form intervals, (models,) each.
    """

    point: Floats  # (models,) on the original cases
    samples: Floats  # (resamples, models)
    counted: tuple[int, ...]
    incomplete: int
    units: int  # cases or patients with a known label, for the averaged finding that has the most
    ends: tuple[Floats, Floats] | None = None
    kind: IntervalKind = "percentile"

    def interval(self, model: int) -> tuple[float, float] | None:
        """Return the 95 % interval of a model's mean, of its kind if it has no closed form; None if undefined."""
        if self.ends is not None and self.units > 1:
            low, high = (float(end[model]) for end in self.ends)
        elif self.ends is None and len(self.samples):
            low, high = interval_of(self.kind, self.samples[:, model], float(self.point[model]), self.units)
        else:
            return None
        return (low, high) if low < high else None


def joint_means(points: Floats, samples: Floats, members: Sequence[int], units: npt.NDArray[np.int64]) -> JointMeans:
    """Average points (models, findings) and samples (resamples, models, findings), as `MeanSums` does at once."""
    sums = MeanSums(points, members, len(samples))
    sums.add(range(points.shape[1]), samples)
    return sums.means(units)


class MeanSums:
    """Averages a metric by model over members (indices of findings), whose samples are added one after the other.

    A model without the metric for any member is not compared and excludes no finding. Each resample averages the
    findings that are defined in it for all compared models; NaN if there are none.
    """

    def __init__(self, points: Floats, members: Sequence[int], resamples: int) -> None:
        """Choose the findings by points (models, findings); there may be no resamples yet."""
        chosen = np.asarray(members, dtype=np.intp)
        self._compared = ~np.isnan(points[:, chosen]).all(axis=1)
        some = self._compared.any()
        self._counted = chosen[~np.isnan(points[self._compared][:, chosen]).any(axis=0)] if some else chosen[:0]
        self._points = points
        self._sums = np.zeros((resamples, int(self._compared.sum())))
        self._defined = np.zeros((resamples, 1))

    def add(self, findings: Sequence[int], samples: Floats) -> None:
        """Add the samples (resamples, models, findings) of findings, by index."""
        places = [place for place, finding in enumerate(findings) if finding in self._counted]
        values = samples[:, self._compared][:, :, places]
        defined = ~np.isnan(values).any(axis=1, keepdims=True)
        self._sums += np.where(defined, values, 0).sum(axis=2)
        self._defined += defined.sum(axis=2)

    def means(self, units: npt.NDArray[np.int64], kind: IntervalKind = "percentile") -> JointMeans:
        """Return the means; `units` (findings,) count units with a known label."""
        point, drawn = np.full(len(self._points), np.nan), np.full((len(self._sums), len(self._points)), np.nan)
        counted = self._counted
        if not counted.size:
            return JointMeans(point, drawn, (), len(drawn), 0)
        point[self._compared] = self._points[self._compared][:, counted].mean(axis=1)
        drawn[:, self._compared] = ratio(self._sums, np.broadcast_to(self._defined, self._sums.shape))
        incomplete = int((self._defined < counted.size).sum())
        return JointMeans(point, drawn, tuple(counted.tolist()), incomplete, int(units[counted].max()), kind=kind)

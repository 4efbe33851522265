"""Bias-corrected percentile intervals of bootstrap samples.

Resampling raises AP of few positives and ECE, so that percentile intervals lie too high. Efron's correction (Canadian
Journal of Statistics 1981; 9: 139-158; Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 14.3, with
an acceleration of 0) moves both ends by twice the quantile z0 at which the samples' distribution has the figure itself.
An acceleration needs the figure without each patient in turn, which takes longer than the samples; it is not estimated.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from explorer.core.arrays import Floats
from explorer.core.metric_plan import IntervalKind as IntervalKind
from explorer.metrics.bootstrap import LEVEL, ROUNDING, percentile_interval


def bias_corrected_interval(samples: Floats, point: float, units: int) -> tuple[float, float]:
    """Return the 95 % interval of samples (resamples,) of a figure whose value is `point`, ignoring NaN.

    Samples equal to the point count one half. If all samples lie on one side of it, the correction is infinite, and the
    interval ends at the outermost sample. NaN for fewer than 2 units, and if the point is undefined.
    """
    defined = samples[~np.isnan(samples)]
    if units < 2 or not defined.size or np.isnan(point):
        return float("nan"), float("nan")
    below = (defined < point - ROUNDING).mean() + (np.abs(defined - point) <= ROUNDING).mean() / 2
    moved = 2 * scipy.special.ndtri(below)
    low, high = np.quantile(defined, [float(scipy.special.ndtr(moved + scipy.special.ndtri(end))) for end in LEVEL])
    return float(low), float(high if high - low > ROUNDING else low)


def interval_of(kind: IntervalKind, samples: Floats, point: float, units: int) -> tuple[float, float]:
    """Return the 95 % interval of samples (resamples,) by this method."""
    if kind == "percentile":
        return percentile_interval(samples, units)
    return bias_corrected_interval(samples, point, units)


def intervals_of(
    kind: IntervalKind, samples: Floats, points: Floats, units: npt.NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Return low and high (columns,) of samples (resamples, columns) by this method."""
    ends = [
        interval_of(kind, column, float(point), int(count))
        for column, point, count in zip(samples.T, points, units, strict=True)
    ]
    low, high = np.array(ends).reshape(len(points), 2).T
    return low, high

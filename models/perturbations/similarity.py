"""Structural similarity of two films: how much of the picture a change leaves."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter

from models.array_types import Float32

SIGMA = 1.5  # pixels, of the Gaussian window
TRUNCATE = 3.5  # standard deviations: a window of 11 pixels
MEAN_CONSTANT, VARIANCE_CONSTANT = 0.01**2, 0.03**2  # for grays in [0, 1]


def structural_similarity(first: Float32, second: Float32) -> float:
    """Return the mean structural similarity of two films (h, w) in [0, 1]; 1 for equal ones.

    Wang et al., IEEE Transactions on Image Processing 2004, section III: mean, contrast and structure in a window.
    """
    middle = np.float32(0.5)  # grays about zero, whose squares cancel less
    one, two = first - middle, second - middle
    mean_one, mean_two = _smooth(one), _smooth(two)
    variances = _smooth(one**2 + two**2) - mean_one**2 - mean_two**2
    covariance = _smooth(one * two) - mean_one * mean_two
    mean_one, mean_two = mean_one + middle, mean_two + middle
    means = (2 * mean_one * mean_two + MEAN_CONSTANT) / (mean_one**2 + mean_two**2 + MEAN_CONSTANT)
    similarities = means * (2 * covariance + VARIANCE_CONSTANT) / (variances + VARIANCE_CONSTANT)
    return float(similarities.mean(dtype=np.float64))


def _smooth(picture: Float32) -> Float32:
    smoothed: Float32 = gaussian_filter(picture, SIGMA, truncate=TRUNCATE)
    return smoothed

"""Checks that every metric runs on its arrays, and the errors that a failed check raises."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64] | Floats  # how often each case counts, or its weight
# A metric bound to its labels and scores: (k, n) counts or weights -> (k, findings), NaN where undefined.
Evaluate = Callable[[Counts], Floats]


def or_none(value: float) -> float | None:
    """Return a figure for a payload: None if it is undefined (NaN)."""
    return None if np.isnan(value) else float(value)


def checked_arrays(labels: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return labels and scores as float arrays (n, findings).

    Raises ValueError if their shapes differ, a label is not 1 (present), 0 (absent) or NaN (unknown), or a score is NaN
    or infinite.
    """
    truth, score = np.asarray(labels, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if truth.ndim != 2 or truth.shape != score.shape:
        raise ValueError(f"Labels and scores must both be (cases, findings). They are {truth.shape} and {score.shape}.")
    if (place := _first(~((truth == 0) | (truth == 1) | np.isnan(truth)))) is not None:
        raise ValueError(
            f"The label of case {place[0]}, finding {place[1]} is {truth[place]:g}. "
            "A label is 1 (present), 0 (absent) or NaN (unknown); pass uncertain labels as a separate mask."
        )
    if (place := _first(~np.isfinite(score))) is not None:
        raise ValueError(
            f"The score of case {place[0]}, finding {place[1]} is {score[place]:g}. "
            "A metric needs a finite score for every case: score the case again or leave it out."
        )
    return truth, score


def checked_weights(weights: npt.ArrayLike, n: int) -> Floats:
    """Return weights as a float array (n,), scaled by a power of 2 to at most 1, which prevents overflow.

    Metrics are ratios, so scaling does not change them. Raises ValueError if a weight is missing, negative or infinite.
    """
    weight = np.asarray(weights, dtype=np.float64)
    if weight.shape != (n,):
        raise ValueError(f"There must be one weight for each of the {n} cases. The weights are {weight.shape}.")
    if (place := _first(~(np.isfinite(weight) & (weight >= 0)))) is not None:
        raise ValueError(f"The weight of case {place[0]} is {weight[place]:g}. A weight is finite and not negative.")
    exponent = int(np.frexp(weight.max(initial=0))[1])
    scaled: Floats = np.ldexp(weight, -exponent)
    return scaled


def checked_fractions(scores: Floats, metric: str) -> Floats:
    """Return the scores. Raises ValueError if one is not in [0, 1]."""
    if (place := _first((scores < 0) | (scores > 1))) is not None:
        raise ValueError(
            f"The score of case {place[0]}, finding {place[1]} is {scores[place]:g}. "
            f"{metric} compares scores with rates, so they must be in [0, 1]: apply a sigmoid or a calibrator first."
        )
    return scores


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return numerator / denominator, NaN where the denominator is 0."""
    quotient = np.full(denominator.shape, np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient


def _first(wrong: npt.NDArray[np.bool_]) -> tuple[int, ...] | None:
    return tuple(int(each) for each in np.unravel_index(wrong.argmax(), wrong.shape)) if wrong.any() else None

"""How likely a film is labeled present, by its score and the labels of other patients."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.metrics.calibration_curves import NoCurve, isotonic
from explorer.store.results import Column

FOLDS = 5
_SEED = 20260101  # the same patients are always together


def out_of_fold(column: Column, eligible: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the probability of the label present for each film (n,), NaN where none can be had.

    Isotonic regression of the labels on the scores, for each fifth of the patients fitted on the other four fifths:
    a film's own label, and those of its patient, do not count. `eligible` (n,): the films that may be used.
    """
    found = np.full(len(column.case), np.nan)
    known = eligible & ~np.isnan(column.label) & ~np.isnan(column.score)
    folds = _folds(column)
    for fold in range(FOLDS):
        others, here = known & (folds != fold), known & (folds == fold)
        try:
            curve = isotonic(column.label[others], column.score[others].astype(np.float64))
        except NoCurve:
            continue
        found[here] = curve(column.score[here].astype(np.float64))
    return found


def _folds(column: Column) -> NDArray[np.intp]:
    """Return each film's fold; films of one patient of a center share it, one without a patient is its own."""
    patients = [
        f"film {case}" if patient is None else f"{center} {patient}"
        for case, center, patient in zip(column.case.tolist(), column.center, column.patient, strict=True)
    ]
    _, number = np.unique(np.asarray(patients, dtype=np.str_), return_inverse=True)
    order = np.random.default_rng(_SEED).permutation(int(number.max(initial=-1)) + 1)
    return np.asarray(order[number] % FOLDS, dtype=np.intp)

"""Splits patients into folds in which every finding is about equally frequent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def stratified_folds(
    labels: NDArray[np.float32], patients: NDArray[np.str_], folds: int, seed: int = 0
) -> NDArray[np.int64]:
    """Return the fold (n,) of each film of labels (n, k), NaN where unknown; a patient's films share a fold.

    Iterative stratification (Sechidis et al., ECML PKDD 2011, section 3.2) of patients: the finding that fewest of the
    remaining patients have comes first, and each of its patients goes to the fold that lacks it most, then to the one
    that lacks patients most, then to one at random. Patients without a finding fill the folds at the end. CXR-LT 2023
    T2 (section 3.2.2) and 2026 Task 1 F (section 3.2) split films this way. Raises ValueError for fewer than two folds
    or more folds than patients.
    """
    names, person = np.unique(patients, return_inverse=True)
    if not 2 <= folds <= len(names):
        raise ValueError(f"{len(names)} patients cannot be split into {folds} folds; use 2 to {len(names)}.")
    random = np.random.default_rng(seed)
    has = np.zeros((len(names), labels.shape[1]), dtype=bool)
    np.logical_or.at(has, person, labels == 1)
    fold = np.full(len(names), -1)
    wanted = np.tile(has.sum(0) / folds, (folds, 1))  # (folds, k): patients with the finding that a fold still lacks
    room = np.full(folds, len(names) / folds)
    while (left := fold < 0).any():
        counts = has[left].sum(0)
        rarest = int(np.where(counts > 0, counts, len(names) + 1).argmin()) if counts.any() else None
        chosen = np.flatnonzero(left if rarest is None else left & has[:, rarest])
        for patient in random.permutation(chosen):
            lack = (room if rarest is None else wanted[:, rarest]).round(6)
            best = np.flatnonzero(lack == lack.max())
            best = best[room[best].round(6) == room[best].round(6).max()]
            place = int(random.choice(best))
            fold[patient] = place
            wanted[place] -= has[patient]
            room[place] -= 1
    return fold[person].astype(np.int64)

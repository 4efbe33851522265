"""Folds in which every finding is about equally frequent, and no patient is in two."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.stratified_folds import stratified_folds


def test_a_rare_finding_is_in_every_fold() -> None:
    """60 patients: finding 0 on 30, finding 1 on 6, finding 2 on 3, of whom each has both others."""
    labels = np.zeros((60, 3), np.float32)
    labels[:30, 0] = labels[27:33, 1] = labels[27:30, 2] = 1
    labels[40, 1] = np.nan
    folds = stratified_folds(labels, np.array([f"p{k}" for k in range(60)]), 3)
    counts = np.array([[np.nansum(labels[folds == fold], axis=0)] for fold in range(3)])[:, 0]
    assert counts.tolist() == [[10, 2, 1]] * 3
    assert np.bincount(folds).tolist() == [20, 20, 20]


def test_films_of_a_patient_share_a_fold() -> None:
    random = np.random.default_rng(0)
    labels = (random.random((90, 4)) < 0.2).astype(np.float32)
    patients = np.array([f"p{k % 30}" for k in range(90)])
    folds = stratified_folds(labels, patients, 5, seed=1)
    assert all(len(set(folds[patients == name])) == 1 for name in set(patients))
    assert set(np.bincount(folds) // 3) <= {5, 6, 7}, "patients"
    assert (stratified_folds(labels, patients, 5, seed=1) == folds).all()


@pytest.mark.parametrize("folds", [1, 4])
def test_folds_that_cannot_be_made_are_refused(folds: int) -> None:
    with pytest.raises(ValueError, match=f"3 patients cannot be split into {folds} folds"):
        stratified_folds(np.zeros((3, 1), np.float32), np.array(["a", "b", "c"]), folds)

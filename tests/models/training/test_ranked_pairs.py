"""Pairs ranked rightly, against counting pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from models.statistics import patient_resamples
from models.training.ranked_pairs import RankedPairs

RANDOM = np.random.default_rng(5)
FILMS, COLUMNS = 60, 4
LABELS = (RANDOM.random((FILMS, COLUMNS)) < np.array([0.5, 0.2, 0.03, 0.0])).astype(np.float32)
SCORES = (RANDOM.normal(size=(FILMS, COLUMNS)) + LABELS).round(1).astype(np.float32)  # rounded: with ties
FOLDERS = RANDOM.choice(["images", "images_64px", "a third"], FILMS)
PATIENTS = RANDOM.integers(0, 25, FILMS).astype(str)


def pair_by_pair(rows: np.ndarray, column: int) -> float:
    labels, scores, folders = LABELS[rows, column], SCORES[rows, column], FOLDERS[rows]
    shares = [
        (scores[one] > scores[other]) + (scores[one] == scores[other]) / 2
        for one in np.flatnonzero(labels == 1)
        for other in np.flatnonzero((labels == 0) & (folders == folders[one]))
    ]
    return float(np.mean(shares)) if shares else float("nan")


@pytest.mark.parametrize(
    "rows", [None, *patient_resamples(PATIENTS, 8)], ids=lambda rows: "all" if rows is None else "drawn"
)
def test_every_resample_is_what_counting_pair_by_pair_gives(rows: np.ndarray | None) -> None:
    films = np.arange(FILMS) if rows is None else rows
    found = RankedPairs(LABELS, SCORES, FOLDERS).auroc(rows)
    np.testing.assert_allclose(found, [pair_by_pair(films, column) for column in range(COLUMNS)], atol=1e-12)
    assert np.isnan(found[3]) and not np.isnan(found[0])

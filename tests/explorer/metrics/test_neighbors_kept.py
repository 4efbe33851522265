"""How many nearest neighbors a map keeps, against scikit-learn and plain loops."""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import NearestNeighbors

from explorer.metrics.neighbors_kept import NEIGHBOR_RESAMPLES, mean_share_kept, nearest_rows, shares_kept


def test_nearest_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(80, 5))
    asked = np.array([3, 79, 0, 41])
    expected = NearestNeighbors(n_neighbors=8).fit(points).kneighbors(points[asked], return_distance=False)[:, 1:]
    found = nearest_rows(points, asked, 7)
    assert [set(row) for row in found.tolist()] == [set(row) for row in expected.tolist()]


def test_shares_and_interval_are_those_of_plain_loops() -> None:
    rng = np.random.default_rng(1)
    true, found = (np.array([rng.permutation(30)[:6] for _ in range(40)]) for _ in range(2))
    shares = shares_kept(true, found)
    pairs = zip(true.tolist(), found.tolist(), strict=True)
    assert shares.tolist() == [len(set(one) & set(other)) / 6 for one, other in pairs]
    patient = rng.integers(0, 12, 40)
    means = []
    numbers = sorted(set(patient.tolist()))
    for resample in range(NEIGHBOR_RESAMPLES):
        drawn = np.random.default_rng([3, resample]).integers(0, len(numbers), len(numbers))
        those = [share for at in drawn for share, whose in zip(shares, patient, strict=True) if whose == numbers[at]]
        means.append(np.mean(those))
    answer = mean_share_kept(shares, patient, 3)
    assert np.isclose(answer.share, shares.mean())
    assert np.allclose((answer.low, answer.high), np.percentile(means, (2.5, 97.5)))

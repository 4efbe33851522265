"""Distances that must be the same bits wherever a vector stands."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.metrics.distances import Vectors, lengths_of

LENGTHS = (2, 5, 384, 1280)


def near_ties(dice: np.random.Generator, n: int, d: int) -> NDArray[np.float32]:
    """Vectors of a few films, each several times: the same, as long again, rounded, or a little off."""
    few = dice.standard_normal((max(1, n // 4), d)).astype(np.float32)[dice.integers(0, max(1, n // 4), n)]
    how = dice.integers(0, 4, n)
    few[how == 1] *= 2
    few[how == 2] = few[how == 2].astype(np.float16)
    few[how == 3] += 1e-6 * dice.standard_normal((int((how == 3).sum()), d)).astype(np.float32)
    return few


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("d", LENGTHS)
def test_a_distance_is_a_function_of_both_vectors_alone(d: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    one, other = near_ties(dice, 90, d), near_ties(dice, 40, d)
    found = Vectors.of(one).cosine_distances(Vectors.of(other))
    assert found.dtype == np.float32 and found.min() >= 0 and found.max() <= 2
    rows, columns, terms = dice.permutation(90), dice.permutation(40), dice.permutation(d)
    np.testing.assert_array_equal(
        Vectors.of(one[rows]).cosine_distances(Vectors.of(other[columns])), found[rows][:, columns]
    )
    np.testing.assert_array_equal(Vectors.of(one[:, terms]).cosine_distances(Vectors.of(other[:, terms])), found)
    np.testing.assert_array_equal(Vectors.of(other).cosine_distances(Vectors.of(one)), found.T)
    np.testing.assert_array_equal(Vectors.of(one[7:8]).cosine_distances(Vectors.of(other))[0], found[7])
    np.testing.assert_array_equal(Vectors.of(4 * one).cosine_distances(Vectors.of(other / 8)), found)


@pytest.mark.parametrize("d", LENGTHS)
def test_a_vector_is_at_no_distance_from_itself_however_long(d: int) -> None:
    dice = np.random.default_rng(d)
    vectors = (dice.standard_normal((200, d)) * 10 ** dice.uniform(-20, 20, (200, 1))).astype(np.float32)
    apart = Vectors.of(vectors).cosine_distances(Vectors.of(2 * vectors))
    assert not np.diagonal(apart).any()
    exact = vectors.astype(np.float64) / np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    assert apart == pytest.approx(1 - exact @ exact.T, abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("d", LENGTHS)
def test_fast_distances_are_as_near_as_they_say(d: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    size, other_size = (np.float32(10.0 ** dice.uniform(*ends)) for ends in ((-30, 30), (-8, 10)))
    vectors, others = size * near_ties(dice, 90, d), other_size * np.abs(near_ties(dice, 90, d))
    one, other = Vectors.of(vectors), Vectors.of(others)
    assert (
        np.abs(one.fast_distances(others, lengths_of(others)) - one.cosine_distances(other)).max() <= one.fast_error / 2
    )
    assert (
        np.abs(other.fast_distances(others, lengths_of(others)) - other.cosine_distances(other)).max()
        <= one.fast_error / 2
    )


@pytest.mark.parametrize("size", [0, 1e-40, 1e-30, 1e-20, 1e20, 3e38])
def test_of_what_single_precision_cannot_add_they_say_nothing(size: float) -> None:
    vectors = np.full((3, 5), size, np.float32)
    assert np.isnan(Vectors.of(np.ones((2, 5))).fast_distances(vectors, lengths_of(vectors))).all()
    assert (Vectors.of(vectors).cosine_distances(Vectors.of(vectors)) == (size < 1e-38)).all()

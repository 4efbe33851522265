"""Distances that the gate compares: equal films are equally far, wherever they stand."""

from __future__ import annotations

import numpy as np
import pytest

from models.cards.classifier_card import classifier_card
from models.gate.film_looks import DIRECTIONS, GRID_CELLS, TRANSFORMS, transformed_look
from models.gate.statistics import GaussianCloud, gate_statistics


def cloud_of(dice: np.random.Generator, d: int, axes: int) -> GaussianCloud:
    vectors = dice.standard_normal((axes + 1, d)).astype(np.float32)
    return GaussianCloud(vectors[0], np.linalg.qr(vectors[1:].T)[0].T, dice.uniform(1, 9, axes).astype(np.float32), 0.5)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("d", "axes"), [(4, 2), (288, 32), (1280, 16)])
def test_a_distance_is_a_function_of_the_vector_alone(d: int, axes: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    cloud, vectors = cloud_of(dice, d, axes), dice.standard_normal((90, d)).astype(np.float32)
    found, order = cloud.distance(vectors), dice.permutation(90)
    assert (found.dtype, found.shape) == (np.float32, (90,))
    np.testing.assert_array_equal(cloud.distance(vectors[order]), found[order])
    np.testing.assert_array_equal(cloud.distance(np.asfortranarray(vectors)), found)
    np.testing.assert_array_equal([cloud.distance(vector) for vector in vectors], found)
    np.testing.assert_array_equal(cloud.distance(vectors.reshape(9, 10, d)), found.reshape(9, 10))
    away = vectors.astype(np.float64) - cloud.mean
    along = away @ cloud.axes.T.astype(np.float64)
    beside = (away**2).sum(1) - (along**2).sum(1)
    assert found == pytest.approx(((along**2 / cloud.variances).sum(1) + beside / cloud.rest) / d, rel=1e-5)


@pytest.mark.parametrize("seed", range(20))
def test_a_film_that_looks_the_same_every_way_is_held_as_it_is(seed: int) -> None:
    known = gate_statistics(classifier_card("nih-mini"))
    assert known is not None
    drawn = np.random.default_rng(seed).random((DIRECTIONS, GRID_CELLS, GRID_CELLS)).astype(np.float32)
    same = np.max([transformed_look(drawn, way) for way in TRANSFORMS], axis=0)
    distances = known.distances(same)
    assert len(set(distances.tolist())) == 1 and distances.argmin() == 0

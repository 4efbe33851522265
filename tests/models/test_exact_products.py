"""Products that must be the same bits wherever a row stands and whatever the machine."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from models.exact_products import MAX_LENGTH, as_integers, integer_products, row_products, squared_lengths

ROOT = Path(__file__).parents[2]
LENGTHS = (1, 4, 5, 384, 1280)

# What older and newer processors do, on any x86 machine that has the older ones' instructions; others ignore it. The
# digest is of random rows alone, of plain sums and products of them, and of distances among films that are near ties.
DIGEST = """
import hashlib
import numpy as np
from explorer.metrics.distances import Vectors
from explorer.analysis.cases.neighbors import Neighbors
from explorer.store.results import Features
from models.exact_products import row_products
from models.gate.statistics import GaussianCloud, normalize_features
dice, made = np.random.default_rng(0), hashlib.sha256()
for d in (4, 5, 384, 1280):
    rows = dice.standard_normal((700, d)).astype(np.float32)
    rows[dice.integers(0, 700, 300)] = rows[:300]
    directions = dice.standard_normal((9, d)).astype(np.float32)
    cloud = GaussianCloud(rows[0], directions, np.abs(rows[1, :9 if d > 9 else d]).repeat(9)[:9] + 1, 0.7)
    near = Neighbors(Features(tuple(f"{n:03}" for n in range(700)), rows), dice.integers(0, 300, 700))
    made.update(row_products(rows, directions).tobytes())
    made.update(row_products(rows, directions[:1]).tobytes())
    made.update(Vectors.of(rows).cosine_distances(Vectors.of(rows[:50])).tobytes())
    made.update(cloud.distance(rows).tobytes() + normalize_features(rows).tobytes())
    made.update(repr((near.copy, near.copies(near.cases), near.of_case("007", 50))).encode())
print(made.hexdigest())
"""

# The same with one thread after several, in one process.
BOTH = f"""
import numpy
from threadpoolctl import threadpool_limits
code = {DIGEST!r}
exec(code)
with threadpool_limits(1):
    exec(code)
"""


def vectors(dice: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Rows of many sizes, some of them alike."""
    rows = dice.standard_normal((n, d)) * 10 ** dice.uniform(-3, 3, (n, 1))
    rows[dice.integers(0, n, n // 3)] = rows[dice.integers(0, n, n // 3)]
    return rows.astype(np.float32)


@pytest.mark.processor
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("d", LENGTHS)
def test_a_product_is_a_function_of_row_and_direction_alone(d: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    n, q = int(dice.integers(1, 400)), int(dice.integers(1, 12))
    rows, directions = vectors(dice, n, d), vectors(dice, q, d)
    found = row_products(rows, directions)
    assert (found.dtype, found.shape) == (np.float32, (n, q))
    order, columns, terms = dice.permutation(n), dice.permutation(q), dice.permutation(d)
    np.testing.assert_array_equal(row_products(rows[order], directions[columns]), found[order][:, columns])
    np.testing.assert_array_equal(row_products(rows[:, terms], directions[:, terms]), found)
    np.testing.assert_array_equal(row_products(np.vstack([rows[:1] + 1, rows, rows]), directions)[1 : n + 1], found)
    np.testing.assert_array_equal(row_products(np.asfortranarray(rows)[::-1], directions)[::-1], found)
    np.testing.assert_array_equal(row_products(directions, rows).T, found)
    for row in range(0, n, 37):
        np.testing.assert_array_equal(row_products(rows[row : row + 1], directions[-1:]), found[row : row + 1, -1:])
    _, first = np.unique(rows, axis=0, return_index=True)
    for row in first:
        alike = (rows == rows[row]).all(axis=1)
        assert (found[alike] == found[row]).all()


@pytest.mark.parametrize("d", LENGTHS)
def test_it_is_nearer_to_the_truth_than_a_sum_in_single_precision(d: int) -> None:
    dice = np.random.default_rng(d)
    rows, directions = vectors(dice, 50, d), vectors(dice, 7, d)
    truth = rows.astype(np.float64) @ directions.astype(np.float64).T
    size = np.linalg.norm(rows, axis=1)[:, None] * np.linalg.norm(directions, axis=1)
    assert np.abs((row_products(rows, directions) - truth) / size).max() < 2.0**-23


def test_of_half_precision_it_is_the_truth_rounded_once() -> None:
    dice = np.random.default_rng(1)
    rows, direction = (dice.uniform(0.25, 1, (shape, 600)).astype(np.float16) for shape in (20, 1))
    rows[::2] *= -1
    for row, product in zip(rows, row_products(rows, direction)[:, 0], strict=True):
        truth = sum(Fraction(float(x)) * Fraction(float(y)) for x, y in zip(row, direction[0], strict=True))
        assert product == np.float32(float(truth))


def test_whole_numbers_are_the_largest_that_can_be_added_exactly() -> None:
    worst = np.full((1, 4096), np.float32(2**24 - 1))
    numbers, exponents = as_integers(np.vstack([worst, -worst]))
    assert exponents.tolist() == [24, 24] and np.abs(numbers).max() == 2**24 - 1
    exact = 4096 * (2**24 - 1) ** 2
    assert integer_products(numbers[:1], numbers).tolist() == [[float(exact), -float(exact)]]
    assert squared_lengths(numbers).tolist() == [float(exact)] * 2
    with pytest.raises(ValueError, match="too long"):
        as_integers(np.zeros((1, MAX_LENGTH + 1)))
    np.testing.assert_array_equal(integer_products(numbers[:1], numbers), integer_products(numbers, numbers[:1]).T)


def test_the_very_small_the_very_large_and_nothing() -> None:
    rows = np.array([[0, 0], [1e-44, 0], [3e-38, -3e-38], [3e38, 3e38], [1, 2]], np.float32)
    assert row_products(rows, [[1, 1]])[:, 0].tolist() == [0, 0, 0, np.inf, 3]
    assert row_products(rows, [[2, 1]])[2, 0] == pytest.approx(3e-38)
    assert row_products(np.zeros((0, 3)), np.zeros((2, 3))).shape == (0, 2)
    assert row_products(np.zeros((2, 3)), np.zeros((0, 3))).shape == (2, 0)
    assert row_products(np.zeros((2, 0)), np.zeros((1, 0))).tolist() == [[0], [0]]
    with pytest.raises(ValueError, match="differ in length"):
        row_products(np.zeros((2, 3)), np.zeros((1, 4)))


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_stays_so_and_spoils_no_other_row(number: float) -> None:
    found = row_products([[number, 1, 0], [1, 2, 3]], [[0, 0, 1], [1, 1, 1]])
    assert not np.isfinite(found[0]).any() and found[1].tolist() == [3, 6]


@pytest.mark.processor
@pytest.mark.slow
def test_every_machine_and_every_number_of_threads_gives_the_same_bits() -> None:
    newer = " ".join(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))  # type: ignore[index]
    settings: list[dict[str, str]] = [
        {"OPENBLAS_NUM_THREADS": "3"},
        {"OPENBLAS_CORETYPE": "Prescott"},
        {"OPENBLAS_CORETYPE": "Nehalem", "OPENBLAS_NUM_THREADS": "2"},
        {"OPENBLAS_CORETYPE": "Haswell"},
        {"NPY_DISABLE_CPU_FEATURES": newer},
    ]
    digests = set()
    for setting in settings:
        done = subprocess.run(
            [sys.executable, "-c", BOTH if setting == {"OPENBLAS_NUM_THREADS": "3"} else DIGEST],
            cwd=ROOT,
            env=os.environ | setting,
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert done.returncode == 0, done.stderr
        digests.update(done.stdout.split())
    assert len(digests) == 1

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import explorer.analysis.cases.neighbors as module
from explorer.analysis.cases.neighbors import Neighbors
from explorer.core.rates import Rate


@dataclass(frozen=True)
class Films:
    cases: tuple[str, ...]
    vectors: NDArray[np.floating]


def films(vectors: NDArray[np.floating]) -> Films:
    return Films(tuple(f"case {row:04}" for row in range(len(vectors))), vectors)


def distances(vectors: NDArray[np.floating]) -> NDArray[np.float64]:
    """Of every film to every other, one by one in double precision."""
    n = len(vectors)
    apart = np.ones((n, n))
    for i, one in enumerate(vectors.astype(np.float64)):
        for j, other in enumerate(vectors.astype(np.float64)):
            length = np.linalg.norm(one) * np.linalg.norm(other)
            if length:
                apart[i, j] = 1 - one @ other / length
    return apart


def own_nearest(vectors: NDArray[np.floating], patients: NDArray[np.int64]) -> list[float]:
    apart, found = distances(vectors), []
    for row in range(len(vectors)):
        others = [apart[row, other] for other in range(len(vectors)) if patients[other] != patients[row]]
        found += [min(others)] if others else []
    return found


@settings(max_examples=60)
@given(st.integers(1, 30), st.integers(1, 6), st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_as_brute_force_says(n: int, dimensions: int, patients_most: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(n, dimensions)).astype(np.float32)
    patients = random.integers(0, patients_most, n)
    with pytest.MonkeyPatch.context() as patch:  # many small chunks
        patch.setattr(module, "_ROWS", 4)
        patch.setattr(module, "_TOGETHER", 3)
        neighbors = Neighbors(films(vectors), patients)
        apart = distances(vectors)
        for place in (0, n - 1):
            near = neighbors.of_case(neighbors.cases[place], 6)
            others = sorted(apart[place, row] for row in range(n) if row != place)[:6]
            assert np.allclose([each.distance for each in near], others, atol=1e-5)
            assert neighbors.cases[place] not in {each.case for each in near}
            for each in near:
                row = neighbors.cases.index(each.case)
                assert each.same_patient == (patients[row] == patients[place])
        own = own_nearest(vectors, patients)
        for distance in (0.1, 0.5, 1.0):
            closer = neighbors.closer(distance)
            assert closer.n == len(own)
            doubtful = sum(abs(each - distance) < 1e-5 for each in own)
            assert abs(closer.hits - sum(each > distance for each in own)) <= doubtful


def test_a_film_that_is_in_the_cohort_finds_itself_and_a_case_does_not() -> None:
    vectors = np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32)
    neighbors = Neighbors(films(vectors))
    (first, *_) = neighbors.of_film(3 * vectors[7])  # the length of a feature vector says nothing
    assert (first.case, round(first.distance, 5)) == ("case 0007", 0)
    assert neighbors.of_case("case 0007")[0].case != "case 0007"


def test_equal_distances_go_by_name_and_half_precision_will_do() -> None:
    vectors = np.tile(np.array([[1.0, 2.0]], dtype=np.float16), (9, 1))
    near = Neighbors(films(vectors)).of_film(np.array([2.0, 4.0]), 4)
    assert [each.case for each in near] == [f"case {row:04}" for row in range(4)]


def test_a_vector_of_zeros_has_nothing_in_common_with_any() -> None:
    vectors = np.array([[0.0, 0.0], [1.0, 0.0]], dtype=np.float32)
    assert [each.distance for each in Neighbors(films(vectors)).of_film(np.array([0.0, 0.0]))] == [1, 1]


def test_features_of_another_model_are_refused() -> None:
    with pytest.raises(ValueError, match="features"):
        Neighbors(films(np.zeros((3, 4), dtype=np.float32))).of_film(np.zeros(5))


def test_no_film_has_no_neighbor() -> None:
    neighbors = Neighbors(Films((), np.empty((0, 4), dtype=np.float32)))
    assert neighbors.of_film(np.ones(4)) == () and neighbors.of_case("case 0000") == ()
    assert neighbors.closer(0.5).value is None


def test_a_sample_of_many_films_tells_the_percentile(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.random.default_rng(1).normal(size=(600, 5)).astype(np.float32)
    everyone = Neighbors(films(vectors)).closer(0.05)
    monkeypatch.setattr(module, "MAX_EXHAUSTIVE_FILMS", 500)
    monkeypatch.setattr(module, "SAMPLE_SIZE", 200)
    sample = Neighbors(films(vectors)).closer(0.05)
    assert (everyone.n, sample.n) == (600, 200)
    assert sample.interval is not None and everyone.value is not None
    assert sample.interval[0] - 0.03 <= everyone.value <= sample.interval[1] + 0.03


@pytest.mark.parametrize(("d", "seed"), [(4, 0), (4, 1), (4, 2), (1280, 0), (1280, 1)])
def test_a_films_neighbors_do_not_depend_on_where_it_stands(d: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    n = 300
    vectors = random.normal(size=(60, d)).astype(np.float32)[random.integers(0, 60, n)]  # each about five times
    patients = random.integers(0, 200, n)
    here, order = Neighbors(films(vectors), patients), random.permutation(n)
    there = Neighbors(Films(tuple(here.cases[row] for row in order), vectors[order]), patients[order])
    assert here.copy == there.copy
    assert here.copies(here.cases) == there.copies(here.cases)
    for row in range(0, n, 11):
        assert here.of_case(here.cases[row], n) == there.of_case(here.cases[row], n)
        near = here.of_film(vectors[row], n)
        assert near == there.of_film(vectors[row], n)
        same = {here.cases[other] for other in range(n) if (vectors[other] == vectors[row]).all()}
        assert {each.case for each in near if each.distance == 0} == same


@settings(max_examples=40)
@given(st.integers(2, 40), st.integers(1, 6), st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_fast_products_leave_nothing_out(n: int, dimensions: int, patients_most: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    vectors = np.round(random.normal(size=(n, dimensions))).astype(np.float32)  # many ties, some zeros
    vectors *= random.choice(np.array([1, 1, 1, 1e-25, 1e25], np.float32), (n, 1))
    patients = random.integers(0, patients_most, n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ROWS", 7)
        patch.setattr(module, "_TOGETHER", 3)
        neighbors = Neighbors(films(vectors), patients)
        every = [neighbors.of_case(case, n) for case in neighbors.cases]
        apart = {
            frozenset((case, each.case)): each.distance
            for case, near in zip(neighbors.cases, every, strict=True)
            for each in near
        }
        own = [min([each.distance for each in near if not each.same_patient], default=None) for near in every]
        known = [each for each in own if each is not None]
        for distance in (0, *known):
            assert neighbors.closer(distance) == Rate(sum(each > distance for each in known), len(known))
        bound = module.COPY_FRACTION * float(np.median(known)) if known else -1
        found = {frozenset(pair): distance for *pair, distance in neighbors.copies(neighbors.cases)}
        assert found == {pair: distance for pair, distance in apart.items() if distance <= bound}

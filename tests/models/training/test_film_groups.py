"""Films of a study are grouped whatever their order, and what is known of them becomes what is known of the study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from models.training.film_groups import NO_FILM, GroupBatch, film_groups, place_films
from models.training.films import TrainingFilms
from tests.support.few_films import few_films

NONE = np.nan
STUDIES = np.array(["b", "a", "b", "a", "a", "c"])
LATERAL = np.array([True, False, False, True, False, False])


def films() -> TrainingFilms:
    """Study b is films 2 and 0 (lateral), study a films 1, 4 and 3 (lateral), and study c film 5."""
    labels = np.array([[1, NONE], [0, NONE], [0, NONE], [0, 0], [NONE, 1], [0, 1]], np.float32)
    traits = np.array([[NONE, 1, 0.5], [1, 0, 0.4], [0, 1, 0.5], [NONE, 0, 0.4], [0, 0, 0.4], [1, NONE, 0.3]])
    uncertain = np.zeros((6, 2), bool)
    uncertain[[0, 1, 2], [0, 0, 1]] = True
    return replace(
        few_films(6, 2),
        labels=labels,
        traits=traits.astype(np.float32),
        uncertain=uncertain,
        studies=STUDIES,
        lateral=LATERAL,
    )


def test_a_study_by_hand() -> None:
    found = film_groups(films(), np.arange(6), 4)
    assert found.members.tolist() == [[2, 0, NO_FILM], [1, 4, 3], [5, NO_FILM, NO_FILM]]
    assert found.number.tolist() == [0, 1, 0, 1, 1, 2]
    np.testing.assert_array_equal(found.labels, [[1, NONE], [0, 1], [0, 1]])
    np.testing.assert_allclose(found.traits, [[0, 1, 0.5], [NONE, 0, 0.4], [1, NONE, 0.3]], rtol=1e-6)
    assert found.uncertain is not None
    assert found.uncertain.tolist() == [[False, True], [True, False], [False, False]], "one film is certain of b's"


def test_the_order_of_films_is_no_matter() -> None:
    rows = np.array([3, 5, 0, 1, 4, 2])
    found, other = film_groups(films(), np.arange(6), 2), film_groups(films(), rows, 2)
    assert found.members.tolist() == [[2, 0], [1, 4], [5, NO_FILM]], "frontal films are read first"
    assert sorted(other.members.tolist()) == sorted(found.members.tolist())
    np.testing.assert_array_equal(other.labels[other.number], found.labels[found.number[rows]])


@pytest.mark.parametrize("most", [0, 1])
def test_films_that_are_alone_are_as_they_were(most: int) -> None:
    alone = replace(films(), studies=None if most == 0 else np.array([f"study {n}" for n in range(6)]))
    rows = np.array([4, 1, 2])
    found = film_groups(alone, rows, most)
    assert found.members.tolist() == [[4], [1], [2]] and found.number.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(found.labels, alone.labels[rows])
    np.testing.assert_array_equal(found.traits, alone.traits[rows])


def test_places_without_a_film_are_empty() -> None:
    batch = GroupBatch.of(films(), np.array([[2, 0, NO_FILM], [5, NO_FILM, NO_FILM]]))
    assert batch.rows.tolist() == [2, 0, 5], "no study of the batch has a third film"
    assert batch.present.tolist() == [[True, True], [True, False]]
    assert batch.lateral.tolist() == [[False, True], [False, False]]
    placed = place_films(torch.tensor([3.0, 4.0, 5.0]), batch.present)
    assert placed.tolist() == [[3, 4], [5, 0]]

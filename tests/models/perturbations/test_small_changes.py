"""The small changes of one film: which ones, and the same one to the other side."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.testing import assert_allclose

from models.films.film import Radiograph
from models.perturbations.small_changes import SIDED, small_changes

ROWS, COLUMNS = 400, 500
SYMMETRIC = np.cos(np.linspace(-1, 1, COLUMNS, dtype=np.float32)) * np.linspace(0.2, 1, ROWS, dtype=np.float32)[:, None]


def test_there_are_24_of_the_least_strength_and_what_has_a_side_comes_twice() -> None:
    changes = small_changes()
    assert len(changes) == 24 == len({each.name for each in changes})
    assert {each.level.strength for each in changes} == {1} and {each.level.scale for each in changes} == {"matched"}
    counted = Counter(each.level.kind.name for each in changes)
    assert counted == {name: 2 if name in SIDED else 1 for name in counted}
    assert not counted.keys() & {"flip", "inversion", "marker", "text", "black-border"}


def test_the_other_side_is_the_mirror_image_of_the_first() -> None:
    film = Radiograph.from_pixels(SYMMETRIC)
    assert_allclose(film.pixels, film.pixels[:, ::-1], atol=1e-6)
    for name in SIDED:
        one, two = (each.of(film, "film").pixels for each in small_changes() if each.level.kind.name == name)
        assert_allclose(two, one[:, ::-1], atol=1e-5)
        assert np.abs(one - two).max() > 1e-4


def test_a_dot_is_shifted_to_both_sides_by_the_same_distance() -> None:
    pixels = np.zeros((ROWS, COLUMNS), np.float32)
    pixels[200, 250] = 1
    film = Radiograph.from_pixels(pixels)
    center = [
        (each.of(film, "film").pixels.sum(axis=0, dtype=np.float64) * np.arange(COLUMNS)).sum()
        / each.of(film, "film").pixels.sum(dtype=np.float64)
        for each in small_changes()
        if each.level.kind.name == "shift"
    ]
    assert_allclose(center[0] - 250, 250 - center[1], atol=1e-3)
    assert 0.01 < abs(center[0] - 250) <= 0.001358 * COLUMNS  # the dial of strength 1, in pixels

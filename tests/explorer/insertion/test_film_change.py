"""The change by a finding, cut out of a reduced film and put into the film itself."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.insertion.film_change import FilmChange


def test_the_smallest_window_that_changes() -> None:
    before = np.full((10, 20), 0.5, np.float32)
    after = before.copy()
    after[2:4, 7:12] = 0.75
    after[8, 19] += 1e-6  # cannot be seen
    found = FilmChange.between(before, after)
    assert (found.row, found.column, found.gray.shape, found.size) == (2, 7, (2, 5), (10, 20))
    assert found.gray == pytest.approx(0.25)
    assert found.on(before) == pytest.approx(after, abs=2e-6)


def test_nothing_changes() -> None:
    film = np.full((10, 20), 0.5, np.float32)
    found = FilmChange.between(film, film)
    assert found.gray.shape == (1, 1)
    assert found.on(film) == pytest.approx(film)


def test_on_a_film_of_twice_the_size() -> None:
    before = np.full((4, 4), 0.5, np.float32)
    after = before.copy()
    after[1, 1] = 0.9
    large = np.full((8, 8), 0.2, np.float32)
    changed = FilmChange.between(before, after).on(large) - 0.2
    # Bilinear: the pixel's four quarters are 1/4 away from its center in both directions, (3/4)^2 of 0.4.
    assert changed[2:4, 2:4] == pytest.approx(0.225, abs=1e-5)
    assert changed[1, 2] == pytest.approx(0.4 * 0.25 * 0.75, abs=1e-5)
    assert np.abs(changed[:, 5:]).max() < 1e-6
    assert changed.sum() == pytest.approx(4 * 0.4, abs=1e-4)


def test_white_stays_white() -> None:
    before, after = np.full((4, 4), 0.2, np.float32), np.full((4, 4), 0.9, np.float32)
    assert FilmChange.between(before, after).on(np.full((4, 4), 0.8, np.float32)).max() == 1

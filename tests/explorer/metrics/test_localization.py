"""Maps against masks, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.metrics.localization import HEAT_LEVELS, map_agreement, map_correlations

MASK = np.zeros((4, 4), np.bool_)
MASK[1:3, 1:3] = True


def test_a_map_of_the_mask_itself_is_found_whole() -> None:
    at = map_agreement(MASK.astype(np.float32), MASK)
    assert at.pointing
    assert at.energy == pytest.approx(4)  # all heat on a quarter of the film
    assert at.overlap == (1.0,) * len(HEAT_LEVELS)


def test_an_even_map_is_chance() -> None:
    at = map_agreement(np.full((4, 4), 0.2, np.float32), MASK)
    assert at.energy == pytest.approx(1)
    assert at.overlap == (0.25,) * len(HEAT_LEVELS)


def test_half_the_heat_outside() -> None:
    heat = np.zeros((4, 4))
    heat[0, 0], heat[1, 1] = 4, 3
    at = map_agreement(heat, MASK)
    assert not at.pointing
    assert at.energy == pytest.approx(3 / 7 * 4)
    assert at.overlap[HEAT_LEVELS.index(0.7)] == pytest.approx(1 / 5)
    assert at.overlap[HEAT_LEVELS.index(0.8)] == 0


def test_a_map_without_heat_finds_nothing() -> None:
    at = map_agreement(np.zeros((4, 4)), MASK)
    assert (at.pointing, at.energy, set(at.overlap)) == (False, None, {0.0})


def test_an_empty_mask_is_refused() -> None:
    with pytest.raises(ValueError, match="mask some pixels"):
        map_agreement(np.ones((4, 4)), np.zeros((4, 4), np.bool_))


def test_likeness_is_pearsons_for_each_two() -> None:
    maps = np.random.default_rng(0).random((3, 5, 5))
    expected = np.corrcoef(maps.reshape(3, -1))[np.triu_indices(3, 1)]
    np.testing.assert_allclose(map_correlations(maps), expected)
    assert np.isnan(map_correlations(np.stack([maps[0], np.ones((5, 5))]))).all()
    assert map_correlations(maps[:1]).shape == (0,)

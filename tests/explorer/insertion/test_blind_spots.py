"""A finding at many places of the lungs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from explorer.insertion.blind_spots import Place, blind_spots, films_with, flagged_by_zone, places, with_heart
from explorer.insertion.insertion import Lungs, NotInsertable
from models.anatomy import Anatomy, anatomy
from models.radiograph import Radiograph
from tests.explorer.insertion.test_insertion import PATIENT, healthy


def test_places_are_a_grid_in_the_lungs() -> None:
    mask = np.zeros((100, 200), bool)
    right, left = mask.copy(), mask.copy()
    right[10:90, 20:60], left[10:90, 120:160] = True, True
    found = places(Lungs(right, left), 100)
    assert 70 <= len(found) <= 100
    assert {each.side for each in found} == {"right", "left"}
    assert all((right if each.side == "right" else left)[int(each.point[1]), int(each.point[0])] for each in found)
    assert abs(sum(each.side == "right" for each in found) - len(found) / 2) <= 10


def test_the_heart_is_shared_by_the_nearer_lung() -> None:
    empty = np.zeros((20, 60), bool)
    right, left, heart = empty.copy(), empty.copy(), empty.copy()
    right[:, :20], left[:, 50:], heart[5:15, 25:50] = True, True, True
    both = with_heart(Lungs(right, left), heart)
    assert not (both.right & both.left).any()
    np.testing.assert_array_equal(both.both, right | left | heart)
    assert both.right[10, :34].sum() == 20 + 9 and both.left[10, 36:].all(), "column 35 is as near to either"
    spots = blind_spots(*outlined_film(), "Nodule", 0.6, lambda films: np.full(len(films), 0.5, np.float32))
    zones = flagged_by_zone(spots, 0.4, outlined_film()[1])
    assert "over the heart" in zones and "below the diaphragm" not in zones
    assert 60 <= len(spots.places) <= 100


@lru_cache
def outlined_film() -> tuple[Radiograph, Anatomy]:
    film = Radiograph.from_pixels(healthy(PATIENT)[0])
    return film, anatomy(film)


def test_no_lungs_no_places() -> None:
    empty = np.zeros((50, 50), bool)
    assert places(Lungs(empty, empty)) == []


def test_each_film_differs_at_its_place_alone() -> None:
    film, lungs = healthy(PATIENT)
    asked = places(lungs, 12)
    for place, changed in zip(asked, films_with(film, lungs, "Nodule", 0.8, asked), strict=True):
        rows, columns = np.nonzero(np.abs(changed - film) > 0.01)
        assert (columns.mean(), rows.mean()) == pytest.approx(place.point, abs=6)


def test_at_the_films_edge_the_rest_is_cut_off() -> None:
    film, lungs = healthy(PATIENT)
    (changed,) = films_with(film, lungs, "Mass", 0.8, [Place((0.0, 0.0), "right")])
    assert changed.shape == film.shape
    assert np.abs(changed - film)[60:].max() < 1e-6


def test_what_is_not_focal_is_refused() -> None:
    film, lungs = healthy(PATIENT)
    with pytest.raises(NotInsertable, match="cannot be put at a point"):
        next(films_with(film, lungs, "Pneumothorax", 0.5, places(lungs, 4)))

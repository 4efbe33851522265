"""Grays to densities and back."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.insertion.film_scale import FilmScale, NoContrast
from models.array_types import Bools, Float32


def film_of(lung: float, mediastinum: float) -> tuple[Float32, Bools]:
    """A film of two grays, with the lungs on both sides of a mediastinum 20 px wide."""
    film, lungs = np.full((100, 100), mediastinum, np.float32), np.zeros((100, 100), bool)
    lungs[20:80, 10:40] = lungs[20:80, 60:90] = True
    film[lungs] = lung
    return film, lungs


def test_lung_is_0_and_mediastinum_is_1() -> None:
    film, lungs = film_of(0.3, 0.7)
    scale = FilmScale.of(film, lungs)
    assert (scale.lung, scale.mediastinum) == pytest.approx((0.3, 0.7), abs=1e-6)
    densities = scale.densities(film)
    assert np.abs(densities[lungs]).max() < 0.01
    assert np.abs(densities[~lungs] - 1).max() < 0.01


def test_back_to_the_same_grays() -> None:
    grays = np.linspace(0.05, 0.9, 50, dtype=np.float32)[None]
    scale = FilmScale(0.35, 0.72)
    assert np.abs(scale.grays(scale.densities(grays)) - grays).max() < 0.005
    assert (np.diff(scale.densities(grays)) > 0).all()


def test_on_a_pale_film_air_is_no_black_stripe() -> None:
    densities = np.array([-0.6, 0.0, 1.0, 1.4], np.float32)
    plain, pale = (FilmScale(lung, mediastinum).grays(densities) for lung, mediastinum in ((0.36, 0.78), (0.6, 0.75)))
    assert plain[0] == pytest.approx(0.1, abs=0.03)
    assert pale[0] == pytest.approx(0.44, abs=0.02)  # 0.17 if black were its end


@pytest.mark.parametrize("grays", [(0.5, 0.52), (0.7, 0.3)])
def test_lungs_that_are_not_darker_are_refused(grays: tuple[float, float]) -> None:
    with pytest.raises(NoContrast, match="hardly darker"):
        FilmScale.of(*film_of(*grays))


def test_no_lung_is_refused() -> None:
    with pytest.raises(NoContrast, match="No lung is outlined"):
        FilmScale.of(np.full((50, 50), 0.5, np.float32), np.zeros((50, 50), bool))

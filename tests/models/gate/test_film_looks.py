"""The look of a film: what changes it, what only moves it, what leaves it as it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from explorer.reading.samples import sample_bytes
from models.gate.film_looks import TRANSFORMS, FilmTransform, film_look, mirrored_look, thumbnail, transformed_look
from models.radiograph import read_radiograph
from tests.support.model_builders import random_film

Floats = NDArray[np.float32]


@pytest.fixture(scope="module")
def chest() -> Floats:
    """RG1 as a thumbnail."""
    return thumbnail(read_radiograph(sample_bytes("masses")).pixels)


def changed(film: Floats, way: FilmTransform) -> Floats:
    return np.ascontiguousarray(np.rot90(1 - film if way.inverted else film, way.turns))


@pytest.mark.parametrize("way", TRANSFORMS, ids=str)
def test_a_changed_film_looks_as_foretold(chest: Floats, way: FilmTransform) -> None:
    foretold, real = transformed_look(film_look(chest), way), film_look(changed(chest, way))
    assert np.abs(foretold - real).mean() < 0.01
    others = [np.abs(transformed_look(film_look(chest), other) - real).mean() for other in TRANSFORMS if other != way]
    assert min(others) > 0.05


def test_a_mirrored_film_looks_as_foretold(chest: Floats) -> None:
    assert np.abs(mirrored_look(film_look(chest)) - film_look(np.ascontiguousarray(chest[:, ::-1]))).mean() < 0.01


@given(gamma=st.floats(0.5, 2), gain=st.floats(0.1, 1), height=st.integers(64, 300), seed=st.integers(0, 99))
@settings(max_examples=25)
def test_window_and_gamma_hardly_change_a_look(gamma: float, gain: float, height: int, seed: int) -> None:
    film = random_film(height, 200, seed).pixels
    assert np.abs(film_look(film) - film_look((gain * film**gamma).astype(np.float32))).mean() < 0.03


@pytest.mark.parametrize("border", [((0, 0), (90, 30)), ((40, 40), (40, 40))], ids=["beside", "around"])
def test_flat_borders_do_not_count(chest: Floats, border: tuple[tuple[int, int], tuple[int, int]]) -> None:
    bordered = np.pad(chest, border)
    assert np.abs(film_look(bordered) - film_look(np.pad(chest, 1))).mean() < 0.02


def test_a_flat_film_has_a_look_without_edges() -> None:
    assert not film_look(np.full((64, 64), 0.5, dtype=np.float32)).any()


def test_thumbnails_keep_small_films() -> None:
    small = random_film(64, 64).pixels
    assert thumbnail(small) is small
    assert 256 <= max(thumbnail(random_film(2000, 1800).pixels).shape) < 400
    assert min(thumbnail(random_film(3000, 100).pixels).shape) >= 32

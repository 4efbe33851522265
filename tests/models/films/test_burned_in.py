"""Burned-in text: names are found, side markers and anatomy are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.reading.samples import sample_bytes
from models.films.burned_in import TextRegion, text_regions
from models.radiograph import read_radiograph
from tests.support.text_on_film import STYLES, Box, Film, drawn

PORTABLE = {"00000150_002", "00000211_013", "00000415_001", "00000506_013", "00000506_015"}  # seen by eye


def smooth_film(height: int = 1200, width: int = 1000) -> Film:
    """Broad shadows, no edges."""
    rows, columns = np.ogrid[:height, :width]
    return (0.45 + 0.3 * np.sin(rows / 170) * np.cos(columns / 130)).astype(np.float32)


def covers(regions: tuple[TextRegion, ...], box: Box, film: Film) -> bool:
    """Whether one region lies on the text and holds most of its length."""
    height, width = film.shape
    top, left, bottom, right = box
    return any(
        region.row * height < bottom
        and (region.row + region.height) * height > top
        and min((region.column + region.width) * width, right) - max(region.column * width, left) > (right - left) / 2
        for region in regions
    )


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("size", [14, 24, 48])
@pytest.mark.parametrize("text", ["MUSTERMANN^ERIKA", "Doe, Jane 1961-04-12"])
def test_a_name_is_found_where_it_is(text: str, size: int, style: str) -> None:
    film, box = drawn(smooth_film(), text, size, (0.1, 0.3), style)
    regions = text_regions(film)
    assert covers(regions, box, film)
    for region in regions:
        assert 0 <= region.row < region.row + region.height <= 1
        assert 0 <= region.column < region.column + region.width <= 1


def test_black_text_is_found() -> None:
    film, box = drawn(1 - smooth_film(), "MUSTERMANN^ERIKA", 24, (0.9, 0.5))
    assert covers(text_regions(1 - film), box, film)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turned_text_is_found(turns: int) -> None:
    film, _ = drawn(smooth_film(), "MUSTERMANN^ERIKA", 24, (0.1, 0.3))
    (region,) = text_regions(np.rot90(film, turns))
    assert (region.height > region.width) is (turns != 2)


def test_text_on_a_small_and_on_a_large_film() -> None:
    for height, size in ((500, 10), (4000, 80)):
        film, box = drawn(smooth_film(height, height), "MUSTERMANN^ERIKA", size, (0.5, 0.5))
        assert covers(text_regions(film), box, film)


def test_a_film_full_of_text() -> None:
    film = smooth_film()
    for row in np.linspace(0, 1, 40):
        film, _ = drawn(film, "MUSTERMANN^ERIKA born 1961-04-12 in Musterstadt, Musterweg 12", 26, (row, 0.5))
    assert len(text_regions(film)) >= 30


@pytest.mark.parametrize("marker", ["L", "R", "AP", "PA", "R 12"])
def test_a_lone_marker_is_no_text(marker: str) -> None:
    film, _ = drawn(smooth_film(), marker, 48, (0.1, 0.9))
    assert text_regions(film) == ()


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (3000, 32), (40, 40), (1000, 900)])
def test_nothing_is_found_in_blanks_and_noise(shape: tuple[int, int]) -> None:
    noise = np.random.default_rng(0).random(shape, dtype=np.float32)
    for film in (np.zeros(shape, np.float32), np.ones(shape, np.float32), noise):
        assert text_regions(film) == ()


@pytest.mark.parametrize("key", ["masses", "leg"])
def test_real_films_without_text_are_not_flagged(key: str) -> None:
    assert text_regions(read_radiograph(sample_bytes(key)).pixels) == ()


@pytest.mark.shared
def test_of_real_originals_those_that_say_portable_are_flagged(shared: Path) -> None:
    films = sorted((shared / "data" / "nih_cxr14" / "original").glob("*.png"))
    assert {path.stem for path in films if text_regions(read_radiograph(path.read_bytes()).pixels)} == PORTABLE

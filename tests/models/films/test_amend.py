"""Films inverted, turned and mirrored on request."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from models.films.amend import Remedy, apply_remedy
from models.radiograph import Radiograph


@pytest.fixture
def film() -> Radiograph:
    """A film brighter in its upper left corner than anywhere else, 4 x 6 pixels."""
    pixels = np.full((4, 6), 0.25, dtype=np.float32)
    pixels[0, 0] = 1
    return Radiograph.from_pixels(pixels, spacing_mm=(0.1, 0.2), spacing_at="detector", notes=("first of two",))


@pytest.mark.parametrize(
    ("remedy", "corner", "spacing"),
    [
        ("turn left", (-1, 0), (0.2, 0.1)),
        ("turn right", (0, -1), (0.2, 0.1)),
        ("turn around", (-1, -1), (0.1, 0.2)),
        ("mirror", (0, -1), (0.1, 0.2)),
    ],
)
def test_a_change_of_place_moves_the_corner_and_the_spacing(
    film: Radiograph, remedy: Remedy, corner: tuple[int, int], spacing: tuple[float, float]
) -> None:
    turned = apply_remedy(film, remedy)
    assert turned.pixels[corner] == 1
    assert turned.pixels.sum() == film.pixels.sum()
    assert turned.spacing_mm == spacing


def test_inverting_swaps_black_and_white_and_leaves_the_spacing(film: Radiograph) -> None:
    inverted = apply_remedy(film, "invert")
    np.testing.assert_array_equal(inverted.pixels, 1 - film.pixels)
    assert inverted.spacing_mm == film.spacing_mm


@pytest.mark.parametrize(
    ("there", "back"),
    [
        ("invert", "invert"),
        ("turn left", "turn right"),
        ("turn right", "turn left"),
        ("turn around", "turn around"),
        ("mirror", "mirror"),
    ],
)
def test_there_and_back_is_the_film_again(film: Radiograph, there: Remedy, back: Remedy) -> None:
    again = apply_remedy(apply_remedy(film, there), back)
    np.testing.assert_array_equal(again.pixels, film.pixels)
    assert again.spacing_mm == film.spacing_mm
    assert len(again.notes) == 3, "both changes are told"


@pytest.mark.parametrize("remedy", get_args(Remedy))
def test_the_film_says_what_was_done_and_stays_the_same_file(film: Radiograph, remedy: Remedy) -> None:
    changed = apply_remedy(film, remedy)
    assert changed.notes[0] == "first of two"
    assert changed.notes[1].endswith("on request")
    assert (changed.sha256, changed.original_size) == (film.sha256, film.original_size)
    assert not changed.pixels.flags.writeable
    assert changed.pixels.flags.c_contiguous


def test_a_turned_or_mirrored_films_sides_are_assumed(film: Radiograph) -> None:
    stated = replace(film, sides="stated")
    assert apply_remedy(stated, "turn left").sides == apply_remedy(stated, "mirror").sides == "assumed"
    assert apply_remedy(stated, "invert").sides == "stated"


def test_a_film_without_spacing_is_turned_too(film: Radiograph) -> None:
    assert apply_remedy(Radiograph.from_pixels(film.pixels), "turn left").spacing_mm is None

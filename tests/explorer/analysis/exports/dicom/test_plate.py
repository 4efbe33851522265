"""The picture: the film as its window shows it, the warning in its pixels, and every word in sight."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.analysis.exports.dicom.plate import MAX_SIDE_PX, WARNED, Window, draw_plate
from tests.explorer.analysis.exports.dicom.made_up import heat, some_film

PIXELS = some_film().pixels


@pytest.mark.parametrize("window", [Window(), Window(0.4, 0.6), Window(1.5, 0.2, inverted=True)])
def test_the_film_stands_in_it_as_the_window_shows_it(window: Window) -> None:
    drawn = draw_plate(PIXELS, ["words"], window=window)
    low = window.level - window.width / 2
    gray = np.round(np.clip((PIXELS.astype(float) - low) / window.width, 0, 1) * 255)
    expected = 255 - gray if window.inverted else gray
    height, width = drawn.film
    film = drawn.pixels[drawn.top : drawn.top + height, drawn.left : drawn.left + width]
    assert drawn.shrunk == 1 and (film == expected[..., None]).all()


def test_a_map_lies_over_the_film_alone() -> None:
    plain = draw_plate(PIXELS, [], window=Window())
    mapped = draw_plate(PIXELS, [], window=Window(), heat=heat())
    height, width = plain.film
    place = np.s_[plain.top : plain.top + height, plain.left : plain.left + width]
    assert (mapped.pixels[place] == heat().over(Window().grays(PIXELS))).all()
    assert (mapped.pixels[: plain.top] == plain.pixels[: plain.top]).all()


def test_the_warning_stands_above_and_below_the_film() -> None:
    drawn = draw_plate(PIXELS, ["words"], window=Window())
    warned = (drawn.pixels == WARNED).all(axis=2)
    top, bottom = warned[: drawn.top], warned[drawn.top + drawn.film[0] :]
    assert top.sum() > 300 and bottom.sum() > 300
    assert not warned[drawn.top : drawn.top + drawn.film[0]].any(), "nothing is written on the film"


def test_a_long_word_and_odd_letters_stay_within_the_picture() -> None:
    lines = ["x" * 500, "a " * 400, "\u202e\x1b[2J \u80ba\u708e", ""]
    drawn = draw_plate(PIXELS, lines, window=Window(), heat=heat())
    below = drawn.pixels[drawn.top + drawn.film[0] :]
    assert below.any() and not below[:, -8:].any() and not below[:, :8].any()
    assert drawn.pixels.shape[0] > draw_plate(PIXELS, ["x"], window=Window(), heat=heat()).pixels.shape[0] + 100


def test_a_large_film_is_shrunk() -> None:
    drawn = draw_plate(np.full((200, 4000), 0.5, np.float32), [], window=Window())
    assert drawn.film == (round(200 / (4000 / MAX_SIDE_PX)), MAX_SIDE_PX)
    assert drawn.shrunk == pytest.approx(4000 / MAX_SIDE_PX)


def test_what_is_no_window_is_the_whole_range() -> None:
    whole = Window()
    for odd in (None, "1", [], {}, float("nan"), float("inf"), 10**400):
        assert Window.of(odd, 0.5, False) == whole
        assert Window.of(1, odd, False) == whole
    assert Window.of(0, 7, True) == Window(0.002, 1.0, inverted=True)
    assert Window.of(1, 0.5, "yes") == whole

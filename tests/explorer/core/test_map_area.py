"""An area of the map: which films lie inside, and how an address writes it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from explorer.core.map_area import MAX_CORNERS, Corner, MapArea, WrongArea, area_word, corners_of, inside

SQUARE: tuple[Corner, ...] = ((10, 10), (20, 10), (20, 20), (10, 20))


def lies_inside(corners: tuple[Corner, ...], x: int, y: int) -> bool:
    """By a ray to the right, in fractions, with the corners in the middle of their cells of 16 units."""
    ends = [(16 * across + 8, 16 * up + 8) for across, up in corners]
    crossed = 0
    for (ax, ay), (bx, by) in zip(ends, ends[1:] + ends[:1], strict=True):
        if (ay <= y) != (by <= y):
            crossed += ax + Fraction((y - ay) * (bx - ax), by - ay) > x
    return crossed % 2 == 1


def test_films_inside_are_those_of_a_ray_in_exact_fractions() -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        corners = tuple(map(tuple, rng.integers(0, 12, (rng.integers(3, 9), 2)).tolist()))
        x, y = rng.integers(0, 200, (2, 50)).astype(np.uint16)  # many on sides and corners
        x[::5], y[::5] = x[::5] // 16 * 16 + 8, y[::5] // 16 * 16 + 8
        expected = [lies_inside(corners, int(a), int(b)) for a, b in zip(x, y, strict=True)]
        assert inside(corners, x, y).tolist() == expected
        area = MapArea("one", "v", corners, 0)
        assert [area.holds(int(a), int(b)) for a, b in zip(x, y, strict=True)] == expected


def test_areas_that_share_a_side_share_no_film() -> None:
    x, y = (each.ravel().astype(np.uint16) for each in np.meshgrid(np.arange(100, 500), np.arange(100, 500)))
    beside: tuple[Corner, ...] = ((20, 10), (30, 10), (30, 20), (20, 20))
    both: tuple[Corner, ...] = ((10, 10), (30, 10), (30, 20), (10, 20))
    together = inside(SQUARE, x, y).astype(int) + inside(beside, x, y)
    assert np.array_equal(together, inside(both, x, y))
    assert inside(SQUARE, x, y).sum() == 160 * 160


def test_a_word_is_read_back() -> None:
    rng = np.random.default_rng(1)
    for n in (3, 4, MAX_CORNERS):
        corners = tuple(map(tuple, rng.integers(0, 4096, (n, 2)).tolist()))
        word = area_word(MapArea("one", "aB-_09", corners, 5))
        assert len(word) == 7 + 4 * n and corners_of(word) == ("aB-_09", corners)


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("", "damaged"),
        ("aB-_09", "damaged"),
        ("aB-_09.AAAA", "1 corners"),
        (".AAAAAABAABAA", "damaged"),
        ("aB-_09.AAAAAABAABA", "damaged"),
        ("aB-_09.AAAA AABAABA", "damaged"),
        ("aB-_09.AAAAAABAABAé", "damaged"),
        ("aB-_09." + "AAAB" * 65, "65 corners"),
        ("aB-_09.AAAAABAAACAA", "a line"),
        ("aB-_09.AAAAAAABAAAC", "a line"),
    ],
)
def test_what_is_no_area_says_so(word: str, why: str) -> None:
    with pytest.raises(WrongArea, match=why):
        corners_of(word)

"""Words for places on a chest drawn by hand: lungs from row 10 to 69, so that zones are 20 rows high."""

import pytest

from models.anatomy.places import OUTSIDE, PLACES, place_map
from tests.models.anatomy.drawn import drawn_chest


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (0.20, 0.12, "right upper zone"),
        (0.20, 0.29, "right upper zone"),
        (0.20, 0.31, "right mid zone"),
        (0.20, 0.51, "right base"),
        (0.80, 0.65, "left base"),
        (0.50, 0.50, "over the heart"),
        (0.50, 0.20, "over the mediastinum"),
        (0.20, 0.80, "below the diaphragm"),
        (0.09, 0.60, "right base"),  # one pixel beside the lung
        (0.02, 0.60, OUTSIDE),
        (1.00, 0.02, OUTSIDE),
    ],
)
def test_a_point_has_its_place(x: float, y: float, words: str) -> None:
    assert place_map(drawn_chest()).place(x, y) == words


def test_the_grid_has_the_place_of_the_middle_of_each_cell() -> None:
    places = place_map(drawn_chest())
    grid = places.grid()
    assert len(grid.rows) == 40 and {len(row) for row in grid.rows} == {40}
    for x, y in ((0.2, 0.12), (0.8, 0.65), (0.5, 0.5), (1.0, 1.0)):
        middle = ((min(int(share * 40), 39) + 0.5) / 40 for share in (x, y))
        assert grid.place(x, y) == places.place(*middle)


def test_zones_divide_a_lung_into_thirds_of_its_height() -> None:
    numbers = place_map({**drawn_chest(), "heart": drawn_chest()["ribs"]}).numbers  # without a heart
    rows = [numbers[:, 20].tolist().count(PLACES.index(f"right {zone}")) for zone in ("upper zone", "mid zone", "base")]
    assert rows == [22, 20, 20]  # the rim above the apex belongs to the upper zone


def test_the_lung_field_has_a_rim_of_two_pixels() -> None:
    field = place_map(drawn_chest()).lung_field
    assert field[30, 8] and not field[30, 7]

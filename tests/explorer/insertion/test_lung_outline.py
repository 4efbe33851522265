"""Corresponding points of lungs, worked out by hand on drawn shapes."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.insertion.lung_outline import POINTS_PER_BORDER, NoLung, corresponding_points
from models.array_types import Bools


def tall_triangle(mirrored: bool) -> Bools:
    """A right triangle 60 px high and 30 wide; its apex is above the medial end of its base."""
    rows, columns = np.mgrid[:100, :100]
    mask = (rows >= 20) & (rows < 80) & (columns < 70) & ((70 - columns) <= (rows - 19) / 2)
    return np.asarray(mask[:, ::-1] if mirrored else mask, bool)


@pytest.mark.parametrize(("side", "mirrored"), [("right", False), ("left", True)])
def test_the_corners_of_a_triangle(side: str, mirrored: bool) -> None:
    points = corresponding_points(tall_triangle(mirrored), side)
    assert points.shape == (3 * POINTS_PER_BORDER, 2)
    apex, angle, base = (points[each * POINTS_PER_BORDER] for each in range(3))
    columns = (69, 40, 69) if not mirrored else (30, 59, 30)
    for found, column, row in zip((apex, angle, base), columns, (20, 79, 79), strict=True):
        assert np.abs(found - (column, row)).max() <= 1.5


def test_the_base_is_below_the_hilum_beside_a_large_heart() -> None:
    lung = tall_triangle(True)  # the patient's left; its medial border is at column 30
    rows, columns = np.mgrid[:100, :100]
    heart = (rows - 75) ** 2 + (columns - 30) ** 2 < 18**2  # leaves the medial border at row 57, the base at column 48
    base = corresponding_points(np.asarray(lung & ~heart, bool), "left")[2 * POINTS_PER_BORDER]
    assert np.abs(base - (48, 79)).max() <= 2.5


def test_steps_along_a_border_are_equal() -> None:
    diaphragm = corresponding_points(tall_triangle(False), "right")[POINTS_PER_BORDER : 2 * POINTS_PER_BORDER]
    steps = np.diff(diaphragm[:, 0])
    assert np.ptp(steps) < 0.2 * steps.mean()


def test_a_speck_is_no_lung() -> None:
    mask = np.zeros((100, 100), bool)
    mask[40:50, 40:50] = True
    with pytest.raises(NoLung, match="The left lung is not outlined"):
        corresponding_points(mask, "left")

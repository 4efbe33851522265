"""The cardiothoracic ratio and its lines on a chest drawn by hand."""

import pytest

from models.anatomy.cardiothoracic import cardiothoracic_ratio
from tests.models.anatomy.drawn import drawn_chest


def test_the_ratio_is_the_heart_width_over_the_chest_width() -> None:
    assert cardiothoracic_ratio(drawn_chest()).value == pytest.approx(32 / 80)


def test_the_lines_lie_where_the_widths_are() -> None:
    ratio = cardiothoracic_ratio(drawn_chest())
    right, left = ratio.heart
    assert (right.left, left.right) == pytest.approx((0.38, 0.70))
    assert right.right == left.left == pytest.approx(0.54)
    assert right.y == left.y == pytest.approx(0.55)  # the middle of rows 40 to 69
    assert (ratio.chest.left, ratio.chest.right) == pytest.approx((0.10, 0.90))


def test_the_chest_is_measured_where_it_is_widest() -> None:
    masks = drawn_chest()
    masks["left lung"][60:62, 90:95] = True
    ratio = cardiothoracic_ratio(masks)
    assert ratio.chest.right == pytest.approx(0.95)
    assert ratio.chest.y == pytest.approx(0.605)
    assert ratio.value == pytest.approx(32 / 85)

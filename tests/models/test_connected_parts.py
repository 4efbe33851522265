"""Connected parts against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from models.connected_parts import components, group_numbers

RANDOM = np.random.default_rng(2)


def reference(mask: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    labels, _ = ndimage.label(mask, np.ones((3, 3)))
    boxes = ndimage.find_objects(labels)
    areas = np.bincount(labels.ravel())[1:]
    return sorted((y.start, x.start, y.stop, x.stop, int(n)) for (y, x), n in zip(boxes, areas, strict=True))


@pytest.mark.parametrize("share", [0.0, 0.02, 0.3, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("shape", [(40, 60), (1, 9), (9, 1), (200, 3)])
def test_boxes_are_scipys(shape: tuple[int, int], share: float) -> None:
    mask = RANDOM.random(shape) < share
    parts = components(mask)
    found = zip(*(getattr(parts, name).tolist() for name in ("top", "left", "bottom", "right", "area")), strict=True)
    assert sorted(found) == reference(mask)


def test_one_long_winding_part() -> None:
    mask = np.zeros((101, 50), dtype=np.bool_)
    mask[::2] = True
    mask[1::4, -1] = mask[3::4, 0] = True
    parts = components(mask)
    assert len(parts.top) == 1
    assert (parts.bottom[0], parts.right[0], parts.area[0]) == (101, 50, mask.sum())


def test_things_are_joined_by_chains_of_pairs() -> None:
    groups = group_numbers(np.array([4, 3, 1]), np.array([3, 0, 2]), 6)
    assert groups.tolist() == [0, 1, 1, 0, 0, 2]


def test_transposed_boxes_are_those_of_the_transposed_mask() -> None:
    mask = RANDOM.random((30, 20)) < 0.3
    turned, other = components(mask).transposed(), components(mask.T)
    assert sorted(zip(turned.top, turned.left, turned.height, turned.width, strict=True)) == sorted(
        zip(other.top, other.left, other.height, other.width, strict=True)
    )

"""How much of a map lies inside a mask, against the map drawn pixel by pixel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.reading.heat_share import share_inside
from models.classifier.letterbox import Letterbox

SIDE = 48


@dataclass(frozen=True)
class Box:
    """Where a film lies in a square input of 160 pixels."""

    inner: tuple[int, int] = (160, 160)
    offset: tuple[int, int] = (0, 0)
    size: int = 160


def mask(top: int, bottom: int, left: int, right: int, height: int = SIDE, width: int = SIDE) -> np.ndarray:
    found = np.zeros((height, width), bool)
    found[top:bottom, left:right] = True
    return found


@pytest.mark.parametrize("box", [Box(), Box((160, 80), (0, 40)), Box((100, 160), (30, 0))])
def test_a_map_that_knows_nothing_has_the_masks_share_inside(box: Box) -> None:
    inside = share_inside(np.full((5, 5), 0.3, np.float32), box, mask(3, 20, 5, 40))
    assert inside == pytest.approx(mask(3, 20, 5, 40).mean())


def test_a_map_without_heat_says_nothing() -> None:
    assert share_inside(np.zeros((5, 5), np.float32), Box(), mask(0, 9, 0, 9)) is None


def test_heat_in_one_corner_is_inside_a_mask_there_and_nowhere_else() -> None:
    heat = np.zeros((4, 4), np.float32)
    heat[0, 3] = 1.0
    assert share_inside(heat, Box(), mask(0, 24, 24, 48)) == pytest.approx(1.0)
    assert share_inside(heat, Box(), mask(24, 48, 0, 24)) == 0.0


def test_heat_beside_the_film_does_not_count() -> None:
    heat = np.zeros((4, 4), np.float32)
    heat[:, 0] = 1.0  # left of a film that fills the right half
    assert share_inside(heat, Box((160, 80), (0, 80)), mask(0, 48, 0, 48)) is None


@given(st.integers(0, 2**32 - 1), st.integers(2, 9))
def test_it_is_what_the_drawn_map_says(seed: int, cells: int) -> None:
    """torch's bilinear enlargement is another implementation of the same map."""
    dice = np.random.default_rng(seed)
    heat, found = dice.random((cells, cells), np.float32), dice.random((SIDE, SIDE)) < 0.3
    drawn = torch.nn.functional.interpolate(torch.tensor(heat)[None, None], (SIDE, SIDE), mode="bilinear")[0, 0].numpy()
    box = Letterbox.of(np.zeros((SIDE, SIDE), np.float32), 64)
    assert share_inside(heat, box, found) == pytest.approx(float(drawn[found].sum() / drawn.sum()), rel=1e-4)

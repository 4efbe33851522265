"""Films are mirrored, rotated, sharpened and erased as T4's code does it."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from PIL import Image, ImageEnhance

from models.training.augment import apply_moves
from models.training.augmentation.erasing import ErasingAugmentation, sharpen
from models.training.augmentation.registry import build_augmentation

BLUNT, LABELS = torch.zeros(200, dtype=torch.bool), torch.zeros(200, 1)


def films(count: int, size: int) -> torch.Tensor:
    """Films without black pixels."""
    return torch.rand(count, 1, size, size, generator=torch.Generator().manual_seed(2)) / 2 + 0.4


def test_sharpening_by_hand() -> None:
    """A bright pixel of 0.7 on 0.2 has a smoothed value of (5 * 0.7 + 8 * 0.2) / 13; twice itself less that is 1.0077.

    A neighbor of 0.2 has the smoothed value (12 * 0.2 + 0.7) / 13 and goes down; border pixels stay.
    """
    film = torch.full((1, 1, 5, 5), 0.2)
    film[0, 0, 2, 2] = 0.7
    found = sharpen(film, 2.0)[0, 0]
    assert found[2, 2] == 1.0, "at most white"
    assert float(found[1, 2]) == pytest.approx(0.4 - (12 * 0.2 + 0.7) / 13)
    assert found[0].tolist() == film[0, 0, 0].tolist()
    torch.testing.assert_close(sharpen(film, 1.0), film)


def test_sharpening_is_that_of_pillow() -> None:
    pixels = np.random.default_rng(0).integers(60, 180, (12, 12)).astype(np.uint8)
    theirs = np.asarray(ImageEnhance.Sharpness(Image.fromarray(pixels)).enhance(2.0)).astype(float)
    ours = sharpen(torch.from_numpy(pixels)[None, None].float() / 255, 2.0)[0, 0].numpy() * 255
    assert np.abs(ours - theirs).max() <= 1.5, "they round"


def test_half_of_the_films_lose_a_rectangle() -> None:
    made = ErasingAugmentation(degrees=0.0, mirrored=False, sharpness=1.0)
    rows = films(200, 32)
    found, moves = made(rows, BLUNT, LABELS, 32, torch.Generator().manual_seed(0))
    assert torch.equal(moves, torch.tensor([[1.0, 0, 0], [0, 1, 0]]).expand(200, 2, 3))
    erased = found[:, 0] == 0
    shares = erased.float().mean((1, 2))
    assert 75 < int((shares > 0).sum()) < 125
    assert 0.01 < float(shares[shares > 0].min()) and float(shares.max()) < 0.36
    for film in range(200):
        where = erased[film].nonzero()
        if len(where):
            (top, left), (bottom, right) = where.amin(0).tolist(), where.amax(0).tolist()
            assert bool(erased[film, top : bottom + 1, left : right + 1].all()), "one rectangle"
        kept = ~erased[film]
        torch.testing.assert_close(found[film, 0][kept], rows[film, 0][kept], rtol=1e-4, atol=1e-5)


def test_films_are_mirrored_and_rotated_and_masks_with_them() -> None:
    made = ErasingAugmentation(sharpness=1.0, least=1e-6, most=2e-6)  # a rectangle of no pixel
    rows = films(200, 24)
    found, moves = made(rows, BLUNT, LABELS, 16, torch.Generator().manual_seed(0))
    torch.testing.assert_close(found, apply_moves(rows, moves, 16))
    turns = moves[:, 0, 0] * moves[:, 1, 1] - moves[:, 0, 1] * moves[:, 1, 0]
    mirrored = turns < 0
    assert 70 < int(mirrored.sum()) < 130
    torch.testing.assert_close(turns.abs(), torch.ones(200))
    angles = torch.atan2(moves[:, 1, 0], moves[:, 1, 1]) * 180 / math.pi
    assert float(angles.abs().max()) <= 15.001 and float(angles.min()) < -13 and float(angles.max()) > 13
    straight = ErasingAugmentation(degrees=0.0, sharpness=1.0, least=1e-6, most=2e-6)
    turned, drawn = straight(rows, BLUNT, LABELS, 24, torch.Generator().manual_seed(0))
    for film in range(200):
        expected = rows[film].flip(-1) if drawn[film, 0, 0] < 0 else rows[film]
        torch.testing.assert_close(turned[film], expected, rtol=1e-3, atol=1e-4)


def test_wrong_settings_are_refused() -> None:
    assert build_augmentation("erasing", {"degrees": 10.0}, [1.0], 2) == ErasingAugmentation(degrees=10.0)
    for wrong in ({"degrees": 50.0}, {"sharpness": -1.0}, {"least": 0.5, "most": 0.2}):
        with pytest.raises(ValueError, match=r"give|must"):
            ErasingAugmentation(**wrong)

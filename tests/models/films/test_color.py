"""Color to gray some rows at a time is color to gray."""

from __future__ import annotations

import numpy as np
import pytest

from models.films import strips
from models.films.color import is_gray, sum_channels


@pytest.mark.parametrize("kind", ["u1", "u2", "u4"])
@pytest.mark.parametrize("channels", [3, 4])
def test_sums_and_spread_are_those_of_the_whole_image(
    kind: str, channels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strips, "STRIP_PIXELS", 100)  # many strips, the last one short
    color = np.random.default_rng(0).integers(0, np.iinfo(kind).max, (37, 23, channels), dtype=kind, endpoint=True)
    color[0] = np.iinfo(kind).max
    total, spread = sum_channels(color)
    three = color[..., :3].astype(np.int64)
    np.testing.assert_array_equal(total, three.sum(axis=2))
    assert spread == (three.max(axis=2) - three.min(axis=2)).mean()


def test_one_pixel_of_color_is_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strips, "STRIP_PIXELS", 100)
    color = np.repeat(np.random.default_rng(0).integers(0, 256, (37, 23, 1), dtype=np.uint8), 4, axis=2)
    color[..., 3] = 0
    assert is_gray(color)
    color[-1, -1, 2] ^= 1
    assert not is_gray(color)

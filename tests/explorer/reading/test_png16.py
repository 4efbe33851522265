"""The packing of a film: exact to the last of 16 bits, and shrunk without a detour through 8."""

from __future__ import annotations

import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from explorer.reading.png16 import film_to_png


def unpacked(png: bytes) -> NDArray[np.int64]:
    with Image.open(io.BytesIO(png)) as image:
        assert image.mode == "RGB"
        colors = np.asarray(image).astype(np.int64)
    assert not colors[..., 2].any()
    return colors[..., 0] * 256 + colors[..., 1]


def test_every_one_of_the_65536_levels_survives() -> None:
    levels = np.arange(65536).reshape(256, 256)
    png, checksum = film_to_png((levels / 65535).astype(np.float32))
    assert np.array_equal(unpacked(png), levels)
    assert checksum == levels.sum() % 2**32


def test_the_checksum_wraps_at_32_bits() -> None:
    _, checksum = film_to_png(np.ones((512, 512), np.float32))
    assert 512 * 512 * 65535 > 2**32
    assert checksum == 512 * 512 * 65535 % 2**32


@pytest.mark.parametrize(
    ("shape", "shown"),
    [((1955, 1841), (1024, 964)), ((50, 3000), (17, 1024)), ((3000, 1), (1024, 1)), ((300, 200), (300, 200))],
)
def test_the_longer_side_is_at_most_1024_and_the_shape_is_kept(shape: tuple[int, int], shown: tuple[int, int]) -> None:
    png, _ = film_to_png(np.zeros(shape, np.float32))
    assert unpacked(png).shape == shown


def test_shrinking_keeps_more_than_8_bits_of_a_slow_gradient() -> None:
    gradient = np.tile(np.linspace(0.500, 0.504, 2048, dtype=np.float32), (2048, 1))
    levels = unpacked(film_to_png(gradient)[0])
    assert len(np.unique(levels)) > 200  # 8 bits have two
    expected = gradient.reshape(1024, 2, 1024, 2).mean(axis=(1, 3)) * 65535
    assert np.abs(levels - expected)[:, 8:-8].max() < 1


def test_an_edge_does_not_leave_the_range() -> None:
    edge = np.zeros((2000, 2000), np.float32)
    edge[:, 1000:] = 1
    levels = unpacked(film_to_png(edge)[0])
    assert (levels[:, :480] == 0).all()
    assert (levels[:, -480:] == 65535).all()
    assert (np.diff(levels[500, 505:520]) >= -6000).all()  # no wrap from black to white beside the edge

"""Big honest films are read, in seconds."""

from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from models.radiograph import read_radiograph
from tests.support.film_files import (
    dicom_bytes,
    dicom_dataset,
    image_bytes,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", ["RGBA PNG", "CMYK TIFF"])
def test_24_megapixels_of_color_read_in_five_seconds(kind: str) -> None:
    rows = np.arange(4000, dtype=np.uint8)[:, None, None]
    colors = (rows + np.arange(6000, dtype=np.uint8)[:, None] * np.array([1, 2, 3, 0], np.uint8)) | np.uint8(1)
    picture = Image.frombytes(kind.split()[0], (6000, 4000), colors.tobytes())
    data = image_bytes(picture, "PNG", compress_level=1) if kind == "RGBA PNG" else image_bytes(picture, "TIFF")
    start = time.perf_counter()
    assert read_radiograph(data).pixels.shape == (4000, 6000)
    assert time.perf_counter() - start < 5


def big_film() -> NDArray[np.uint16]:
    """30 megapixels that use all 16 bits."""
    rows, columns = np.ogrid[:6000, :5000]
    return (rows * 9 + columns * 2).astype(np.uint16)


@pytest.mark.parametrize("kind", ["DICOM", "PNG", "color PNG"])
def test_30_megapixels_read_in_five_seconds(kind: str) -> None:
    film = big_film()
    if kind == "DICOM":
        data = dicom_bytes(dicom_dataset(film, PhotometricInterpretation="MONOCHROME1"))
    elif kind == "PNG":
        data = image_bytes(film, "PNG", compress_level=1)
    else:
        data = image_bytes(np.stack([(film >> 8).astype(np.uint8)] * 3, axis=-1), "PNG", compress_level=1)
    start = time.perf_counter()
    pixels = read_radiograph(data).pixels
    assert time.perf_counter() - start < 5
    assert pixels.shape == film.shape


def test_95_megapixels_are_read_without_pillows_warning() -> None:
    film = np.zeros((9500, 10_000), np.uint8)
    film[:32] = 200
    assert read_radiograph(image_bytes(film, "PNG", compress_level=1)).pixels.max() == np.float32(200 / 255)

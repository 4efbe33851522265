"""DICOM: compressed pixels in fragments, with and without the delimiter that should follow the last of them."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np
import pytest
from pydicom import uid

from models.radiograph import read_radiograph
from tests.support.dicom_films import refusal
from tests.support.film_files import (
    compressed_dicom,
    dicom_dataset,
    encapsulated_dicom,
    image_bytes,
    synthetic_film,
)

FILM = np.tile(synthetic_film(), (4, 4))
DELIMITER = b"\xfe\xff\xdd\xe0\0\0\0\0"


def jpeg() -> bytes:
    return encapsulated_dicom(dicom_dataset(FILM), uid.JPEGBaseline8Bit, image_bytes(FILM, "JPEG", quality=95))


def jpeg_2000() -> bytes:
    return encapsulated_dicom(dicom_dataset(FILM), uid.JPEG2000Lossless, image_bytes(FILM, "JPEG2000", no_jp2=True))


def rle() -> bytes:
    return compressed_dicom(dicom_dataset(FILM), uid.RLELossless)


def jpeg_ls() -> bytes:
    return compressed_dicom(dicom_dataset(FILM), uid.JPEGLSLossless)


MAKERS = pytest.mark.parametrize("make", [jpeg, jpeg_2000, rle, jpeg_ls])


@MAKERS
@pytest.mark.parametrize(
    "ending", [b"", bytes(8), b"\xfe\xff\xdd\xe0\xff\xff\xff\xff", b"\xfc\xff\xfc\xffOB\0\0\2\0\0\0\0\0"]
)
def test_whole_fragments_are_read_whatever_follows_them(make: Callable[[], bytes], ending: bytes) -> None:
    whole = make()
    assert whole.endswith(DELIMITER)
    film = read_radiograph(whole.removesuffix(DELIMITER) + ending)
    np.testing.assert_array_equal(film.pixels, read_radiograph(whole).pixels)


@MAKERS
@pytest.mark.parametrize("missing", [1, 9, 0.3, 0.9])
def test_a_fragment_that_is_cut_is_refused(make: Callable[[], bytes], missing: float) -> None:
    whole = make().removesuffix(DELIMITER)
    start = whole.rindex(b"\xe0\x7f\x10\0OB") + 28
    cut = missing if missing >= 1 else int((len(whole) - start) * missing)
    assert "cut short" in refusal(whole[:-cut]).title


@MAKERS
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_file_that_ends_between_two_fragments_is_refused(make: Callable[[], bytes], share: float) -> None:
    """Each fragment is whole, and the last ones are missing."""
    whole = make().removesuffix(DELIMITER)
    start = whole.rindex(b"\xe0\x7f\x10\0OB") + 12
    table = 8 + struct.unpack_from("<L", whole, start + 4)[0]
    frame = whole[start + table + 8 :]
    part = int(len(frame) * share) // 2 * 2
    first = struct.pack("<HHL", 0xFFFE, 0xE000, part) + frame[:part]
    second = struct.pack("<HHL", 0xFFFE, 0xE000, len(frame) - part) + frame[part:]
    in_two = whole[: start + table] + first + second
    np.testing.assert_array_equal(read_radiograph(in_two).pixels, read_radiograph(make()).pixels)
    assert refusal(whole[: start + table] + first).detail

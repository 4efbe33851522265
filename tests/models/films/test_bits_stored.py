"""DICOM: a film's gray values are its Bits Stored, however it is stored; other bits of a word are no part of it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from openjpeg.utils import encode_array
from pydicom import uid

from models.radiograph import read_radiograph
from tests.support.dicom_films import read
from tests.support.film_files import compressed_dicom, dicom_bytes, dicom_dataset, encapsulated_dicom, synthetic_film
from tests.support.wording import Wording, line_with

GRAY = np.round(synthetic_film() / 255 * 4095).astype(np.uint16)
TWELVE = {"BitsStored": 12, "HighBit": 11, "WindowCenter": 2048, "WindowWidth": 4096}
OVERLAY = np.where(np.arange(GRAY.size).reshape(GRAY.shape) % 3 == 0, 0x9000, 0).astype(np.uint16)
CUT = "bits beyond those stored were set, probably an overlay: not shown"


def threefold(gray: NDArray[np.generic]) -> NDArray[np.generic]:
    return np.stack([gray] * 3, axis=-1)


def packed(words: NDArray[np.uint16], kind: str, **attributes: object) -> bytes:
    dataset = dicom_dataset(words, **attributes)
    if kind == "raw":
        return dicom_bytes(dataset)
    if kind == "JPEG 2000":  # a stream of 16 bits, whatever the header says
        stream = encode_array(words, bits_stored=16, photometric_interpretation=1 if words.ndim == 3 else 2)
        return encapsulated_dicom(dataset, uid.JPEG2000Lossless, stream)
    return compressed_dicom(dataset, {"RLE": uid.RLELossless, "JPEG-LS": uid.JPEGLSLossless}[kind])


@pytest.mark.parametrize("kind", ["raw", "RLE", "JPEG 2000", "JPEG-LS"])
@pytest.mark.parametrize("color", [False, True])
def test_an_overlay_in_the_upper_bits_is_not_shown(kind: str, color: bool) -> None:
    words = GRAY | OVERLAY
    film = read_radiograph(packed(threefold(words) if color else words, kind, **TWELVE))
    assert np.abs(film.pixels - GRAY / 4095).max() < 1e-3
    # pydicom's coder cuts these bits off itself when it writes JPEG-LS.
    assert (CUT in film.notes) == (kind != "JPEG-LS")
    assert CUT not in read(GRAY, **TWELVE).notes


@pytest.mark.parametrize("kind", ["raw", "RLE", "JPEG 2000"])
@pytest.mark.parametrize("carried", [False, True])
def test_a_sign_is_that_of_the_bits_stored(kind: str, carried: bool) -> None:
    signed = GRAY.astype(np.int16) - 2048
    words = (signed if carried else signed & 0x0FFF).view(np.uint16)
    film = read_radiograph(packed(words, kind, **TWELVE | {"PixelRepresentation": 1, "WindowCenter": 0}))
    assert np.abs(film.pixels - GRAY / 4095).max() < 1e-3
    assert CUT not in film.notes


@pytest.mark.parametrize("kind", ["raw", "JPEG 2000"])
@pytest.mark.parametrize("color", [False, True])
def test_values_that_go_on_beyond_the_bits_stored_are_all_shown(kind: str, color: bool, wording: Wording) -> None:
    words = np.round(65535 * np.hypot(*np.mgrid[0:0.7:96j, 0:0.7:80j])).astype(np.uint16)
    attributes = TWELVE | {"WindowCenter": 32768, "WindowWidth": 65536}
    film = read_radiograph(packed(threefold(words) if color else words, kind, **attributes))
    assert np.abs(film.pixels - words / 65535).max() < 1e-3
    wording(line_with(film.notes, "values", "bits stored that"))


@pytest.mark.parametrize("bits", [8, 10, 12, 16])
@pytest.mark.parametrize("photometric", ["RGB", "YBR_FULL"])
@pytest.mark.parametrize("kind", [np.uint16, np.uint32, np.int16])
def test_colors_are_as_bright_as_their_bits_say(bits: int, photometric: str, kind: type) -> None:
    if kind is np.int16 and bits == 16:
        return
    gray = np.round(synthetic_film() / 255 * (2**bits - 1)).astype(kind)
    middle = np.full_like(gray, 2 ** (bits - 1))
    stored = threefold(gray) if photometric == "RGB" else np.stack([gray, middle, middle], axis=-1)
    film = read(stored, BitsStored=bits, HighBit=bits - 1, PhotometricInterpretation=photometric)
    assert np.abs(film.pixels - synthetic_film() / 255).max() < 0.003
    assert film.colorfulness == pytest.approx(0, abs=1e-3)


def test_colors_that_fill_fewer_bits_than_the_header_says(wording: Wording) -> None:
    film = read(threefold(GRAY))
    assert np.abs(film.pixels - GRAY / 4095).max() < 1e-3
    wording(line_with(film.notes, "16 bits", "12"))


@pytest.mark.parametrize(("says", "top"), [(8, 255), (16, 255), (12, 4095), (16, 4095), (16, 65535)])
def test_palettes_use_the_bits_of_their_entries(says: int, top: int) -> None:
    palette: dict[str, object] = {"PhotometricInterpretation": "PALETTE COLOR"}
    for color in ("Red", "Green", "Blue"):
        palette[f"{color}PaletteColorLookupTableDescriptor"] = [256, 0, says]
        palette[f"{color}PaletteColorLookupTableData"] = np.linspace(0, top, 256).round().astype("<u2").tobytes()
    film = read(synthetic_film(), **palette)
    assert np.abs(film.pixels - synthetic_film() / 255).max() < 0.003


@pytest.mark.parametrize("kind", ["raw", "RLE", "JPEG 2000"])
@pytest.mark.parametrize("color", [False, True])
def test_values_in_the_upper_bits_are_moved_down_as_high_bit_says(kind: str, color: bool, wording: Wording) -> None:
    sparse = np.where(np.arange(GRAY.size).reshape(GRAY.shape) % 7 == 0, 3, 0).astype(np.uint16)  # an overlay below
    for words in (GRAY << 4, GRAY << 4 | sparse):
        film = read_radiograph(packed(threefold(words) if color else words, kind, **TWELVE | {"HighBit": 15}))
        assert np.abs(film.pixels - GRAY / 4095).max() < 1e-3
        wording(line_with(film.notes, "upper 12 bits"))


@pytest.mark.parametrize("signed", [False, True])
def test_values_in_the_lower_bits_stay_whatever_high_bit_says(signed: bool, wording: Wording) -> None:
    words = (GRAY.astype(np.int16) - 2048 * signed).view(np.uint16)
    attributes = TWELVE | {"HighBit": 15, "PixelRepresentation": int(signed), "WindowCenter": 2048 * (not signed)}
    film = read(words, **attributes)
    assert np.abs(film.pixels - GRAY / 4095).max() < 1e-3
    wording(line_with(film.notes, "lower"))


def test_signed_values_in_the_upper_bits_keep_their_sign() -> None:
    words = ((GRAY.astype(np.int16) - 2048) << 4).view(np.uint16)
    film = read(words, **TWELVE | {"HighBit": 15, "PixelRepresentation": 1, "WindowCenter": 0})
    assert np.abs(film.pixels - GRAY / 4095).max() < 1e-3

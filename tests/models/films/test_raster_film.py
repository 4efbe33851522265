"""PNG, JPEG and TIFF: exact grays, depth, color, transparency, which way up."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from models.radiograph import UnreadableRadiograph, read_radiograph
from tests.support.film_files import image_bytes, insert_after_png_header, png_chunk, synthetic_film

FILM = synthetic_film()
EXACT = FILM.astype(np.float32) / 255
LOSSLESS = pytest.mark.parametrize("kind", ["PNG", "TIFF"])


@LOSSLESS
def test_8_bit_greys_are_exactly_value_over_255(kind: str) -> None:
    film = read_radiograph(image_bytes(FILM, kind))
    np.testing.assert_array_equal(film.pixels, EXACT)
    assert (film.colorfulness, film.view, film.spacing_mm, film.notes) == (0, "unknown", None, ())


@pytest.mark.shared
def test_real_films_read_as_in_training(shared: Path) -> None:
    for pattern in ("images/*.jpg", "images_64px/*.png", "original/*.png"):
        path = min((shared / "data/nih_cxr14").glob(pattern))
        expected = np.asarray(Image.open(path).convert("L"), dtype=np.float32) / 255
        np.testing.assert_array_equal(read_radiograph(path).pixels, expected)


@LOSSLESS
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "LA"])
def test_grey_in_color_clothes_is_exactly_its_grey(kind: str, mode: str) -> None:
    picture = Image.fromarray(FILM)
    data = image_bytes(picture.convert("RGB").convert(mode) if mode == "RGBA" else picture.convert(mode), kind)
    film = read_radiograph(data)
    np.testing.assert_array_equal(film.pixels, EXACT)
    assert film.colorfulness == 0


def test_a_grey_jpeg_stored_in_color_and_progressive() -> None:
    plain = read_radiograph(image_bytes(FILM, "JPEG", quality=95))
    color = read_radiograph(image_bytes(Image.fromarray(FILM).convert("RGB"), "JPEG", quality=95, progressive=True))
    cmyk = read_radiograph(image_bytes(Image.fromarray(FILM).convert("CMYK"), "JPEG", quality=95))
    assert np.abs(plain.pixels - color.pixels).mean() < 0.01
    assert np.abs(plain.pixels - cmyk.pixels).mean() < 0.02
    assert color.colorfulness < 0.02


def test_color_is_the_mean_and_is_measured() -> None:
    rgb = np.stack([FILM, FILM // 2, np.zeros_like(FILM)], axis=-1)
    film = read_radiograph(image_bytes(rgb, "PNG"))
    np.testing.assert_allclose(film.pixels, rgb.mean(axis=2) / 255, atol=1e-6)
    assert film.colorfulness == pytest.approx(float(FILM.mean()) / 255, abs=1e-4)


@pytest.mark.parametrize("mode", ["LA", "RGBA"])
def test_transparent_parts_are_air(mode: str) -> None:
    picture = Image.fromarray(FILM).convert(mode)
    picture.putalpha(Image.fromarray(np.tile(np.array([[0, 255]], np.uint8), (96, 40))))
    film = read_radiograph(image_bytes(picture, "PNG"))
    assert (film.pixels[:, ::2] == 0).all()
    np.testing.assert_array_equal(film.pixels[:, 1::2], EXACT[:, 1::2])
    assert any("air" in note for note in film.notes)


@LOSSLESS
def test_16_bits_that_fill_their_range_are_value_over_65535(kind: str) -> None:
    deep = FILM.astype(np.uint16) * 200
    film = read_radiograph(image_bytes(deep, kind))
    np.testing.assert_allclose(film.pixels, deep / 65535, atol=1e-6)
    assert film.notes == ()


@LOSSLESS
def test_12_bits_in_16_are_stretched_and_say_so(kind: str) -> None:
    film = read_radiograph(image_bytes(FILM.astype(np.uint16) * 16, kind))
    assert np.abs(film.pixels - EXACT).max() < 0.02
    assert any("percentiles" in note for note in film.notes)


def test_float_tiff_is_stretched() -> None:
    values = FILM.astype(np.float32) * 3.7 - 100
    values[0, 0] = np.nan
    film = read_radiograph(image_bytes(values, "TIFF"))
    assert np.abs(film.pixels - EXACT).max() < 0.02
    assert film.pixels[0, 0] == 0


@pytest.mark.parametrize("compression", ["raw", "tiff_lzw", "tiff_adobe_deflate", "packbits"])
@pytest.mark.parametrize("deep", [False, True])
def test_tiff_where_white_is_zero(compression: str, deep: bool) -> None:
    inverted = (255 - FILM).astype(np.uint16) * 257 if deep else 255 - FILM
    data = bytearray(image_bytes(inverted, "TIFF", compression=compression))
    entry = data.index(b"\x06\x01\x03\0\1\0\0\0\1\0")
    data[entry + 8] = 0
    np.testing.assert_allclose(read_radiograph(bytes(data)).pixels, EXACT, atol=1e-6)


ORIENTED = {  # how each EXIF orientation stores a film, so that turning it gives the film back
    1: FILM,
    2: FILM[:, ::-1],
    3: FILM[::-1, ::-1],
    4: FILM[::-1],
    5: FILM.T,
    6: np.rot90(FILM),
    7: np.rot90(FILM, 2).T,
    8: np.rot90(FILM, -1),
}


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
@pytest.mark.parametrize(("orientation", "stored"), ORIENTED.items())
def test_exif_orientation(kind: str, orientation: int, stored: NDArray[np.uint8]) -> None:
    picture = Image.fromarray(np.ascontiguousarray(stored))
    exif = picture.getexif()
    exif[0x0112] = orientation
    options = {"quality": 100} if kind == "JPEG" else {}
    film = read_radiograph(image_bytes(picture, kind, exif=exif, **options))
    assert np.abs(film.pixels - EXACT).mean() < 0.01
    assert film.original_size == stored.shape
    assert bool(film.notes) == (orientation != 1)


def test_damaged_exif_does_not_matter() -> None:
    jpeg = image_bytes(FILM, "JPEG")
    for exif in (b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0MM\0*\0\0\0\x08\xff\xff\x01\x12", b"Exif\0\0"):
        odd = jpeg[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + jpeg[2:]
        np.testing.assert_array_equal(read_radiograph(odd).pixels, read_radiograph(jpeg).pixels)


def test_a_multi_page_tiff_gives_its_first_page_and_says_so() -> None:
    file = BytesIO()
    Image.fromarray(FILM).save(file, "TIFF", save_all=True, append_images=[Image.fromarray(255 - FILM)])
    film = read_radiograph(file.getvalue())
    np.testing.assert_array_equal(film.pixels, EXACT)
    assert "first of several pages" in film.notes


def test_an_animated_png_is_refused() -> None:
    file = BytesIO()
    Image.fromarray(FILM).save(file, "PNG", save_all=True, append_images=[Image.fromarray(255 - FILM)])
    with pytest.raises(UnreadableRadiograph, match="animated"):
        read_radiograph(file.getvalue())


def test_metadata_beside_the_picture_is_not_read() -> None:
    text = png_chunk(b"tEXt", b"Patient\0Roentgen") + png_chunk(b"iCCP", b"broken\0\0broken")
    film = read_radiograph(insert_after_png_header(image_bytes(FILM, "PNG"), text))
    np.testing.assert_array_equal(film.pixels, EXACT)
    assert "Roentgen" not in repr(film)


@pytest.mark.parametrize(
    ("image", "word"),
    [
        (Image.fromarray(FILM).convert("1"), "black and white"),
        (Image.fromarray(FILM[:31, :31]), "too small"),
        (Image.fromarray(np.full((64, 64), 9, np.uint8)), "blank"),
        (Image.fromarray(np.full((64, 64, 3), 9, np.uint8)), "blank"),
    ],
    ids=["1-bit", "tiny", "blank", "blank color"],
)
def test_pictures_without_a_film(image: Image.Image, word: str) -> None:
    with pytest.raises(UnreadableRadiograph, match=word):
        read_radiograph(image_bytes(image, "PNG"))

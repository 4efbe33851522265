"""Films whose pixels are not square are shown and read with square ones, and say so."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.reading.reader import DecodedFilm
from explorer.ui.viewer.payload import film_payload
from models.films.square_pixels import PixelShape
from models.radiograph import read_radiograph
from tests.support.dicom_films import read, refusal
from tests.support.film_files import dicom_bytes, dicom_dataset, image_bytes

ROUND = np.hypot(*(np.mgrid[-1:1:200j, -1:1:160j] * [[[1.25]], [[1]]]))  # a disc in a film of square pixels
DISC = np.round(4095 * np.clip(1.1 - ROUND, 0, 1)).astype(np.uint16)
WINDOW = {"WindowCenter": 2048, "WindowWidth": 4096}


@pytest.mark.parametrize("attribute", ["ImagerPixelSpacing", "NominalScannedPixelSpacing", "PixelSpacing"])
@pytest.mark.parametrize(("stored", "spacing"), [(DISC[::2], [0.28, 0.14]), (DISC[:, ::2], [0.14, 0.28])])
def test_a_film_stored_oblong_is_the_film_stored_square(
    attribute: str, stored: np.ndarray, spacing: list[float]
) -> None:
    film = read(stored, **WINDOW, **{attribute: spacing})
    square = read(DISC, **WINDOW)
    assert film.pixels.shape == square.pixels.shape
    assert np.abs(film.pixels - square.pixels)[2:-2, 2:-2].mean() < 0.01
    assert film.original_size == stored.shape
    if attribute != "NominalScannedPixelSpacing":
        assert film.spacing_mm == pytest.approx((0.14, 0.14))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
def test_pictures_that_say_so_are_resampled_too(kind: str) -> None:
    gray = (DISC // 16).astype(np.uint8)
    square = read_radiograph(image_bytes(gray, kind, dpi=(180, 180)))
    tall = read_radiograph(image_bytes(gray[::2], kind, dpi=(180, 90)))
    wide = read_radiograph(image_bytes(gray[:, ::2], kind, dpi=(90, 180)))
    assert not [note for note in square.notes if "square" in note]
    np.testing.assert_array_equal(square.pixels, read_radiograph(image_bytes(gray, kind)).pixels)
    for film in (tall, wide):
        assert film.pixels.shape == DISC.shape
        assert np.abs(film.pixels - square.pixels)[2:-2, 2:-2].mean() < 0.02
        assert [note for note in film.notes if note.startswith("resampled to square pixels")]


def test_an_aspect_ratio_counts_where_no_spacing_does() -> None:
    tall = read(DISC[::2], **WINDOW, PixelAspectRatio=[2, 1])
    assert tall.pixels.shape == DISC.shape
    assert tall.spacing_mm is None
    assert read(DISC, **WINDOW, PixelAspectRatio=[2, 1], PixelSpacing=[0.2, 0.2]).pixels.shape == DISC.shape
    assert read(DISC, **WINDOW, PixelAspectRatio=[0, 1]).pixels.shape == DISC.shape


def test_the_page_says_what_was_done() -> None:
    film = read(DISC[::2], **WINDOW, ImagerPixelSpacing=[0.28, 0.14])
    said = "resampled to square pixels: the file says that its own are 2 times as high as wide"
    assert said in film.notes
    payload = film_payload(DecodedFilm(film, 0.0))
    assert said in payload["notes"]
    assert payload["changes"] == ["resampled to square pixels"]
    assert payload["size"] == list(DISC.shape)


@pytest.mark.parametrize("spacing", [[0.14, 0.14], [0.143, 0.1431]])
def test_square_pixels_are_not_touched(spacing: list[float]) -> None:
    film, plain = read(DISC, **WINDOW, ImagerPixelSpacing=spacing), read(DISC, **WINDOW)
    np.testing.assert_array_equal(film.pixels, plain.pixels)
    assert film.spacing_mm == tuple(spacing)
    assert not [note for note in film.notes if "square" in note]


@pytest.mark.parametrize(
    ("attributes", "word"),
    [
        ({"ImagerPixelSpacing": [0.28, 0.14], "PixelSpacing": [0.14, 0.14]}, "contradicts itself"),
        ({"PixelAspectRatio": [9, 1]}, "9 times as high as wide"),
    ],
)
def test_what_is_not_believed_is_said(attributes: dict[str, object], word: str) -> None:
    film = read(DISC, **WINDOW, **attributes)
    assert film.pixels.shape == DISC.shape
    assert [note for note in film.notes if word in note and "as if" in note]


def test_a_film_that_grows_too_large_is_refused() -> None:
    data = dicom_bytes(dicom_dataset(DISC, Rows=9000, Columns=9000, PixelAspectRatio=[2, 1]))
    assert "too large" in refusal(data).title


def test_an_oblong_film_on_its_side_is_turned_with_its_spacing() -> None:
    film = read(DISC[::2].T, **WINDOW, ImagerPixelSpacing=[0.14, 0.28], PatientOrientation=["F", "L"])
    assert film.pixels.shape == DISC.shape
    assert film.spacing_mm == pytest.approx((0.14, 0.14))


def test_nothing_overshoots() -> None:
    noise = np.random.default_rng(0).random((50, 40)).astype(np.float32).round()
    for ratio in (0.3, 0.7, 1.3, 3.9):
        shown = PixelShape(ratio).squared(noise)
        assert 0 <= shown.min() and shown.max() <= 1

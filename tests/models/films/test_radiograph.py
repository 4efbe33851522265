"""The same film reads the same from every kind of file, and everything else is refused with a sentence."""

from __future__ import annotations

import gzip
import hashlib
import zipfile
from dataclasses import FrozenInstanceError
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from safetensors.numpy import save

from models.radiograph import Radiograph, UnreadableRadiograph, read_radiograph
from tests.support.film_files import (
    PACKAGED,
    PYDICOM_FILES,
    dicom_bytes,
    dicom_dataset,
    image_bytes,
    synthetic_film,
)

GREYS = pytest.mark.parametrize("film", ["synthetic", "real"], indirect=True)


@pytest.fixture
def film(request: pytest.FixtureRequest) -> NDArray[np.uint8]:
    if request.param == "synthetic":
        return synthetic_film()
    folder: Path = request.getfixturevalue("shared")
    return np.asarray(Image.open(min((folder / "data/nih_cxr14/original").glob("*.png"))).convert("L"))


@GREYS
def test_the_same_film_reads_the_same_from_every_kind_of_file(film: NDArray[np.uint8]) -> None:
    deep = film.astype(np.uint16) * 257
    twelve = film.astype(np.uint16) * 16
    window = {"BitsStored": 12, "HighBit": 11, "WindowCenter": 2040.5, "WindowWidth": 4081}
    files = {
        "MONOCHROME2": dicom_bytes(dicom_dataset(deep)),
        "MONOCHROME1": dicom_bytes(dicom_dataset(65535 - deep, PhotometricInterpretation="MONOCHROME1")),
        "12-bit": dicom_bytes(dicom_dataset(twelve, **window)),
        "8-bit DICOM": dicom_bytes(dicom_dataset(film)),
        "no preamble": dicom_bytes(dicom_dataset(deep), preamble=False),
        "16-bit PNG": image_bytes(deep, "PNG"),
        "8-bit PNG": image_bytes(film, "PNG"),
        "RGB PNG": image_bytes(np.stack([film] * 3, axis=-1), "PNG"),
        "16-bit TIFF": image_bytes(deep, "TIFF"),
        "8-bit TIFF": image_bytes(film, "TIFF", compression="tiff_lzw"),
    }
    for name, data in files.items():
        pixels = read_radiograph(data).pixels
        assert np.abs(pixels - film / 255).max() <= 1.01 / 255, name


def test_a_film_is_frozen_and_read_only() -> None:
    radiograph = read_radiograph(image_bytes(synthetic_film(), "PNG"))
    assert radiograph.pixels.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        radiograph.pixels[0, 0] = 1
    with pytest.raises(FrozenInstanceError):
        radiograph.view = "PA"  # type: ignore[misc]


def test_paths_bytes_and_open_files_read_alike(tmp_path: Path) -> None:
    data = image_bytes(synthetic_film(), "PNG")
    path = tmp_path / "film.without.extension"
    path.write_bytes(data)
    with path.open("rb") as file:
        films = [read_radiograph(source) for source in (data, path, str(path), file)]
        assert not file.closed
    assert {film.sha256 for film in films} == {hashlib.sha256(data).hexdigest()}
    assert all(film.original_size == (96, 80) and film.source_kind == "png" for film in films)


def test_a_film_made_in_memory_copies_its_pixels() -> None:
    pixels = np.linspace(0, 1, 1200).reshape(30, 40)
    film = Radiograph.from_pixels(pixels, view="PA", spacing_mm=(0.2, 0.2), spacing_at="detector")
    pixels[:] = 0
    assert film.pixels.max() == 1
    assert (film.source_kind, film.view, film.original_size, len(film.sha256)) == ("memory", "PA", (30, 40), 64)


@pytest.mark.parametrize(
    "pixels", [np.zeros((2, 2, 3)), np.zeros((0, 4)), np.full((4, 4), 2.0), np.full((4, 4), np.nan)]
)
def test_a_film_made_in_memory_must_be_one(pixels: NDArray[np.float64]) -> None:
    with pytest.raises(ValueError, match="film"):
        Radiograph.from_pixels(pixels)


def test_the_leg_tells_its_body_part_and_the_chest_its_view() -> None:
    leg, chest = read_radiograph(PACKAGED / "RG3_UNCI.dcm"), read_radiograph(PACKAGED / "RG1_UNCI.dcm")
    assert (leg.body_part, leg.view) == ("EXTREMITY", "AP")
    assert (chest.body_part, chest.view, chest.original_size) == ("CHEST", "PA", (1955, 1841))
    assert chest.spacing_mm is None  # its header says 0.000 mm
    assert chest.pixels[5:100, :60].mean() < 0.4 < 0.8 < chest.pixels[1500:1900, 800:1000].mean()  # air, spine


def _zip() -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("film.dcm", b"x")
    return file.getvalue()


OTHER_FILES = {
    "empty": (b"", "empty"),
    "text": (b"The lungs are clear. No effusion.\n" * 20, "text"),
    "HTML": (b"\n<!DOCTYPE html><html><body>Sign in</body></html>", "web page"),
    "SVG": (b"<?xml version='1.0'?><svg/>", "SVG"),
    "PDF": (b"%PDF-1.7\n" + bytes(200), "PDF"),
    "ZIP": (_zip(), "ZIP"),
    "gzip": (gzip.compress(b"film"), "gzip"),
    "GIF": (image_bytes(synthetic_film(), "GIF"), "GIF"),
    "BMP": (image_bytes(synthetic_film(), "BMP"), "BMP"),
    "WebP": (image_bytes(synthetic_film(), "WEBP"), "WebP"),
    "JPEG 2000": (image_bytes(synthetic_film(), "JPEG2000"), "JPEG 2000"),
    "HEIC": (b"\0\0\0\x18ftypheic" + bytes(200), "HEIC"),
    "MP4": (b"\0\0\0\x18ftypisom" + bytes(200), "video"),
    "Matroska": (b"\x1aE\xdf\xa3" + bytes(200), "video"),
    "AVI": (b"RIFF\0\0\0\0AVI " + bytes(200), "video"),
    "NIfTI": (bytes(344) + b"n+1\0", "NIfTI"),
    "Keras": (b"\x89HDF\r\n\x1a\n" + bytes(200), "Keras"),
    "weights": (b"PK\3\4" + bytes(26) + b"archive/data.pkl" + bytes(99), "weights file"),
    "weights before 1.6": (b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19." + bytes(99), "weights file"),
    "safetensors": (save({"a": np.zeros(3)}), "weights file"),
    "zeros": (bytes(1000), "format is unknown"),
    "noise": (bytes(range(256)) * 4, "format is unknown"),
}


@pytest.mark.parametrize(("data", "word"), OTHER_FILES.values(), ids=OTHER_FILES.keys())
def test_other_files_are_named_and_refused(data: bytes, word: str) -> None:
    with pytest.raises(UnreadableRadiograph) as refusal:
        read_radiograph(data)
    assert word in refusal.value.title
    assert len(refusal.value.detail) > 20
    assert str(refusal.value) == f"{refusal.value.title}. {refusal.value.detail}"


def test_a_renamed_file_is_judged_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "chest.dcm"
    path.write_bytes(image_bytes(synthetic_film(), "JPEG"))
    assert read_radiograph(path).source_kind == "jpeg"
    path.write_bytes(b"%PDF-1.4 not a film")
    with pytest.raises(UnreadableRadiograph, match="PDF"):
        read_radiograph(path)


@pytest.mark.parametrize("name", ["missing.dcm", "", "null\0byte"])
def test_what_cannot_be_opened_is_a_sentence_without_its_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableRadiograph) as refusal:
        read_radiograph(f"{tmp_path}/{name}")
    assert str(tmp_path) not in str(refusal.value)


def test_the_files_of_pydicom_read_or_are_refused_without_a_warning() -> None:
    paths = [*PACKAGED.glob("*.dcm"), *PYDICOM_FILES.glob("*.dcm"), *PYDICOM_FILES.glob("dicomdirtests/DICOMDIR*")]
    read = 0
    for path in paths:
        try:
            film = read_radiograph(path)
        except UnreadableRadiograph:
            continue
        read += 1
        assert 0 <= film.pixels.min() < film.pixels.max() <= 1, path.name
    assert len(paths) > 100
    assert read > 40

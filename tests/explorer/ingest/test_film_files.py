"""What a inspect_file at a file says."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from explorer.ingest.film_files import SMALL_FILE_BYTES, inspect_file, same_bytes
from explorer.ingest.rejects import RejectReason
from tests.explorer.ingest.brought import film, png, written
from tests.support.film_files import PACKAGED
from tests.support.wording import Wording


def encoded(pixels: np.ndarray, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind, **options)
    return file.getvalue()


BLACK = np.zeros((1024, 1024), np.uint8)
GREY = np.full((2048, 2048), 7, np.uint16)


@pytest.mark.parametrize(
    "content",
    [
        png(BLACK),
        png(GREY),
        png(BLACK[:64, :64]),
        encoded(BLACK, "JPEG"),
        encoded(BLACK + 90, "JPEG", progressive=True),
        encoded(BLACK, "TIFF"),
        encoded(BLACK, "TIFF", compression="tiff_lzw"),
        encoded(BLACK, "TIFF", compression="tiff_deflate"),
    ],
    ids=["png", "png16", "small", "jpeg", "progressive", "tiff", "lzw", "deflate"],
)
def test_a_film_of_one_shade_is_blank(tmp_path: Path, content: bytes) -> None:
    assert inspect_file(written(tmp_path / "a", content)).reason is RejectReason.BLANK


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b"", "The file is empty"),
        (b"Dear colleague,\n", "This is a text file, not a film"),
        (b"%PDF-1.7\n", "This is a PDF, not a film"),
        (film(1)[: SMALL_FILE_BYTES // 8], "The PNG is cut short or damaged"),
        (png(np.eye(20, dtype=np.uint8)), "The image is too small"),
    ],
)
def test_what_is_no_film_says_what_it_is(tmp_path: Path, content: bytes, detail: str) -> None:
    said = inspect_file(written(tmp_path / "a", content))
    assert (said.reason, said.detail) == (RejectReason.UNREADABLE, detail)


@pytest.mark.parametrize("name", ["RG1_UNCR.dcm", "RG1_J2KR.dcm"])
def test_a_real_dicom_file_is_a_film(tmp_path: Path, name: str) -> None:
    assert inspect_file(written(tmp_path / "a", (PACKAGED / name).read_bytes())).reason is None


def test_a_large_film_that_breaks_off_is_left_to_scoring(tmp_path: Path) -> None:
    whole = png(np.random.default_rng(0).integers(0, 256, (512, 512), np.uint8))
    assert inspect_file(written(tmp_path / "a", whole[: len(whole) // 2])).reason is None


def test_a_dark_border_is_not_blank(tmp_path: Path) -> None:
    pixels = np.zeros((1024, 1024), np.uint8)
    pixels[900:, 500:] = np.random.default_rng(0).integers(0, 256, (124, 524), np.uint8)
    for content in (png(pixels), encoded(pixels, "TIFF")):
        assert inspect_file(written(tmp_path / "a", content)).reason is None


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path, wording: Wording) -> None:
    said = inspect_file(tmp_path / "none.png")
    assert said.reason == RejectReason.UNREADABLE
    wording(said.detail)


def test_digests_are_of_what_is_in_a_file(tmp_path: Path) -> None:
    one, same, other = (written(tmp_path / name, film(seed)) for name, seed in (("a", 1), ("b", 1), ("c", 2)))
    assert inspect_file(one).digest == inspect_file(same).digest != inspect_file(other).digest
    assert same_bytes(one) == same_bytes(same) != same_bytes(other)
    assert same_bytes(tmp_path / "x") != same_bytes(tmp_path / "y")


@pytest.mark.shared
def test_every_real_film_is_one(shared: Path) -> None:
    films = [path for name in ("nih_cxr14", "hannover") for path in (shared / "data" / name).glob("*/*.*g")]
    assert len(films) == 807 + 843 + 12 + 183
    assert not [path for path in films if inspect_file(path).reason is not None]

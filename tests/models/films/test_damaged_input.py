"""Damaged files: truncated, cut and mended, with bytes changed: read rightly or refused with a sentence."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFile
from pydicom import uid

from models.radiograph import UnreadableRadiograph, read_radiograph
from tests.support.film_files import (
    PACKAGED,
    compressed_dicom,
    dicom_bytes,
    dicom_dataset,
    encapsulated_dicom,
    image_bytes,
    synthetic_film,
)

FILM = synthetic_film()
DEEP = FILM.astype(np.uint16) * 257
PNG, JPEG, TIFF = image_bytes(FILM, "PNG"), image_bytes(FILM, "JPEG"), image_bytes(FILM, "TIFF")
DICOM = dicom_bytes(dicom_dataset(DEEP))
PACKED = compressed_dicom(dicom_dataset(DEEP), uid.RLELossless)
SMALL_FILES = {
    "PNG": PNG,
    "JPEG": JPEG,
    "progressive JPEG": image_bytes(FILM, "JPEG", progressive=True),
    "TIFF": TIFF,
    "LZW TIFF": image_bytes(FILM, "TIFF", compression="tiff_lzw"),
    "DICOM": DICOM,
    "implicit DICOM": dicom_bytes(dicom_dataset(DEEP), uid.ImplicitVRLittleEndian),
    "bare DICOM": dicom_bytes(dicom_dataset(DEEP), preamble=False),
    "RLE DICOM": PACKED,
}


@pytest.mark.parametrize("data", SMALL_FILES.values(), ids=SMALL_FILES.keys())
@pytest.mark.parametrize("share", [0.02, 0.2, 0.5, 0.9, 0.97])
def test_a_truncated_file_is_refused(data: bytes, share: float) -> None:
    with pytest.raises(UnreadableRadiograph) as refusal:
        read_radiograph(data[: int(len(data) * share)])
    assert refusal.value.detail
    assert not ImageFile.LOAD_TRUNCATED_IMAGES


@pytest.mark.parametrize("name", ["RG1_UNCI", "RG1_J2KI", "RG3_UNCR", "RG3_J2KR"])
@pytest.mark.parametrize("share", [0.001, 0.5, 0.999])
def test_a_truncated_real_dicom_is_refused(name: str, share: float) -> None:
    data = (PACKAGED / f"{name}.dcm").read_bytes()
    with pytest.raises(UnreadableRadiograph, match="cut short|damaged"):
        read_radiograph(data[: int(len(data) * share)])


@pytest.mark.parametrize("way", [{}, {"progressive": True}, {"restart_marker_blocks": 4}])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("packed", [False, True])
def test_a_cut_jpeg_with_its_end_glued_on_is_refused(way: dict[str, object], share: float, packed: bool) -> None:
    whole = image_bytes(np.tile(FILM, (4, 4)), "JPEG", **way)
    start = whole.index(b"\xff\xda") + 14
    cut = whole[: start + int((len(whole) - start) * share)].rstrip(b"\xff") + b"\xff\xd9"

    def film(stream: bytes) -> bytes:
        return (
            encapsulated_dicom(dicom_dataset(np.tile(FILM, (4, 4))), uid.JPEGBaseline8Bit, stream) if packed else stream
        )

    assert read_radiograph(film(whole)).pixels.shape == (384, 320)
    with pytest.raises(UnreadableRadiograph, match="damaged"):
        read_radiograph(film(cut))


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("way", [{}, {"progressive": True}, {"restart_marker_blocks": 4}, {"subsampling": 0}])
def test_a_whole_jpeg_is_what_pillow_makes_of_it(mode: str, way: dict[str, object]) -> None:
    way = way | ({"subsampling": 0} if mode == "CMYK" else {})
    colors = Image.merge("RGB", [Image.fromarray(np.roll(FILM, shift, 0)) for shift in (0, 7, 13)]).convert(mode)
    data = image_bytes(colors, "JPEG", **way)
    with Image.open(BytesIO(data)) as image:
        expected = np.asarray(image.convert("RGB"))
    sums = expected.sum(axis=2, dtype=np.uint16).astype(np.float32) / np.float32(765)
    grey = expected[..., 0].astype(np.float32) / np.float32(255)
    np.testing.assert_array_equal(read_radiograph(data).pixels, grey if mode == "L" else sums)


MUTATIONS = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from(["set", "cut", "insert", "drop"]), st.binary(min_size=1, max_size=8)),
    min_size=1,
    max_size=4,
)


def mutated(data: bytes, mutations: list[tuple[float, str, bytes]]) -> bytes:
    for place, kind, patch in mutations:
        # Squared: most damage lands in the headers, where there is something to misread.
        at = int(place * place * len(data))
        after = {"set": at + len(patch), "cut": len(data), "insert": at, "drop": at + len(patch)}[kind]
        data = data[:at] + (patch if kind in ("set", "insert") else b"") + data[after:]
    return data


@pytest.mark.parametrize("data", SMALL_FILES.values(), ids=SMALL_FILES.keys())
@settings(derandomize=True, max_examples=100, database=None)
@given(mutations=MUTATIONS)
def test_damage_reads_or_is_refused_and_nothing_else(data: bytes, mutations: list[tuple[float, str, bytes]]) -> None:
    try:
        pixels = read_radiograph(mutated(data, mutations)).pixels
    except UnreadableRadiograph as refusal:
        assert refusal.title
        assert refusal.detail
    else:
        assert 0 <= pixels.min() < pixels.max() <= 1

"""DICOM: which objects and which pixel descriptions are refused, and why."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pydicom
import pytest
from pydicom import uid

from models.radiograph import read_radiograph
from tests.support.dicom_films import ramp, read, refusal
from tests.support.film_files import (
    PACKAGED,
    PYDICOM_FILES,
    dicom_bytes,
    dicom_dataset,
    encapsulated_dicom,
    image_bytes,
    synthetic_film,
)
from tests.support.wording import Wording


@pytest.mark.parametrize(
    ("folder", "name", "reason"),
    [
        (PYDICOM_FILES, "CT_small.dcm", "CT slice"),
        (PYDICOM_FILES, "MR_small.dcm", "MR image"),
        (PYDICOM_FILES, "examples_rgb_color.dcm", "ultrasound"),
        (PACKAGED, "JPEG-LL.dcm", "nuclear medicine"),
        (PACKAGED, "SC_rgb_2frame.dcm", "2 frames"),
        (PYDICOM_FILES, "reportsi.dcm", "structured report"),
        (PYDICOM_FILES, "liver_1frame.dcm", "segmentation"),
        (PYDICOM_FILES, "dicomdirtests/DICOMDIR", "DICOMDIR"),
        (PYDICOM_FILES, "no_meta_group_length.dcm", "no image"),
    ],
)
def test_other_objects_are_refused_with_the_reason(folder: Path, name: str, reason: str) -> None:
    assert reason in refusal(folder / name).title


@pytest.mark.parametrize("modality", ["CT", "MR", "US", "MG", "NM", "PT", "XA", "RF", "ES", "ZZZ"])
def test_other_modalities_are_refused(modality: str) -> None:
    reason = refusal(dicom_bytes(dicom_dataset(ramp(0, 4095), Modality=modality)))
    assert "not a radiograph" in reason.title
    assert "CR or DX" in reason.detail


@pytest.mark.parametrize("modality", ["CR", "DX", "RG", "OT", None])
def test_films_scanned_films_and_unnamed_images_are_read(modality: str | None) -> None:
    assert read(ramp(0, 4095), Modality=modality).source_kind == "dicom"


def test_jpeg_extended_is_refused_by_name(tmp_path: Path) -> None:
    dataset = pydicom.dcmread(PYDICOM_FILES / "JPGExtended.dcm")
    dataset.Modality = "CR"
    dataset.save_as(tmp_path / "film")
    reason = refusal(tmp_path / "film")
    assert "JPEG Extended" in reason.title
    assert "uncompressed" in reason.detail


@pytest.mark.parametrize("syntax", [b"1.2.840.10008.1.2.4.100", b"1.2.840.10008.9.9.9.999"])
def test_a_compression_without_decoder_is_refused_with_a_remedy(syntax: bytes) -> None:
    data = encapsulated_dicom(dicom_dataset(ramp(0, 4095)), "1.2.840.10008.1.2.4.100", bytes(64))
    reason = refusal(data.replace(b"1.2.840.10008.1.2.4.100", syntax))
    assert "uncompressed" in reason.detail


@pytest.mark.parametrize(
    ("attributes", "word"),
    [
        ({"Rows": None}, "small"),
        ({"Rows": 20000, "Columns": 20000}, "large"),
        ({"BitsAllocated": 1, "BitsStored": 1}, "1-bit"),
        ({"BitsStored": 40}, "not fit a film"),
        ({"HighBit": 7}, "not fit a film"),
        ({"BitsAllocated": None}, "not fit a film"),
        ({"PhotometricInterpretation": "CMYK"}, "not fit a film"),
        ({"SamplesPerPixel": 4}, "not fit a film"),
        ({"NumberOfFrames": 3}, "3 frames"),
        ({"Columns": 128}, "cut short"),
    ],
)
def test_impossible_pixel_descriptions(attributes: dict[str, object], word: str) -> None:
    assert word in refusal(dicom_bytes(dicom_dataset(ramp(0, 4095), **attributes))).title


@pytest.mark.parametrize(
    ("attributes", "sentence"),
    [
        ({"HighBit": 7}, "High Bit (0028,0102) is 7"),
        (
            {"BitsStored": 40},
            "Bits Stored (0028,0101) is 40",
        ),
        ({"BitsStored": None}, "Bits Stored (0028,0101) is missing"),
        ({"BitsAllocated": None}, "Bits Allocated (0028,0100) is missing"),
        ({"BitsAllocated": 12}, "Bits Allocated (0028,0100) is 12"),
        ({"SamplesPerPixel": 4}, "Samples per Pixel (0028,0002) is 4"),
        (
            {"PhotometricInterpretation": None},
            "Photometric Interpretation (0028,0004) is missing",
        ),
        (
            {"PhotometricInterpretation": "CMYK"},
            "Photometric Interpretation (0028,0004) is CMYK",
        ),
        (
            {"PhotometricInterpretation": "ANNA"},
            "Photometric Interpretation (0028,0004) has",
        ),
        (
            {"SamplesPerPixel": 3},
            "(0028,0004) is MONOCHROME2",
        ),
        (
            {"SamplesPerPixel": 3, "PhotometricInterpretation": "RGB", "PlanarConfiguration": 2},
            "Planar Configuration (0028,0006) is 2",
        ),
        ({"Rows": None}, "Rows (0028,0010) is missing"),
        ({"Columns": 128}, "8192 bytes; 64 rows"),
        ({"Rows": [64] * 9}, "Rows (0028,0010) holds 9 numbers"),
        (
            {"PhotometricInterpretation": "PALETTE COLOR"},
            "Descriptor (0028,1101) should hold",
        ),
    ],
)
def test_a_fault_names_its_element_what_it_holds_and_what_would_be_right(
    attributes: dict[str, object], sentence: str, wording: Wording
) -> None:
    wording(refusal(dicom_bytes(dicom_dataset(ramp(0, 4095), **attributes))).detail, sentence)


def test_plain_and_compressed_pixels_that_are_called_the_other_way_round(wording: Wording) -> None:
    plain = dicom_bytes(dicom_dataset(ramp(0, 4095)))
    assert plain.count(b"1.2.840.10008.1.2.1\0") == 1
    reason = refusal(plain.replace(b"1.2.840.10008.1.2.1\0", b"1.2.840.10008.1.2.5\0"))
    wording(reason.title, "packed")
    wording(reason.detail, "Transfer Syntax UID (0002,0010)", "compressed", "Pixel Data")
    fragments = encapsulated_dicom(dicom_dataset(ramp(0, 4095)), uid.RLELossless, bytes(64))
    other = fragments.replace(b"1.2.840.10008.1.2.5\0", b"1.2.840.10008.1.2.1\0")
    wording(refusal(other).detail, "Transfer Syntax UID (0002,0010)", "plain", "Pixel")


@pytest.mark.parametrize("syntax", [uid.JPEG2000, uid.JPEGBaseline8Bit])
def test_a_stream_that_contradicts_its_header_is_refused(syntax: str) -> None:
    picture = synthetic_film(200, 200)
    frame = image_bytes(picture, "JPEG2000", no_jp2=True) if syntax == uid.JPEG2000 else image_bytes(picture, "JPEG")
    reason = refusal(encapsulated_dicom(dicom_dataset(synthetic_film()), syntax, frame))
    assert "contradicts" in reason.title
    assert "96 rows, 80 columns, 1 samples" in reason.detail and "image says 200, 200 and 1." in reason.detail
    twin = dicom_dataset(picture, WindowCenter=128, WindowWidth=256)
    pixels = read_radiograph(encapsulated_dicom(twin, syntax, frame)).pixels
    assert np.abs(pixels - picture / 255).mean() < 0.02


def test_a_blank_film_is_refused() -> None:
    assert "blank" in refusal(dicom_bytes(dicom_dataset(np.full((64, 64), 7, np.uint16)))).title

"""DICOM: how values are stored and compressed, and what else the header says: view, spacing, body part."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pydicom
import pytest
from pydicom import config, uid
from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset

from models.radiograph import read_radiograph
from tests.support.dicom_films import ramp, read, refusal
from tests.support.film_files import (
    PACKAGED,
    PYDICOM_FILES,
    compressed_dicom,
    dicom_bytes,
    dicom_dataset,
    encapsulated_dicom,
    image_bytes,
    synthetic_film,
)


def test_signed_values_and_unused_bits() -> None:
    film = read(ramp(-2048, 2047, np.int16), BitsStored=12, HighBit=11, WindowCenter=0, WindowWidth=4096)
    np.testing.assert_allclose(film.pixels, ramp(0, 4095) / 4095, atol=1e-6)
    assert {"signed values", "12 bits stored in 16"} <= set(film.notes)


def test_32_bit_values() -> None:
    film = read(ramp(0, 1 << 20, np.uint32), WindowCenter=1 << 19, WindowWidth=1 << 20)
    np.testing.assert_allclose(film.pixels, ramp(0, 1 << 20, np.uint32) / (1 << 20), atol=1e-4)


@pytest.mark.parametrize("preamble", [True, False])
@pytest.mark.parametrize("syntax", [uid.ImplicitVRLittleEndian, uid.ExplicitVRLittleEndian, uid.ExplicitVRBigEndian])
@pytest.mark.parametrize("bits", [8, 16])
def test_encodings_with_and_without_preamble(syntax: str, preamble: bool, bits: int) -> None:
    film = synthetic_film(97, 81)
    stored = film if bits == 8 else film.astype(np.uint16) * 257
    data = stored.astype(">u2") if syntax == uid.ExplicitVRBigEndian and bits == 16 else stored
    dataset = dicom_dataset(stored)
    dataset.PixelData = data.tobytes() + bytes(data.nbytes % 2)
    if bits == 8 and syntax != uid.ExplicitVRLittleEndian:
        dataset["PixelData"].VR = "OB" if syntax == uid.ExplicitVRBigEndian else "OW"
    pixels = read_radiograph(dicom_bytes(dataset, syntax, preamble=preamble)).pixels
    assert np.abs(pixels - film / 255).max() <= 1.01 / 255


@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("kind", ["RLE", "JPEG 2000", "color RLE"])
def test_lossless_compression_changes_nothing(kind: str, bits: int) -> None:
    stored = synthetic_film() if bits == 8 else synthetic_film().astype(np.uint16) * 257
    if kind == "color RLE":
        stored = np.stack([stored, stored // 2, stored // 3], axis=-1)
    if kind == "JPEG 2000":
        frame = image_bytes(stored, "JPEG2000", no_jp2=True)
        packed = encapsulated_dicom(dicom_dataset(stored), uid.JPEG2000Lossless, frame)
    else:
        packed = compressed_dicom(dicom_dataset(stored), uid.RLELossless)
    np.testing.assert_array_equal(read(stored).pixels, read_radiograph(packed).pixels)


@pytest.mark.parametrize("twin", ["RG1_J2KR", "RG1_J2KI"])
def test_the_real_chest_reads_alike_from_jpeg_2000(twin: str) -> None:
    packed = read_radiograph(PACKAGED / f"{twin}.dcm")
    plain = read_radiograph(PACKAGED / ("RG1_UNCR.dcm" if twin == "RG1_J2KR" else "RG1_UNCI.dcm"))
    np.testing.assert_array_equal(packed.pixels, plain.pixels)


@pytest.mark.parametrize(
    ("folder", "name"),
    [(PYDICOM_FILES, "MR_small_jpeg_ls_lossless.dcm"), (PYDICOM_FILES, "MR_small_jp2klossless.dcm")]
    + [(PYDICOM_FILES, "MR_small_RLE.dcm"), (PACKAGED, "JPEG-LL.dcm"), (PYDICOM_FILES, "JPEG2000.dcm")],
)
def test_every_installed_decoder_reads_a_real_file(folder: Path, name: str, tmp_path: Path) -> None:
    dataset = pydicom.dcmread(folder / name)
    dataset.Modality = "DX"
    dataset.save_as(tmp_path / name)
    assert read_radiograph(tmp_path / name).pixels.std() > 0.05


def test_a_deflated_file_reads() -> None:
    assert read_radiograph(PYDICOM_FILES / "image_dfl.dcm").pixels.shape == (512, 512)


def test_color_is_read_as_grey_and_remembered() -> None:
    grey = read(np.stack([synthetic_film()] * 3, axis=-1))
    assert grey.colorfulness == 0
    assert np.abs(grey.pixels - synthetic_film() / 255).max() < 1e-6
    tinted = read(np.stack([synthetic_film(), np.zeros_like(synthetic_film()), synthetic_film()], axis=-1))
    assert tinted.colorfulness == pytest.approx(float(synthetic_film().mean()) / 255, abs=0.01)
    assert read_radiograph(PYDICOM_FILES / "SC_rgb_jpeg_dcmtk.dcm").colorfulness > 0.4
    assert read_radiograph(PACKAGED / "OT-PAL-8-face.dcm").colorfulness > 0.2


@pytest.mark.parametrize(
    ("position", "view"),
    [("PA", "PA"), ("AP", "AP"), ("LL", "lateral"), ("RL", "lateral"), ("LATERAL", "lateral"), ("LLO", "unknown")]
    + [("LLD", "unknown"), (None, "unknown")],
)
def test_view_position(position: str | None, view: str) -> None:
    assert read(ramp(0, 4095), ViewPosition=position).view == view


@pytest.mark.parametrize(
    ("code", "view"),
    [("272479007", "PA"), ("R-10214", "PA"), ("R-10206", "AP"), ("399173006", "lateral"), ("1", "unknown")],
)
@pytest.mark.parametrize("undefined", [True, False])
def test_view_code(code: str, view: str, undefined: bool) -> None:
    item = Dataset()
    item.CodeValue, item.CodingSchemeDesignator, item.CodeMeaning = code, "SCT", "a view"
    dataset = dicom_dataset(ramp(0, 4095), ViewCodeSequence=[item])
    dataset["ViewCodeSequence"].is_undefined_length = undefined
    item.is_undefined_length_sequence_item = undefined
    assert read_radiograph(dicom_bytes(dataset)).view == view


@pytest.mark.parametrize(
    ("attributes", "spacing", "place"),
    [
        ({"ImagerPixelSpacing": [0.14, 0.141]}, (0.14, 0.141), "detector"),
        ({"ImagerPixelSpacing": [0.14, 0.14], "PixelSpacing": [0.12, 0.12]}, (0.14, 0.14), "detector"),
        ({"PixelSpacing": [0.12, 0.12], "PixelSpacingCalibrationType": "GEOMETRY"}, (0.12, 0.12), "patient"),
        ({"PixelSpacing": [0.12, 0.12]}, (0.12, 0.12), "patient"),
        ({"PixelSpacing": [0, 0]}, None, None),
        ({"PixelSpacing": [900, 900]}, None, None),
        ({}, None, None),
    ],
)
def test_spacing(attributes: dict[str, object], spacing: tuple[float, float] | None, place: str | None) -> None:
    film = read(ramp(0, 4095), **attributes)
    assert (film.spacing_mm, film.spacing_at) == (spacing, place)
    doubtful = spacing == (0.12, 0.12) and "PixelSpacingCalibrationType" not in attributes
    assert any("calibration" in note for note in film.notes) == doubtful


@pytest.mark.parametrize(
    ("part", "kept"),
    [("Chest", "CHEST"), ("T SPINE", "T SPINE"), ("ANNA^BERTHA", None), ("<B>", None), ("A" * 40, None)],
)
def test_body_part_is_a_code_or_nothing(part: str, kept: str | None) -> None:
    dataset = dicom_dataset(ramp(0, 4095))
    dataset.add(DataElement("BodyPartExamined", "CS", part, validation_mode=config.IGNORE))
    assert read_radiograph(dicom_bytes(dataset)).body_part == kept


def test_no_patient_in_films_exceptions_or_logs(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "Roentgen"
    dataset = dicom_dataset(ramp(0, 4095), StudyDescription=secret, SpecificCharacterSet="ISO_IR 100")
    for keyword in ("ViewPosition", "VOILUTFunction", "PresentationLUTShape", "BodyPartExamined"):
        dataset.add(DataElement(keyword, "CS", f"{secret}^Anna", validation_mode=config.IGNORE))
    film = read_radiograph(dicom_bytes(dataset))
    said = [repr(film), caplog.text]
    for keyword in ("Modality", "PhotometricInterpretation"):
        broken = dicom_dataset(ramp(0, 4095))
        broken[keyword] = DataElement(keyword, "CS", f"{secret}^Anna", validation_mode=config.IGNORE)
        said.append(str(refusal(dicom_bytes(broken))))
    damaged = encapsulated_dicom(dicom_dataset(ramp(0, 4095)), uid.RLELossless, bytes(100))
    said.append(str(refusal(damaged)))
    assert not [text for text in said if secret.lower() in text.lower()]


def test_an_unknown_character_set_does_not_matter() -> None:
    data = dicom_bytes(dicom_dataset(ramp(0, 4095)))
    at = data.index(b"\x08\0\x16\0UI")
    odd = data[:at] + b"\x08\0\x05\0CS\x08\0KLINGON " + data[at:]
    np.testing.assert_array_equal(read_radiograph(odd).pixels, read_radiograph(data).pixels)

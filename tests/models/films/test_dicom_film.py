"""DICOM: the grey scale pipeline, polarity, padding, spacing, view, and what is refused."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pydicom
import pytest
from numpy.typing import NDArray
from pydicom import config, uid
from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from models.radiograph import Radiograph, UnreadableRadiograph, read_radiograph
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


def ramp(low: int, high: int, kind: type[Any] = np.uint16) -> NDArray[Any]:
    """Every value from `low` to `high` (64, 64)."""
    return np.linspace(low, high, 64 * 64).round().astype(kind).reshape(64, 64)


def read(stored: NDArray[Any], **attributes: object) -> Radiograph:
    return read_radiograph(dicom_bytes(dicom_dataset(stored, **attributes)))


def refusal(data: bytes | Path) -> UnreadableRadiograph:
    with pytest.raises(UnreadableRadiograph) as caught:
        read_radiograph(data)
    return caught.value


# --- modality, VOI, polarity


@pytest.mark.parametrize("function", [None, "LINEAR", "LINEAR_EXACT", "SIGMOID"])
def test_windows_follow_the_standard(function: str | None) -> None:
    x = ramp(0, 4095).astype(np.float64)
    center, width = 2000.0, 1000.0
    expected = {
        "LINEAR_EXACT": np.clip((x - center) / width + 0.5, 0, 1),
        "SIGMOID": 1 / (1 + np.exp(-4 * (x - center) / width)),
    }.get(function or "", np.clip((x - (center - 0.5)) / (width - 1) + 0.5, 0, 1))
    film = read(ramp(0, 4095), WindowCenter=center, WindowWidth=width, VOILUTFunction=function)
    np.testing.assert_allclose(film.pixels, expected, atol=1e-6)


def test_the_first_of_several_windows_is_used() -> None:
    one = read(ramp(0, 4095), WindowCenter=1000, WindowWidth=1000)
    several = read(ramp(0, 4095), WindowCenter=[1000, 3000], WindowWidth=[1000, 100])
    np.testing.assert_array_equal(one.pixels, several.pixels)
    assert any("first of 2 windows" in note for note in several.notes)


def test_the_window_counts_rescaled_values() -> None:
    film = read(ramp(0, 1000), RescaleSlope=2, RescaleIntercept=-1000, WindowCenter=0.5, WindowWidth=2001)
    np.testing.assert_allclose(film.pixels, ramp(0, 1000) / 1000, atol=1e-6)


def lut(entries: list[int], first: int, bits: int = 16) -> Sequence:
    item = Dataset()
    item.LUTDescriptor = [len(entries), first, bits]
    item["LUTDescriptor"].VR = "US" if first >= 0 else "SS"
    item.add(DataElement("LUTData", "OW", np.array(entries, "<u2").tobytes()))
    return Sequence([item])


def test_a_voi_lut_goes_before_windows() -> None:
    table = [0] * 100 + list(range(0, 65536, 66)) + [65535] * 100
    film = read(ramp(0, 1300), VOILUTSequence=lut(table, 50), WindowCenter=10, WindowWidth=900)
    x = np.clip(ramp(0, 1300).astype(int) - 50, 0, len(table) - 1)
    np.testing.assert_allclose(film.pixels, np.array(table)[x] / 65535, atol=1e-6)
    assert "VOI LUT applied" in film.notes


def test_a_modality_lut_goes_before_the_window() -> None:
    table = [value * value for value in range(200)]
    film = read(ramp(-100, 99, np.int16), ModalityLUTSequence=lut(table, -100), WindowCenter=19801, WindowWidth=39602)
    x = (ramp(-100, 99, np.int16).astype(int) + 100) ** 2
    np.testing.assert_allclose(film.pixels, x / 39601, atol=1e-4)


@pytest.mark.parametrize("name", ["mlut_18.dcm", "vlut_04.dcm"])
def test_real_luts_agree_with_pydicom(name: str) -> None:
    dataset = pydicom.dcmread(PACKAGED / name)
    shown = pydicom.pixels.apply_voi_lut(pydicom.pixels.apply_modality_lut(dataset.pixel_array, dataset), dataset)
    ours = read_radiograph(PACKAGED / name).pixels
    assert np.corrcoef(shown.ravel(), ours.ravel())[0, 1] > 0.999


@pytest.mark.parametrize("shape", [None, "IDENTITY", "INVERSE"])
@pytest.mark.parametrize("photometric", ["MONOCHROME1", "MONOCHROME2"])
def test_polarity_is_inverted_at_most_once_and_after_voi(photometric: str, shape: str | None) -> None:
    film = read(
        ramp(0, 4095),
        PhotometricInterpretation=photometric,
        PresentationLUTShape=shape,
        WindowCenter=500,
        WindowWidth=800,
    )
    inverted = photometric == "MONOCHROME1" or shape == "INVERSE"
    assert film.pixels[0, 0] == (1 if inverted else 0)
    assert film.pixels[-1, -1] == (0 if inverted else 1)
    assert film.pixels.mean() == pytest.approx(0.122 if inverted else 0.878, abs=0.01)  # the window was not moved
    assert any("inverted" in note for note in film.notes) == inverted


@pytest.mark.parametrize(
    "window",
    [
        {"WindowCenter": None, "WindowWidth": None},
        {"WindowCenter": 2000, "WindowWidth": 0},
        {"WindowCenter": 2000, "WindowWidth": -5},
        {"WindowCenter": 60000, "WindowWidth": 10},
        {"WindowCenter": 2000, "WindowWidth": 4_000_000},
    ],
    ids=["missing", "zero", "negative", "all black", "flat grey"],
)
def test_without_a_usable_window_percentiles_are_taken(window: dict[str, object]) -> None:
    film = read(ramp(1000, 3000), **window)
    assert film.pixels.min() == 0
    assert film.pixels.max() == 1
    assert np.median(film.pixels) == pytest.approx(0.5, abs=0.01)
    assert any("percentiles" in note for note in film.notes)


def test_percentiles_shrug_off_a_few_hot_pixels() -> None:
    stored = ramp(1000, 2000)
    stored[0, :2] = 65535
    film = read(stored, WindowCenter=None, WindowWidth=None)
    assert np.median(film.pixels) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("photometric", ["MONOCHROME1", "MONOCHROME2"])
@pytest.mark.parametrize(("padding", "limit"), [(0, None), (65535, None), (65530, 65535)])
def test_padding_is_air_and_does_not_count(photometric: str, padding: int, limit: int | None) -> None:
    stored = ramp(1000, 3000)
    stored[:, :16] = padding
    film = read(
        stored,
        PhotometricInterpretation=photometric,
        PixelPaddingValue=padding,
        PixelPaddingRangeLimit=limit,
        WindowCenter=None,
        WindowWidth=None,
    )
    assert (film.pixels[:, :16] == 0).all()
    assert np.median(film.pixels[:, 16:]) == pytest.approx(0.5, abs=0.02)


# --- how values are stored


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


# --- what else the header says


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
        ({"ImagerPixelSpacing": [0.14, 0.15]}, (0.14, 0.15), "detector"),
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


# --- refusals


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
        ({"BitsStored": 40}, "no film"),
        ({"HighBit": 7}, "no film"),
        ({"BitsAllocated": None}, "no film"),
        ({"PhotometricInterpretation": "CMYK"}, "no film"),
        ({"SamplesPerPixel": 4}, "no film"),
        ({"NumberOfFrames": 3}, "3 frames"),
        ({"Columns": 128}, "cut short"),
    ],
)
def test_impossible_pixel_descriptions(attributes: dict[str, object], word: str) -> None:
    assert word in refusal(dicom_bytes(dicom_dataset(ramp(0, 4095), **attributes))).title


@pytest.mark.parametrize("syntax", [uid.JPEG2000, uid.JPEGBaseline8Bit])
def test_a_stream_that_contradicts_its_header_is_refused(syntax: str) -> None:
    picture = synthetic_film(200, 200)
    frame = image_bytes(picture, "JPEG2000", no_jp2=True) if syntax == uid.JPEG2000 else image_bytes(picture, "JPEG")
    assert "contradicts" in refusal(encapsulated_dicom(dicom_dataset(synthetic_film()), syntax, frame)).title
    twin = dicom_dataset(picture, WindowCenter=128, WindowWidth=256)
    pixels = read_radiograph(encapsulated_dicom(twin, syntax, frame)).pixels
    assert np.abs(pixels - picture / 255).mean() < 0.02


def test_a_blank_film_is_refused() -> None:
    assert "blank" in refusal(dicom_bytes(dicom_dataset(np.full((64, 64), 7, np.uint16)))).title

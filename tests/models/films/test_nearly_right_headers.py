"""DICOM: header values that are nearly right are understood, and notes say what was done and nothing that is not so."""

from __future__ import annotations

import numpy as np
import pytest
from pydicom import config, uid
from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from models.radiograph import Radiograph, UnreadableRadiograph, read_radiograph
from tests.support.dicom_films import ramp, read
from tests.support.film_files import dicom_bytes, dicom_dataset
from tests.support.wording import Wording, line_with

STRETCHED = "scaled between percentiles 0.1 and 99.9"


def film_with(**texts: str) -> Radiograph:
    """A film with the values 0 to 4095 and these decimal strings, which pydicom would not write."""
    marks = {keyword: f"{1000 + place:016d}" for place, keyword in enumerate(texts)}
    dataset = dicom_dataset(ramp(0, 4095), **dict.fromkeys(texts))
    for keyword, mark in marks.items():
        dataset.add(DataElement(keyword, "DS", mark))
    data = dicom_bytes(dataset)
    for keyword, mark in marks.items():
        data = data.replace(mark.encode(), texts[keyword].encode().ljust(16))
    return read_radiograph(data)


@pytest.mark.parametrize(
    ("center", "width"),
    [
        ("1500.5", "1200"),
        ("1500,5", "1200,0"),
        ("1500.5\\", "1200\\"),
        ("1500.5\\x", "1200\\y"),
        ("x\\1500.5", "2\\1200"),
        (" 1.5005E3", "+1200 "),
    ],
)
def test_windows_that_are_nearly_right_are_applied(center: str, width: str, wording: Wording) -> None:
    film = film_with(WindowCenter=center, WindowWidth=width)
    plain = read(ramp(0, 4095), WindowCenter="1500.5", WindowWidth="1200")
    np.testing.assert_allclose(film.pixels, plain.pixels, atol=1e-6)
    wording(line_with(film.notes, "1500.5", "1200", "LINEAR"))


@pytest.mark.parametrize("vr", ["FD", "FL", "US", "SS"])
def test_windows_in_binary_are_applied(vr: str, wording: Wording) -> None:
    dataset = dicom_dataset(ramp(0, 4095), WindowCenter=None, WindowWidth=None)
    dataset.add(DataElement("WindowCenter", vr, 1500))
    dataset.add(DataElement("WindowWidth", vr, 1200))
    wording(line_with(read_radiograph(dicom_bytes(dataset)).notes, "1500", "1200", "LINEAR"))


@pytest.mark.parametrize(
    ("written", "function"),
    [("sigmoid", "SIGMOID"), ("SIGMOIDAL", "SIGMOID"), ("LINEAR EXACT", "LINEAR_EXACT"), ("linear", "LINEAR")]
    + [("LINEAREXACT", "LINEAR_EXACT"), ("LOG", "LINEAR, because the function is unknown")],
)
def test_functions_that_are_nearly_right_are_applied(written: str, function: str) -> None:
    dataset = dicom_dataset(ramp(0, 4095), WindowCenter=2000, WindowWidth=1000)
    dataset.add(DataElement("VOILUTFunction", "CS", written, validation_mode=config.IGNORE))
    film = read_radiograph(dicom_bytes(dataset))
    assert f"window applied: center 2000, width 1000, {function}" in film.notes
    plain = read(ramp(0, 4095), WindowCenter=2000, WindowWidth=1000, VOILUTFunction=function.partition(",")[0])
    np.testing.assert_allclose(film.pixels, plain.pixels, atol=1e-6)


def test_a_window_below_one_is_exact() -> None:
    film = read(ramp(0, 1000), RescaleSlope="0.001", RescaleIntercept="0", WindowCenter="0.5", WindowWidth="0.8")
    np.testing.assert_allclose(film.pixels, np.clip((ramp(0, 1000) / 1000 - 0.1) / 0.8, 0, 1), atol=1e-5)


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"WindowCenter": None, "WindowWidth": None}, "no window in the file"),
        ({"WindowCenter": None}, "the file's window has no center"),
        ({"WindowWidth": None}, "the file's window has no width"),
        ({"WindowWidth": 0}, "the file's window has the width 0"),
        ({"WindowCenter": 60000, "WindowWidth": 10}, "shows nothing (center 60000, width 10, LINEAR)"),
    ],
)
def test_a_note_says_why_percentiles_were_taken(attributes: dict[str, object], said: str) -> None:
    notes = [note for note in read(ramp(0, 4095), **attributes).notes if "percentiles" in note]
    assert len(notes) == 1 and f"{said}: {STRETCHED}" in notes[0]


def test_a_window_without_numbers_is_there_all_the_same(wording: Wording) -> None:
    notes = film_with(WindowCenter="middle", WindowWidth="wide").notes
    wording(line_with(notes, STRETCHED))


def lut(entries: list[int], descriptor: list[int], vr: str = "US") -> Sequence:
    item = Dataset()
    item.add(DataElement("LUTDescriptor", vr, descriptor))
    item.add(DataElement("LUTData", "OW", np.array(entries, "<u2").tobytes()))
    return Sequence([item])


def test_a_voi_lut_that_cannot_be_used_is_said(wording: Wording) -> None:
    damaged = lut(list(range(1000)), [4000, 0, 16])
    film = read(ramp(0, 4095), VOILUTSequence=damaged, WindowCenter=2048, WindowWidth=4096)
    wording(line_with(film.notes, "VOI LUT", "2048", "4096", "LINEAR"))
    beside = lut([0, 1, 65535], [3, 9000, 16])
    film = read(ramp(0, 4095), VOILUTSequence=beside, WindowCenter=None, WindowWidth=None)
    wording(line_with(film.notes, "VOI LUT", STRETCHED))
    short = read(ramp(0, 4095), VOILUTSequence=lut(list(range(4095)), [4096, 0, 16]))
    assert "VOI LUT applied" in short.notes, "one entry too few is no damage"


@pytest.mark.parametrize("syntax", [uid.ImplicitVRLittleEndian, uid.ExplicitVRLittleEndian])
@pytest.mark.parametrize(("vr", "first"), [("US", 64512), ("SS", -1024)])
@pytest.mark.parametrize("kind", ["VOILUTSequence", "ModalityLUTSequence"])
def test_the_first_value_of_a_lut_may_be_negative_whatever_its_element_says(
    syntax: str, vr: str, first: int, kind: str
) -> None:
    table = np.round(65535 * np.linspace(0, 1, 4096) ** 2).astype(int)
    attributes: dict[str, object] = {kind: lut(list(table), [4096, first, 16], vr)}
    if kind == "VOILUTSequence":
        stored = ramp(1200, 3700)  # no value is below 0 once it is rescaled
        attributes["RescaleIntercept"] = "-1024"
        places = stored.astype(int)
    else:
        stored = ramp(-1000, 3000, np.int16)
        attributes |= {"WindowCenter": 32768, "WindowWidth": 65536}
        places = stored.astype(int) + 1024
    film = read_radiograph(dicom_bytes(dicom_dataset(stored, **attributes), syntax))
    np.testing.assert_allclose(film.pixels, table[places] / 65535, atol=1e-4)


def test_a_rescale_without_numbers_is_said(wording: Wording) -> None:
    notes = film_with(RescaleSlope="one", RescaleIntercept="0,0").notes
    wording(line_with(notes, "1"))
    assert not any("intercept" in note for note in notes)


@pytest.mark.parametrize(("vr", "padding"), [("US", 63536), ("SS", -2000)])
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("bits", [12, 16])
def test_padding_is_found_whatever_sign_its_element_has(vr: str, padding: int, signed: bool, bits: int) -> None:
    stored = ramp(100, 2000)
    stored[:, :16] = 63536  # which is -2000, and more than 12 bits hold
    values = stored.view(np.int16) if signed else stored
    usual = {"BitsStored": bits, "HighBit": bits - 1, "WindowCenter": 1050, "WindowWidth": 1901}
    dataset = dicom_dataset(values, **usual)
    dataset.add(DataElement("PixelPaddingValue", vr, padding))
    film = read_radiograph(dicom_bytes(dataset))
    assert (film.pixels[:, :16] == 0).all()
    assert film.pixels[-1, -1] == 1
    assert "padding shown as air" in film.notes
    assert not [note for note in film.notes if "beyond" in note]


@pytest.mark.parametrize("written", ["monochrome2", "MONOCHROME 2", "Monochrome1"])
def test_photometric_interpretations_that_are_nearly_right(written: str) -> None:
    dataset = dicom_dataset(ramp(0, 4095), WindowCenter=2048, WindowWidth=4096)
    dataset["PhotometricInterpretation"] = DataElement(
        "PhotometricInterpretation", "CS", written, validation_mode=config.IGNORE
    )
    assert read_radiograph(dicom_bytes(dataset)).pixels[0, 0] == ("1" in written)


@pytest.mark.parametrize("keyword", ["Rows", "Columns", "BitsStored", "SamplesPerPixel"])
@pytest.mark.parametrize("vr", ["IS", "DS", "UL", "FD", "SL"])
def test_whole_numbers_of_another_kind_are_understood(keyword: str, vr: str) -> None:
    dataset = dicom_dataset(ramp(0, 4095))
    plain = read_radiograph(dicom_bytes(dataset))
    dataset.add(DataElement(keyword, vr, dataset[keyword].value))
    np.testing.assert_array_equal(read_radiograph(dicom_bytes(dataset)).pixels, plain.pixels)


def test_rows_as_text_are_understood_where_the_file_names_no_kinds() -> None:
    dataset = dicom_dataset(np.tile(ramp(0, 4095), (200, 1))[:128])
    plain = read_radiograph(dicom_bytes(dataset))
    dataset.add(DataElement("Rows", "IS", 128))
    film = read_radiograph(dicom_bytes(dataset, syntax=uid.ImplicitVRLittleEndian))
    np.testing.assert_array_equal(film.pixels, plain.pixels)


def test_rows_that_are_no_number_are_named(wording: Wording) -> None:
    dataset = dicom_dataset(ramp(0, 4095))
    dataset.add(DataElement("Rows", "LO", "many"))
    with pytest.raises(UnreadableRadiograph) as caught:
        read_radiograph(dicom_bytes(dataset))
    wording(caught.value, "Rows (0028,0010)")


@pytest.mark.parametrize("vr", ["UL", "SL", "FD", "IS"])
def test_padding_of_another_kind_is_found(vr: str) -> None:
    pixels = ramp(1000, 2000)
    pixels[:20] = 4000
    plain = read_radiograph(dicom_bytes(dicom_dataset(pixels, PixelPaddingValue=4000)))
    dataset = dicom_dataset(pixels)
    dataset.add(DataElement("PixelPaddingValue", vr, 4000))
    film = read_radiograph(dicom_bytes(dataset))
    np.testing.assert_array_equal(film.pixels, plain.pixels)
    assert "padding shown as air" in film.notes

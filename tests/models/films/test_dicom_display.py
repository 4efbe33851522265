"""DICOM: the gray scale pipeline: modality and VOI transformations, polarity, padding."""

from __future__ import annotations

import numpy as np
import pydicom
import pytest
from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from models.radiograph import read_radiograph
from tests.support.dicom_films import ramp, read
from tests.support.film_files import (
    PACKAGED,
)


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
    ids=["missing", "zero", "negative", "all black", "flat gray"],
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

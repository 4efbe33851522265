"""A copy without the patient has the same pixels and facts, and no other value of the header, however it is written."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from pydicom.dataset import Dataset
from pydicom.uid import (
    DeflatedExplicitVRLittleEndian,
    ExplicitVRBigEndian,
    ExplicitVRLittleEndian,
    ImplicitVRLittleEndian,
    JPEG2000Lossless,
    RLELossless,
)

from models.films.without_patient import strip_patient_data
from models.radiograph import Radiograph, read_radiograph
from tests.support.dicom_films import ramp
from tests.support.film_files import compressed_dicom, dicom_bytes, dicom_dataset, image_bytes, synthetic_film

NAMES = (b"Doe^Jane", b"SECRET-ID", b"St. Elsewhere", b"19700101", b"9.8.7.6")


def film() -> Dataset:
    dataset = dicom_dataset(ramp(0, 4095), BitsStored=12, HighBit=11)
    dataset.PatientName, dataset.PatientID, dataset.PatientBirthDate = "Doe^Jane", "SECRET-ID", "19700101"
    dataset.InstitutionName, dataset.StudyInstanceUID, dataset.SOPInstanceUID = "St. Elsewhere", "9.8.7.6", "9.8.7.6"
    dataset.ViewPosition, dataset.WindowCenter, dataset.WindowWidth = "PA", "2000", "3000"
    dataset.ImagerPixelSpacing = [0.2, 0.2]
    code = Dataset()
    code.CodeValue = "R-10206"
    dataset.ViewCodeSequence = [code]
    dataset.add_new(0x00091001, "LO", "SECRET-ID")
    dataset.add_new(0x7FE10010, "LO", "Doe^Jane")  # after the pixels
    return dataset


PLAIN = (ExplicitVRLittleEndian, ImplicitVRLittleEndian, ExplicitVRBigEndian, DeflatedExplicitVRLittleEndian)


@pytest.mark.parametrize("syntax", [*PLAIN, RLELossless, JPEG2000Lossless])
def test_the_pixels_stay_and_the_patient_goes(syntax: str) -> None:
    data = dicom_bytes(film(), syntax) if syntax in PLAIN else compressed_dicom(film(), syntax)
    copy = strip_patient_data(data)
    assert not [name for name in NAMES if name in copy]
    before, after = read_radiograph(data), read_radiograph(copy)
    assert np.array_equal(before.pixels, after.pixels)
    for name in {each.name for each in fields(Radiograph)} - {"pixels", "sha256", "study"}:
        assert getattr(after, name) == getattr(before, name), name
    assert before.study is not None and after.study is None
    assert strip_patient_data(copy) == copy


def test_without_a_preamble_too() -> None:
    data = dicom_bytes(film(), ImplicitVRLittleEndian, preamble=False)
    copy = strip_patient_data(data)
    assert np.array_equal(read_radiograph(copy).pixels, read_radiograph(data).pixels) and b"Doe" not in copy


def test_a_png_is_as_it_was() -> None:
    data = image_bytes(synthetic_film(), "png")
    assert strip_patient_data(data) == data

"""Nothing of an uploaded file comes out again: a DICOM full of secrets, in every element that may hold one."""

from __future__ import annotations

import hashlib
import io
import zipfile

import numpy as np
import pytest
from pydicom import dcmread
from pydicom.datadict import dictionary_VR
from pydicom.dataset import Dataset

from explorer.analysis.exports.dicom.files import dicom_zip
from explorer.analysis.exports.dicom.identity import export_identity
from explorer.analysis.exports.dicom.plate import Window
from models.radiograph import read_radiograph
from tests.explorer.analysis.exports.dicom.made_up import heat, made
from tests.support.film_files import dicom_bytes, dicom_dataset, synthetic_film

KEYWORDS = (
    "PatientBirthDate PatientSex PatientAge PatientAddress OtherPatientIDs PatientComments MedicalAlerts Allergies "
    "AccessionNumber StudyID StudyDate StudyTime SeriesDate AcquisitionDate ContentDate StudyInstanceUID "
    "SeriesInstanceUID FrameOfReferenceUID InstitutionName InstitutionAddress ReferringPhysicianName "
    "PerformingPhysicianName OperatorsName StationName StudyDescription SeriesDescription ProtocolName "
    "RequestedProcedureDescription DeviceSerialNumber DetectorID ImageComments DerivationDescription Manufacturer "
    "ManufacturerModelName SoftwareVersions ReasonForStudy AdmissionID IssuerOfPatientID"
).split()
# A time of six digits alone would be found in one random identifier of some thousands.
BY_VR = {
    "DA": "19{n:02d}1231",
    "TM": "1{n:02d}959.4711{n:02d}",
    "UI": "1.2.99.4711.{n}",
    "AS": "0{n:02d}Y",
    "CS": "SECRET{n}",
}


def full_of_secrets() -> tuple[Dataset, list[str]]:
    """A film, and the texts in its header, each of which is found nowhere else."""
    secrets = {
        keyword: BY_VR.get(dictionary_VR(keyword), "Secret{n}xyz").format(n=40 + place)
        for place, keyword in enumerate(KEYWORDS)
    }
    dataset = dicom_dataset(
        synthetic_film(200, 160),
        **secrets,
        SOPInstanceUID="1.2.99.4711.8",
        WindowCenter="128.4711",
        WindowWidth="250.4712",
    )
    block = dataset.private_block(0x0099, "SECRET MAKER", create=True)
    block.add_new(0x01, "LO", "PrivateSecret^Anna")
    block.add_new(0x02, "UT", "<script>PrivateSecret</script>")
    item = Dataset()
    item.PatientID = "NestedSecret"
    dataset.OtherPatientIDsSequence = [item]
    found = [
        *secrets.values(),
        "PrivateSecret",
        "NestedSecret",
        "SECRET MAKER",
        "Roentgen",
        "HAND-1895",
        "1.2.99.4711",
        "128.4",
        "250.4",
    ]
    return dataset, found


@pytest.fixture(scope="module")
def saved() -> tuple[bytes, list[bytes], list[str]]:
    dataset, secrets = full_of_secrets()
    data = dicom_bytes(dataset)
    assert all(secret.encode() in data for secret in secrets), "the film has them to give away"
    record = made(read_radiograph(data))
    with zipfile.ZipFile(io.BytesIO(dicom_zip(record, export_identity(), Window(), heat()))) as packed:
        return data, [packed.read(name) for name in packed.namelist()], secrets


def test_no_text_of_the_header_is_in_either_file(saved: tuple[bytes, list[bytes], list[str]]) -> None:
    _, files, secrets = saved
    assert not [secret for secret in secrets for file in files if secret.encode() in file]


def test_the_hash_of_the_film_is_in_neither(saved: tuple[bytes, list[bytes], list[str]]) -> None:
    data, files, _ = saved
    digest = hashlib.sha256(data).hexdigest()
    assert not [file for file in files if digest[:8].encode() in file or bytes.fromhex(digest[:16]) in file]


def test_two_saves_of_one_film_share_no_identifier() -> None:
    record = made()
    uids = []
    for _ in range(2):
        with zipfile.ZipFile(io.BytesIO(dicom_zip(record, export_identity(), Window()))) as packed:
            for name in packed.namelist():
                dataset = dcmread(io.BytesIO(packed.read(name)))
                uids.append({dataset.SOPInstanceUID, dataset.SeriesInstanceUID, dataset.StudyInstanceUID})
                uids[-1] |= {dataset.PatientID}
    first, second = uids[0] | uids[1], uids[2] | uids[3]
    assert len(first) == len(second) == 6 and not first & second


def test_private_elements_are_not_written(saved: tuple[bytes, list[bytes], list[str]]) -> None:
    for file in saved[1]:
        assert not [element for element in dcmread(io.BytesIO(file)).iterall() if element.tag.is_private]


def test_the_picture_holds_the_film_and_no_more_of_its_bytes(saved: tuple[bytes, list[bytes], list[str]]) -> None:
    data, files, _ = saved
    film = np.frombuffer(data[-200 * 160 :], np.uint8)
    assert film.tobytes() not in files[0], "the film's own pixels are not copied: they are drawn"

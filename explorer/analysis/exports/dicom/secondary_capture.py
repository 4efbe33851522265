"""Writes the picture as a DICOM secondary capture (PS3.3, A.8.1): 8-bit color, uncompressed, derived, annotated."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import highdicom as hd
import numpy as np
from numpy.typing import NDArray
from pydicom.dataset import Dataset
from pydicom.valuerep import DA, DT, TM

from explorer.analysis.exports.dicom.identity import ExportIdentity, new_uid
from explorer.analysis.exports.dicom.plate import WARNING
from explorer.core.version import version
from models.films.dicom_film import OWN_MANUFACTURER

MAX_LO_CHARS, MAX_ST_CHARS = 64, 1024  # characters (PS3.5, 6.2)


def secondary_capture(
    picture: NDArray[np.uint8],
    derivation: str,
    description: str,
    identity: ExportIdentity,
    made: datetime,
    *,
    sides: bool,
) -> Dataset:
    """Return the data set of a picture (h, w, 3) with burned-in text.

    `derivation` says how the picture was made, `description` follows the warning in the series name, `made` is in UTC;
    `sides` says whether the film's file states left and right. Pixel spacing is omitted because the picture must not be
    measured.
    """
    dataset = hd.sc.SCImage(
        pixel_array=picture,
        photometric_interpretation="RGB",
        bits_allocated=8,
        coordinate_system="PATIENT",
        patient_orientation=("L", "F"),
        series_instance_uid=new_uid(),
        series_number=1,
        series_description=series_words(description),
        sop_instance_uid=new_uid(),
        instance_number=1,
        **common_attributes(identity, made),
    )
    if not sides:
        dataset.PatientOrientation = []  # type 2C: empty means unknown
    dataset.ConversionType = "WSD"  # made by a workstation
    dataset.DateOfSecondaryCapture, dataset.TimeOfSecondaryCapture = DA(made.date()), TM(made.time())
    dataset.SecondaryCaptureDeviceManufacturer = OWN_MANUFACTURER
    dataset.SecondaryCaptureDeviceManufacturerModelName = OWN_MANUFACTURER
    dataset.SecondaryCaptureDeviceSoftwareVersions = version()
    dataset.BurnedInAnnotation = "YES"
    dataset.DerivationDescription = printable(derivation)[:MAX_ST_CHARS]
    dataset.ImageComments = WARNING
    stamp_file(dataset, identity, made)
    return dataset


def series_words(description: str) -> str:
    """Return the series description, with the warning first so that no series list cuts it off."""
    return f"{WARNING}: {printable(description)}".replace("\\", "/")[:MAX_LO_CHARS]  # a backslash separates values


def printable(words: str) -> str:
    """Replace control characters in text from a model's file."""
    return "".join(each if each.isprintable() else "?" for each in words)


def common_attributes(identity: ExportIdentity, made: datetime) -> dict[str, Any]:
    """Return the attributes that both files share: patient ID (and no other patient data), study, maker and time."""
    day, time = made.strftime("%Y%m%d"), made.strftime("%H%M%S")
    return {
        "study_instance_uid": identity.study_uid,
        "patient_id": identity.patient_id,
        # Only the archive knows the date of a typed study.
        "study_date": None if identity.typed_study else day,
        "study_time": None if identity.typed_study else time,
        "series_date": day,
        "series_time": time,
        "content_date": day,
        "content_time": time,
        "manufacturer": OWN_MANUFACTURER,
        "manufacturer_model_name": OWN_MANUFACTURER,
        "software_versions": version(),
        "device_serial_number": version(),
        "specific_character_set": "ISO_IR 192",
    }


def stamp_file(dataset: Dataset, identity: ExportIdentity, made: datetime) -> None:
    """Set the creation time, the time zone and whether the patient's identity was removed."""
    dataset.InstanceCreationDate, dataset.InstanceCreationTime = dataset.ContentDate, dataset.ContentTime
    dataset.TimezoneOffsetFromUTC = "+0000"
    for equipment in dataset.get("ContributingEquipmentSequence", ()):
        if "ContributionDateTime" in equipment:  # highdicom writes local time
            equipment.ContributionDateTime = DT(made.strftime("%Y%m%d%H%M%S"))
    dataset.PatientIdentityRemoved = "YES" if identity.anonymous else "NO"
    if identity.anonymous:
        dataset.DeidentificationMethod = "Newly written: nothing was copied from the film's header"

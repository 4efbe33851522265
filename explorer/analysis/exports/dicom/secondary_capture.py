"""The picture as a DICOM secondary capture (PS3.3, A.8.1): 8-bit color, uncompressed, derived, with words in it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import highdicom as hd
import numpy as np
from numpy.typing import NDArray
from pydicom.dataset import Dataset
from pydicom.valuerep import DA, DT, TM

from explorer.analysis.exports.dicom.identity import Identity, new_uid
from explorer.analysis.exports.dicom.plate import WARNING
from explorer.core.version import version
from models.films.dicom_film import OWN_MAKER

LONGEST_LO, LONGEST_ST = 64, 1024  # characters (PS3.5, 6.2)


def secondary_capture(
    picture: NDArray[np.uint8], derivation: str, description: str, identity: Identity, made: datetime, *, sides: bool
) -> Dataset:
    """The data set of a picture (h, w, 3) that has its words in its pixels.

    `derivation` says how it came about, `description` names its series after the warning, `made` is in UTC; `sides`:
    the film's file says which side is which. There is no spacing: nothing is to be measured on it.
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
        **common(identity, made),
    )
    if not sides:
        dataset.PatientOrientation = []  # of type 2C: empty where it is not known
    dataset.ConversionType = "WSD"  # made by a workstation
    dataset.DateOfSecondaryCapture, dataset.TimeOfSecondaryCapture = DA(made.date()), TM(made.time())
    dataset.SecondaryCaptureDeviceManufacturer = OWN_MAKER
    dataset.SecondaryCaptureDeviceManufacturerModelName = OWN_MAKER
    dataset.SecondaryCaptureDeviceSoftwareVersions = version()
    dataset.BurnedInAnnotation = "YES"
    dataset.DerivationDescription = printable(derivation)[:LONGEST_ST]
    dataset.ImageComments = WARNING
    mark(dataset, identity, made)
    return dataset


def series_words(description: str) -> str:
    """The description of a series: the warning comes first, so that no list of series cuts it off."""
    return f"{WARNING}: {printable(description)}".replace("\\", "/")[:LONGEST_LO]  # \\ would begin a second value


def printable(words: str) -> str:
    """Words of a model's file without what moves a cursor or ends a line."""
    return "".join(each if each.isprintable() else "?" for each in words)


def common(identity: Identity, made: datetime) -> dict[str, Any]:
    """What both files say of patient, study, maker and time. Of the patient there is an id, and nothing else."""
    day, time = made.strftime("%Y%m%d"), made.strftime("%H%M%S")
    return {
        "study_instance_uid": identity.study_uid,
        "patient_id": identity.patient_id,
        # The date of a study that somebody typed is the archive's to know.
        "study_date": None if identity.typed_study else day,
        "study_time": None if identity.typed_study else time,
        "series_date": day,
        "series_time": time,
        "content_date": day,
        "content_time": time,
        "manufacturer": OWN_MAKER,
        "manufacturer_model_name": OWN_MAKER,
        "software_versions": version(),
        "device_serial_number": version(),
        "specific_character_set": "ISO_IR 192",
    }


def mark(dataset: Dataset, identity: Identity, made: datetime) -> None:
    """Say whether the patient can be told by what is written, and in which zone times are."""
    dataset.InstanceCreationDate, dataset.InstanceCreationTime = dataset.ContentDate, dataset.ContentTime
    dataset.TimezoneOffsetFromUTC = "+0000"
    for equipment in dataset.get("ContributingEquipmentSequence", ()):
        if "ContributionDateTime" in equipment:  # highdicom's, in this machine's zone
            equipment.ContributionDateTime = DT(made.strftime("%Y%m%d%H%M%S"))
    dataset.PatientIdentityRemoved = "YES" if identity.anonymous else "NO"
    if identity.anonymous:
        dataset.DeidentificationMethod = "Written anew: nothing of the film's header was copied"

"""The public datasets that have an importer: what each is called, and the table by which a download is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDataset:
    """`tables` are patterns below the download's folder, one of which must be there; its `columns` tell it from others.

    `center` is where its films were taken, or what stands for that.
    """

    name: str  # of the command
    title: str
    center: str
    tables: tuple[str, ...]
    columns: tuple[str, ...]


CHEXPERT = KnownDataset(
    name="chexpert",
    title="CheXpert",
    center="CheXpert",
    tables=("train.csv", "valid.csv", "CheXpert-v1.0 batch 1*/train.csv", "CheXpert-v1.0 batch 1*/valid.csv"),
    columns=("Path", "Frontal/Lateral", "AP/PA"),
)
PADCHEST = KnownDataset(
    name="padchest",
    title="PadChest",
    center="PadChest",
    tables=("PADCHEST_chest_x_ray_images_labels_160K*.csv",),
    columns=("ImageID", "ImageDir", "StudyID", "PatientID", "Projection", "MethodLabel", "Labels"),
)
MIMIC = KnownDataset(
    name="mimic",
    title="MIMIC-CXR-JPG",
    center="MIMIC",
    tables=("mimic-cxr-2.*-metadata.csv",),
    columns=("dicom_id", "subject_id", "study_id", "ViewPosition"),
)
CXRLT2026 = KnownDataset(
    name="cxrlt2026",
    title="CXR-LT 2026",
    center="PadChest",
    tables=("CXRLT_2026_*.csv", "CXRLT2026*.csv"),
    columns=("ImageID", "PatientID"),
)
VINDR = KnownDataset(
    name="vindr",
    title="VinDr-CXR",
    center="VinDr",
    tables=("annotations/image_labels_train.csv", "image_labels_train.csv", "vinbigdata-train.csv", "train.csv"),
    columns=("image_id", "rad_id"),
)
RSNA = KnownDataset(
    name="rsna",
    title="RSNA Pneumonia Detection Challenge",
    center="NIH",
    tables=("stage_2_train_labels.csv",),
    columns=("patientId", "x", "y", "width", "height", "Target"),
)
SIIM = KnownDataset(
    name="siim",
    title="SIIM-ACR Pneumothorax Segmentation",
    center="NIH",
    tables=("train-rle.csv", "stage_2_train.csv", "siim-pneumothorax-train-rle.csv"),
    columns=("ImageId", "EncodedPixels"),
)
PADCHEST_GR = KnownDataset(
    name="padchest-gr",
    title="PadChest-GR",
    center="PadChest",
    tables=("grounded_reports*.json",),
    columns=("StudyID", "ImageID", "findings"),
)
REVEAL = KnownDataset(
    name="reveal",
    title="REVEAL-CXR",
    center="MIDRC",
    tables=("*.csv",),
    columns=("Airspace opacity", "Hiatal hernia", "Lymphadenopathy"),
)

KNOWN: tuple[KnownDataset, ...] = (CHEXPERT, PADCHEST, MIMIC, CXRLT2026, VINDR, RSNA, SIIM, PADCHEST_GR, REVEAL)


def of_columns(names: Sequence[str]) -> KnownDataset | None:
    """The dataset whose table has these columns; of several the one that is known by more of them."""
    there = {name.strip() for name in names}
    fitting = [each for each in KNOWN if there.issuperset(each.columns)]
    return max(fitting, key=lambda each: len(each.columns), default=None)

"""The public datasets that have an importer: the single list for commands, importers, refusals and tests.

To add a dataset, add an entry here and a module of the same name with `read(root, wanted)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from explorer.ingest.datasets.wanted import ImportOptions
    from explorer.ingest.entries import ImportSource

Option = Literal["blank", "finding", "negbio", "cxr_lt", "cxr_lt_task"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDataset:
    """A dataset. `tables`: file patterns in the download; at least one must match; `columns` identify its table.

    `center` is where its films were taken, or the closest stand-in. `help` and `examples` are for its command,
    `options` are the command's additional options.
    """

    name: str  # of the command
    title: str
    center: str
    tables: tuple[str, ...]
    columns: tuple[str, ...]
    help: str
    options: tuple[Option, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def read(self) -> Callable[[Path, ImportOptions], ImportSource]:
        """The importer, loaded on first use. It reads the download in a folder and raises WrongInput."""
        module = import_module(f"{__package__}.{self.name.replace('-', '_')}")
        return cast("Callable[[Path, ImportOptions], ImportSource]", module.read)


CHEXPERT = KnownDataset(
    name="chexpert",
    title="CheXpert",
    center="CheXpert",
    tables=("train.csv", "valid.csv", "CheXpert-v1.0 batch 1*/train.csv", "CheXpert-v1.0 batch 1*/valid.csv"),
    columns=("Path", "Frontal/Lateral", "AP/PA"),
    help="""Make a cohort from CheXpert: train.csv and valid.csv.

-1 is uncertain. A blank means that the report does not mention the finding: unknown, or absent with --blank absent. On
a film labeled No Finding, blank pathologies are absent.""",
    options=("blank",),
    examples=("--root /data/CheXpert-v1.0-small",),
)
PADCHEST = KnownDataset(
    name="padchest",
    title="PadChest",
    center="PadChest",
    tables=("PADCHEST_chest_x_ray_images_labels_160K*.csv",),
    columns=("ImageID", "ImageDir", "StudyID", "PatientID", "Projection", "MethodLabel", "Labels"),
    help="""Make a cohort from PadChest: its CSV or CSV.GZ, with films in folders by ImageDir or all in one folder.

    A finding that a row does not name is absent. Labels by physicians and by a model of reports are separate sources.
    Words
    that no taxonomy has are counted but not used, unless --finding names them.""",
    options=("finding",),
    examples=('--root /data/padchest --finding "COPD signs"',),
)
MIMIC = KnownDataset(
    name="mimic",
    title="MIMIC-CXR-JPG",
    center="MIMIC",
    tables=("mimic-cxr-2.*-metadata.csv",),
    columns=("dicom_id", "subject_id", "study_id", "ViewPosition"),
    help="""Make a cohort from MIMIC-CXR-JPG: metadata, split, and labels by a labeler or from CXR-LT 2023 or 2024.

    -1 and blanks are treated as in chexpert. CXR-LT 2024 has three tasks: 40 findings, the gold standard of 26, and 5
    findings without training films.""",
    options=("blank", "negbio", "cxr_lt", "cxr_lt_task"),
    examples=(
        "--root /data/mimic-cxr-jpg",
        "--root /data/mimic-cxr-jpg --cxr-lt /data/cxr-lt-2024 --out cxrlt2024",
        "--root /data/mimic-cxr-jpg --cxr-lt /data/cxr-lt-2024 --cxr-lt-task 2 --out gold2024",
    ),
)
CXRLT2026 = KnownDataset(
    name="cxrlt2026",
    title="CXR-LT 2026",
    center="PadChest",
    tables=("CXRLT_2026_*.csv", "CXRLT2026*.csv"),
    columns=("ImageID", "PatientID"),
    help="""Make a cohort from the CXR-LT 2026 challenge: CXRLT_2026_training.csv and the like.

If PatientID is printed as 3.24E+38, films are grouped by study, and the report says so; with PadChest's own table in
the folder, their patients are known.""",
)
VINDR = KnownDataset(
    name="vindr",
    title="VinDr-CXR",
    center="VinDr",
    tables=("annotations/image_labels_train.csv", "image_labels_train.csv", "vinbigdata-train.csv", "train.csv"),
    columns=("image_id", "rad_id"),
    help="""Make a cohort from VinDr-CXR, as published or as Kaggle's train.csv, with its boxes.

Each reader is a source of labels; by default, the majority of a film's readers counts.""",
)
RSNA = KnownDataset(
    name="rsna",
    title="RSNA Pneumonia Detection Challenge",
    center="NIH",
    tables=("stage_2_train_labels.csv",),
    columns=("patientId", "x", "y", "width", "height", "Target"),
    help="""Make a cohort from the RSNA Pneumonia Detection Challenge: stage_2_train_labels.csv, with its boxes.

Target 1 is Lung Opacity; Normal comes from stage_2_detailed_class_info.csv.""",
)
SIIM = KnownDataset(
    name="siim",
    title="SIIM-ACR Pneumothorax Segmentation",
    center="NIH",
    tables=("train-rle.csv", "stage_2_train.csv", "siim-pneumothorax-train-rle.csv"),
    columns=("ImageId", "EncodedPixels"),
    help="""Make a cohort from SIIM-ACR Pneumothorax Segmentation: train-rle.csv, or stage_2_train.csv.

Each mask is saved as its bounding box; a film without a mask has no pneumothorax.""",
)
PADCHEST_GR = KnownDataset(
    name="padchest-gr",
    title="PadChest-GR",
    center="PadChest",
    tables=("grounded_reports*.json",),
    columns=("StudyID", "ImageID", "findings"),
    help="""Make a cohort from PadChest-GR: grounded_reports_*.json with its boxes, and master_table.csv.

A finding that no sentence of a film names is absent.""",
)
REVEAL = KnownDataset(
    name="reveal",
    title="REVEAL-CXR",
    center="MIDRC",
    tables=("*.csv",),
    columns=("Airspace opacity", "Hiatal hernia", "Lymphadenopathy"),
    help="""Make a cohort from REVEAL-CXR: a table with columns for its twelve labels, and films as DICOM.

    A film is matched to the row that has its name, its folder's name, or an identifier of its header.""",
)

KNOWN_DATASETS: tuple[KnownDataset, ...] = (
    CHEXPERT,
    PADCHEST,
    MIMIC,
    CXRLT2026,
    VINDR,
    RSNA,
    SIIM,
    PADCHEST_GR,
    REVEAL,
)


def dataset_with_columns(names: Sequence[str]) -> KnownDataset | None:
    """Return the dataset whose table has these columns; if several match, the one with most columns."""
    columns = {name.strip() for name in names}
    fitting = [each for each in KNOWN_DATASETS if columns.issuperset(each.columns)]
    return max(fitting, key=lambda each: len(each.columns), default=None)


def dataset_named(name: str) -> KnownDataset:
    """Return the dataset that a command names."""
    return next(each for each in KNOWN_DATASETS if each.name == name)

"""Imports NIH ChestX-ray14 in either layout: NIH's own download, or `labels.csv` with paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from explorer.ingest.columns import ColumnMap
from explorer.ingest.entries import ImportSource
from explorer.ingest.label_table import read_label_table
from explorer.ingest.nih_boxes import add_nih_boxes
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.notes import Notes
from explorer.tabular.problems import WrongInput

CENTER = "NIH"
DATASET_NAME = "NIH ChestX-ray14 (Wang et al., CVPR 2017), labels mined from reports"
LABEL_SOURCE = "NIH ChestX-ray14, mined from reports"
OWN_TABLE, NIH_TABLES = "labels.csv", "Data_Entry_2017*.csv"

# Field -> accepted column names; only the first two fields are required.
_OWN_COLUMNS = {
    "image_id": ("image_id",),
    "findings": ("findings",),
    "file": ("file",),
    "patient": ("patient_id",),
    "view": ("view",),
    "sex": ("sex",),
    "age": ("age",),
    "width": ("width",),
    "height": ("height",),
}
_NIH_COLUMNS = {
    "image_id": ("Image Index",),
    "findings": ("Finding Labels",),
    "patient": ("Patient ID",),
    "view": ("View Position",),
    "sex": ("Patient Gender", "Patient Sex"),
    "age": ("Patient Age",),
    "width": ("OriginalImage[Width",),  # an unquoted comma splits OriginalImage[Width,Height] into two columns
    "height": ("Height]",),
}


def read_nih(root: Path) -> ImportSource:
    """Return the films of `root`, and the boxes if they are there.

    `labels.csv` has the columns file, image_id, patient_id, findings (joined by `|`), view, sex and age. NIH's own
    layout is `Data_Entry_2017*.csv` with images in any subfolder. A finding that a row does not name is absent. Raises
    WrongInput if neither is found, or if a table cannot be used.
    """
    own, nih_tables = root / OWN_TABLE, sorted(root.glob(NIH_TABLES))
    if own.is_file():
        source = read_label_table(own, _columns(own, _OWN_COLUMNS), "absent")
    elif nih_tables:
        source = read_label_table(nih_tables[-1], _columns(nih_tables[-1], _NIH_COLUMNS), "absent")
        source.entries = [replace(entry, case=PurePosixPath(entry.case).stem) for entry in source.entries]
    else:
        raise WrongInput(
            f"{root} has neither {OWN_TABLE} nor NIH's {NIH_TABLES}. Name the folder that has one of them."
        )
    source.title, source.name, source.label_source = "NIH ChestX-ray14", DATASET_NAME, LABEL_SOURCE
    add_nih_boxes(root, source)
    return source


def _columns(path: Path, wanted: Mapping[str, Sequence[str]]) -> ColumnMap:
    """Return a ColumnMap of the accepted columns that the table has, and of the two required ones."""
    with csv_rows(path, [wanted["image_id"][0]], Notes()) as (names, _):
        found = {each: name for each, accepted in wanted.items() for name in accepted if name in names}
    needed: dict[str, Any] = {each: wanted[each][0] for each in ("image_id", "findings")}
    return ColumnMap(**needed | found, center_name=CENTER)

"""An NIH ChestX-ray14 folder in either layout: NIH's own download, or `labels.csv` with paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from explorer.ingest.columns import ColumnMap
from explorer.ingest.entries import ImportSource
from explorer.ingest.label_table import read_table
from explorer.ingest.nih_boxes import add_boxes
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.notes import Notes
from explorer.tabular.problems import WrongInput

CENTER = "NIH"
NAME = "NIH ChestX-ray14 (Wang et al., CVPR 2017), labels mined from reports"
LABEL_SOURCE = "NIH ChestX-ray14, mined from reports"
OWN, THEIRS = "labels.csv", "Data_Entry_2017*.csv"

# What is wanted -> what its column may be called; of these only the first two are needed.
_OWN = {
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
_THEIRS = {
    "image_id": ("Image Index",),
    "findings": ("Finding Labels",),
    "patient": ("Patient ID",),
    "view": ("View Position",),
    "sex": ("Patient Gender", "Patient Sex"),
    "age": ("Patient Age",),
    "width": ("OriginalImage[Width",),  # an unquoted comma makes two columns of OriginalImage[Width,Height]
    "height": ("Height]",),
}


def read_nih(root: Path) -> ImportSource:
    """The films of `root`, and the boxes if they are there.

    `labels.csv` has the columns file, image_id, patient_id, findings (joined by `|`), view, sex and age; NIH's own
    layout is `Data_Entry_2017*.csv` with the images anywhere below. What a row does not name is absent. Raises
    WrongInput where there is neither, or where a table cannot be used.
    """
    own, theirs = root / OWN, sorted(root.glob(THEIRS))
    if own.is_file():
        source = read_table(own, _columns(own, _OWN), "absent")
    elif theirs:
        source = read_table(theirs[-1], _columns(theirs[-1], _THEIRS), "absent")
        source.entries = [replace(entry, case=PurePosixPath(entry.case).stem) for entry in source.entries]
    else:
        raise WrongInput(f"{root} has neither {OWN} nor NIH's {THEIRS}. Name the folder that has one of them.")
    source.title, source.name, source.label_source = "NIH ChestX-ray14", NAME, LABEL_SOURCE
    add_boxes(root, source)
    return source


def _columns(path: Path, wanted: Mapping[str, Sequence[str]]) -> ColumnMap:
    """The columns that a table has of those that are wanted, and the two that it must have."""
    with csv_rows(path, [wanted["image_id"][0]], Notes()) as (names, _):
        found = {each: name for each, called in wanted.items() for name in called if name in names}
    needed: dict[str, Any] = {each: wanted[each][0] for each in ("image_id", "findings")}
    return ColumnMap(**needed | found, center_name=CENTER)

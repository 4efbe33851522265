"""The boxes that radiologists drew on NIH films: `BBox_List_2017.csv`, or `boxes.csv` in the order of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from explorer.core.finding_words import finding_of
from explorer.ingest.entries import ImportedBox, ImportSource
from explorer.tabular.csv_rows import csv_rows

SIDE = 1024  # pixels of NIH's published films, which the boxes are measured in
SOURCE = "NIH ChestX-ray14, drawn by a radiologist"
FILES = ("boxes.csv", "BBox_List_2017.csv")
WORDS = {"Infiltrate": "Infiltration"}  # only here
_SIDES = 4


def add_boxes(root: Path, source: ImportSource) -> None:
    """Add the boxes that lie in `root` to a source, and a note on rows that are none. Raises WrongInput."""
    path = next((root / name for name in FILES if (root / name).is_file()), None)
    if path is not None:
        source.box_source = SOURCE
        source.boxes, others = read_boxes(path)
        if others:
            source.notes.append(f"rows of {path.name} that are not a box of a finding inside a film: {others:,}")


def read_boxes(path: Path) -> tuple[list[ImportedBox], int]:
    """The boxes of a file, and how many of its rows are no box of a finding inside a film.

    A row is image, finding, x, y, width and height; what follows is empty. Raises WrongInput for an unreadable file.
    """
    with csv_rows(path) as (_, rows):
        boxes = [_box(row) for _, row in rows]
    return [box for box in boxes if box is not None], boxes.count(None)


def _box(row: Sequence[str]) -> ImportedBox | None:
    finding = finding_of(WORDS.get(row[1], row[1])) if len(row) >= 2 + _SIDES else None
    try:
        x, y, width, height = (float(cell) / SIDE for cell in row[2 : 2 + _SIDES])
    except ValueError:
        return None
    if finding is None:
        return None
    name = PurePosixPath(row[0])
    case = name.stem if name.suffix == ".png" else row[0]
    box = ImportedBox(case=case, finding=finding, x=x, y=y, width=width, height=height)
    return box if box.inside() else None

"""Reads radiologists' boxes on NIH films: `BBox_List_2017.csv`, or `boxes.csv` with the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from explorer.core.finding_words import finding_of
from explorer.ingest.entries import ImportedBox, ImportSource
from explorer.tabular.csv_rows import csv_rows

FILM_SIDE = 1024  # pixels of NIH's published films, in which the boxes are measured
BOX_SOURCE = "NIH ChestX-ray14, drawn by a radiologist"
BOX_FILES = ("boxes.csv", "BBox_List_2017.csv")
BOX_WORDS = {"Infiltrate": "Infiltration"}  # spelling used only in this table
_SIDES = 4


def add_nih_boxes(root: Path, source: ImportSource) -> None:
    """Add the boxes in `root` to a source, and a note on unusable rows. Raises WrongInput."""
    path = next((root / name for name in BOX_FILES if (root / name).is_file()), None)
    if path is not None:
        source.box_source = BOX_SOURCE
        source.boxes, others = read_boxes(path)
        if others:
            source.notes.append(
                f"unusable rows of {path.name} (no known finding, or not a box inside a film): {others:,}"
            )


def read_boxes(path: Path) -> tuple[list[ImportedBox], int]:
    """Return the boxes of a file, and the number of its rows without a known finding or a box inside the film.

    A row has image, finding, x, y, width and height; further cells are ignored. Raises WrongInput for an unreadable
    file.
    """
    with csv_rows(path) as (_, rows):
        boxes = [_box(row) for _, row in rows]
    return [box for box in boxes if box is not None], boxes.count(None)


def _box(row: Sequence[str]) -> ImportedBox | None:
    finding = finding_of(BOX_WORDS.get(row[1], row[1])) if len(row) >= 2 + _SIDES else None
    try:
        x, y, width, height = (float(cell) / FILM_SIDE for cell in row[2 : 2 + _SIDES])
    except ValueError:
        return None
    if finding is None:
        return None
    name = PurePosixPath(row[0])
    case = name.stem if name.suffix == ".png" else row[0]
    box = ImportedBox(case=case, finding=finding, x=x, y=y, width=width, height=height)
    return box if box.inside() else None

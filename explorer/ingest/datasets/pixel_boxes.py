"""Boxes in pixels of the film as it was made, as fractions of its sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.ingest.datasets.find_tables import tables
from explorer.ingest.datasets.table_rows import table_rows
from explorer.ingest.entries import ImportedBox

META = ("train_meta.csv", "test_meta.csv")  # image_id, dim0 (rows), dim1 (columns)


@dataclass(frozen=True, slots=True)
class FilmSize:
    """Of the pixels that boxes are measured in."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PixelBox:
    """`corners` are the cells of left, top, right and bottom edge."""

    case: str
    word: str
    corners: Sequence[str]
    drawn_by: str | None = None


def fractions(
    boxes: Sequence[PixelBox], sizes: Mapping[str, FilmSize], named: Callable[[str], str | None]
) -> tuple[list[ImportedBox], list[str]]:
    """The boxes of findings that lie inside a film of known size, and notes on the others."""
    kept: list[ImportedBox] = []
    unnamed = unsized = outside = 0
    for box in boxes:
        finding, size = named(box.word), sizes.get(box.case)
        if finding is None:
            unnamed += 1
        elif size is None:
            unsized += 1
        elif (made := _fraction(box, finding, size)) is None:
            outside += 1
        else:
            kept.append(made)
    notes = (
        (unnamed, "boxes of what has no name here"),
        (unsized, f"boxes of films whose size is not known (neither a DICOM film nor {META[0]} says it)"),
        (outside, "boxes that do not lie inside their film"),
    )
    return kept, [f"{what}, not used: {count:,}" for count, what in notes if count]


def _fraction(box: PixelBox, finding: str, size: FilmSize) -> ImportedBox | None:
    try:
        left, top, right, bottom = (float(cell) for cell in box.corners)
    except ValueError:
        return None
    made = ImportedBox(
        case=box.case,
        finding=finding,
        x=left / size.width,
        y=top / size.height,
        width=(right - left) / size.width,
        height=(bottom - top) / size.height,
        drawn_by=box.drawn_by,
    )
    return made if made.inside() else None


def sizes_in_tables(root: Path) -> dict[str, FilmSize]:
    """Sizes by film that tables in `root` state; nothing where there are none."""
    found: dict[str, FilmSize] = {}
    for path in tables(root, META):
        with table_rows(path) as (names, rows):
            if not {"image_id", "dim0", "dim1"}.issubset(names):
                continue
            image, height, width = (names.index(name) for name in ("image_id", "dim0", "dim1"))
            for _, row in rows:
                if len(row) == len(names) and row[width].isdigit() and row[height].isdigit():
                    size = FilmSize(int(row[width]), int(row[height]))
                    if size.width and size.height:
                        found[row[image]] = size
    return found

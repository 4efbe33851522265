"""Converts boxes in pixels of the original film to fractions of its sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.ingest.datasets.find_tables import tables
from explorer.ingest.datasets.table_rows import table_rows
from explorer.ingest.entries import ImportedBox

SIZE_TABLES = ("train_meta.csv", "test_meta.csv")  # image_id, dim0 (rows), dim1 (columns)


@dataclass(frozen=True, slots=True)
class FilmSize:
    """Width and height of a film, in the pixels that its boxes are measured in."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PixelBox:
    """A box; `corners` are the cells of its left, top, right and bottom edge."""

    case: str
    word: str
    corners: Sequence[str]
    drawn_by: str | None = None


def boxes_as_fractions(
    boxes: Sequence[PixelBox], sizes: Mapping[str, FilmSize], named: Callable[[str], str | None]
) -> tuple[list[ImportedBox], list[str]]:
    """Return the boxes that name a finding and lie inside a film of known size, and notes on the others."""
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
        (unnamed, "boxes of unknown findings"),
        (unsized, f"boxes of films of unknown size (neither in a DICOM header nor in {SIZE_TABLES[0]})"),
        (outside, "boxes that leave their film"),
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
    """Return film sizes from tables in `root`; empty if there are none."""
    found: dict[str, FilmSize] = {}
    for path in tables(root, SIZE_TABLES):
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

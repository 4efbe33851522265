"""Reads a table of hand-drawn boxes: one row per box, in pixels or in fractions of the film's sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from explorer.core.finding_words import plain
from explorer.core.word_lists import quantity
from explorer.ingest.columns import read_toml
from explorer.ingest.label_words import own_words
from explorer.ingest.rejects import Reject, RejectReason
from explorer.tabular.cell_words import decimal_commas
from explorer.tabular.cells import parse_finite
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.header import column_place
from explorer.tabular.missing_words import is_missing
from explorer.tabular.notes import Notes
from explorer.tabular.problems import WrongCell, WrongInput

# Field -> accepted column names, letters and digits only; NIH's "Bbox [x,y,w,h]" spans four columns.
COLUMN_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "image": ("imageid", "imageindex", "image", "imagename", "filename", "file", "case", "id"),
        "finding": ("finding", "findinglabel", "findinglabels", "label", "classname", "class", "pathology"),
        "x": ("x", "bboxx", "x1", "xmin", "left"),
        "y": ("y", "bboxy", "y1", "ymin", "top"),
        "width": ("w", "width", "bboxw", "boxwidth"),
        "height": ("h", "height", "bboxh", "boxheight"),
        "x2": ("x2", "xmax", "right"),
        "y2": ("y2", "ymax", "bottom"),
    }
)
NO_NAMES: Mapping[str, str] = MappingProxyType({})
_FAR, _SIDES = ("x2", "y2"), ("width", "height")


@dataclass(frozen=True, slots=True)
class DrawnBox:
    """A row of the table. `word` is the table's name for the finding; the sides have the table's unit."""

    line: int
    image: str
    word: str
    x: float
    y: float
    width: float
    height: float


@dataclass(slots=True)
class BoxTable:
    """The boxes of a table, its unusable rows, and the number of rows that state that an image has no box."""

    boxes: list[DrawnBox] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    boxless: int = 0

    def in_fractions(self) -> bool:
        """Whether all boxes are given as fractions of the film's sides, from 0 to 1."""
        return all(box.x + box.width <= 1 and box.y + box.height <= 1 for box in self.boxes)


@dataclass(frozen=True, slots=True)
class BoxColumns:
    """A user's names: of columns, by the fields of COLUMN_NAMES, and words for findings."""

    names: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)


def read_box_columns(path: Path) -> BoxColumns:
    """Read a TOML file that names columns, such as `x = "links"`, and under `[words]` findings. Raises WrongInput."""
    table = read_toml(path)
    words = table.pop("words", {})
    unknown = [key for key in table if key not in COLUMN_NAMES]
    if unknown:
        raise WrongInput(f"{path} has {unknown[0]!r}. It may say: {', '.join(COLUMN_NAMES)}, and [words].")
    if not isinstance(words, dict) or not all(isinstance(each, str) for each in (*table.values(), *words.values())):
        raise WrongInput(f"{path}: columns and words must be quoted texts.")
    try:
        return BoxColumns(table, own_words(words))
    except ValueError as error:
        raise WrongInput(f"{path}: {error}.") from error


def read_box_table(path: Path, id_column: str | None, notes: Notes, named: Mapping[str, str] = NO_NAMES) -> BoxTable:
    """Read a table and note how its columns and numbers were recognized; `named` are a user's column names by field.

    Raises WrongInput.
    """
    own = dict(named) if id_column is None else {**named, "image": id_column}
    wanted = tuple(own.values())
    table = BoxTable()
    with csv_rows(path, wanted, notes) as (names, rows):
        places = _places(path, names, own)
        measures = [places[name] for name in places if name not in ("image", "finding")]
        commas = decimal_commas(path, wanted, measures, notes)
        for line, row in rows:
            _add_row(table, line, commas.plainly(row), places, len(names))
    return table


def _places(path: Path, names: Sequence[str], own: Mapping[str, str]) -> dict[str, int]:
    """Return the column index of image, finding and the four sides. Raises WrongInput."""
    bare = ["".join(filter(str.isalnum, plain(name))) for name in names]
    found: dict[str, int] = {}
    for wanted, words in COLUMN_NAMES.items():
        place = next((bare.index(word) for word in words if word in bare), None)
        if place is not None:
            found[wanted] = place
    found |= {wanted: column_place(path, names, name) for wanted, name in own.items()}
    last = _FAR if found.keys() >= set(_FAR) and not set(_SIDES) <= own.keys() else _SIDES
    needed = ("image", "finding", "x", "y", *last)
    missing = [name for name in needed if name not in found]
    if missing:
        raise WrongInput(
            f"{path} has no column for {', '.join(missing)}. Its columns are {', '.join(map(repr, names))}. A table of "
            "boxes has image, finding, x and y of the upper left corner, and width and height, or x2 and y2 of the "
            "lower right corner. Name its columns in a file for --columns, or rename them."
        )
    return {name: found[name] for name in needed}


def _add_row(table: BoxTable, line: int, row: Sequence[str], places: Mapping[str, int], width: int) -> None:
    if len(row) != width:
        detail = f"{quantity(len(row), 'cell')} where the header has {width}"
        image = row[places["image"]] if len(row) > places["image"] else ""
        table.rejects.append(Reject(line, image, RejectReason.CELLS, detail))
        return
    image, word, *cells = (row[place].strip() for place in places.values())
    if is_missing(image):
        table.rejects.append(Reject(line, image, RejectReason.NO_IDENTIFIER))
    elif all(map(is_missing, cells)):
        table.boxless += 1
    else:
        try:
            x, y, last_x, last_y = map(parse_finite, cells)
        except WrongCell as error:
            table.rejects.append(Reject(line, image, RejectReason.NO_BOX, str(error)))
            return
        far = "x2" in places
        box = DrawnBox(line, image, word, x, y, last_x - x if far else last_x, last_y - y if far else last_y)
        if min(box.x, box.y) < 0 or min(box.width, box.height) <= 0:
            table.rejects.append(Reject(line, image, RejectReason.NO_BOX, f"its sides are {', '.join(cells)}"))
        else:
            table.boxes.append(box)

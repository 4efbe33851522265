"""Reads a CSV file with one row per image and one column per finding."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

import numpy as np

from explorer.core.arrays import Floats
from explorer.tabular.cell_words import CellWords, decimal_commas, label_words
from explorer.tabular.cells import UNCERTAIN, parse_label
from explorer.tabular.csv_rows import csv_rows, unexplained_columns
from explorer.tabular.header import TableHeader, column_place, read_header
from explorer.tabular.missing_words import is_missing
from explorer.tabular.notes import Notes, Recognized, merged_rows_note
from explorer.tabular.own_columns import OwnColumns
from explorer.tabular.problems import Problems, WrongCell, WrongInput
from explorer.tabular.rounded_ids import RoundedIds

WRONG_CELL_COUNT = "rows with more or fewer cells than the header"
MAX_ODD_SHARE = 0.5  # of the rows; beyond that, the header and the rows probably use different notations
NO_OWN = OwnColumns()
ParseCell = Callable[[str], float]


def _ignore_cell(cell: str) -> None:
    """Do nothing about a wrong cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The content of a file. Cells with a problem are NaN: call `Problems.refuse` before using them."""

    path: Path
    lines: Mapping[str, int]  # image -> its line in the file; in the order of the file
    columns: Mapping[str, str]  # finding -> name of its column
    values: Floats  # (images, findings)
    texts: Mapping[str, Sequence[str]]  # requested column -> its cell for each image
    unknown: Sequence[str]  # columns that are not findings

    def without(self, images: Collection[str]) -> Sheet:
        """Return the sheet without the rows of these images."""
        kept = [image not in images for image in self.lines]
        return replace(
            self,
            lines={image: line for image, line in self.lines.items() if image not in images},
            values=self.values[np.array(kept, dtype=bool)],
            texts={name: list(compress(cells, kept)) for name, cells in self.texts.items()},
        )


def read_sheet(
    path: Path,
    cell: ParseCell,
    image: str,
    texts: Sequence[str],
    problems: Problems,
    notes: Notes | None = None,
    *,
    own: OwnColumns = NO_OWN,
    numbers: Sequence[str] = (),
    wrong: Callable[[str], None] = _ignore_cell,
) -> Sheet:
    """Read a file. `cell` parses a finding's cell or raises WrongCell; `image` and `texts` are column names.

    `own` gives the columns that are findings no taxonomy has. Several label rows of one image are merged. With `notes`,
    other notations of tables and cells are recognized and noted; `numbers` are those of the `texts` that hold numbers.
    `wrong` is called with each invalid cell of a finding. Raises WrongInput if the file is unusable.
    """
    request = _SheetRequest(path, cell, image, texts, problems, notes, own, numbers, wrong)
    if notes is None:
        return _read(request, CellWords())
    before = problems.state()
    try:
        return _read(request, None)
    except _UnusualNotation as found:
        problems.go_back(before)
        header, commas = found.header, list(found.numbers.values())
    words, wanted = CellWords(), (image, *texts)
    if cell is parse_label:
        columns = {place: finding for finding, place in header.findings.items()}
        words = label_words(path, wanted, columns, notes)
    else:
        commas += header.findings.values()
    if commas:
        words = CellWords(words.words, decimal_commas(path, wanted, commas, notes).commas)
    return _read(request, words)


@dataclass(frozen=True, slots=True)
class _SheetRequest:
    """The arguments of `read_sheet`."""

    path: Path
    cell: ParseCell
    image: str
    texts: Sequence[str]
    problems: Problems
    notes: Notes | None
    own: OwnColumns
    numbers: Sequence[str]
    wrong: Callable[[str], None]


def _read(request: _SheetRequest, words: CellWords | None) -> Sheet:
    """Read with `words` as the notation; if None, raise _UnusualNotation at a cell that is not plain."""
    path, own = request.path, request.own
    with csv_rows(path, (request.image, *request.texts), request.notes) as (names, rows):
        header = read_header(path, names, request.image, request.texts, request.problems, own.findings, own.others)
        reading = _Reading(request, header, {name: column_place(path, names, name) for name in request.numbers}, words)
        for line, row in rows:
            reading.add_row(line, row)
    if reading.rounded.count:
        raise WrongInput(f"{path}: {reading.rounded.refusal}")
    if reading.odd > MAX_ODD_SHARE * len(reading.lines):
        request.problems.advise(
            path, WRONG_CELL_COUNT, "Numbers with decimal commas need semicolons or tabs between cells"
        )
    if not reading.lines:
        raise WrongInput(f"{path} has a header and no rows.")
    if reading.merged and request.notes is not None:
        request.notes.add(Recognized.UNITED_ROWS, path, merged_rows_note(reading.merged))
    return Sheet(
        path=path,
        lines=reading.lines,
        columns={finding: names[place] for finding, place in header.findings.items()},
        values=np.array(reading.values).reshape(len(reading.lines), len(header.findings)),
        texts=dict(zip(request.texts, reading.texts, strict=True)),
        unknown=(*header.unknown, *(f"column {place + 1}, without a name" for place in unexplained_columns(rows))),
    )


class _UnusualNotation(Exception):
    """A cell is not in plain notation. `numbers`: number columns that are not findings -> indices."""

    def __init__(self, header: TableHeader, numbers: Mapping[str, int]) -> None:
        super().__init__()
        self.header, self.numbers = header, numbers


def _stronger(one: float, other: float) -> float:
    """Return the label that counts if two rows of an image differ: present before uncertain, absent, unknown."""
    return next((each for each in (1.0, UNCERTAIN, 0.0) if each in (one, other)), np.nan)


class _Reading:
    """Accumulates the rows of a file."""

    def __init__(
        self, request: _SheetRequest, header: TableHeader, numbers: Mapping[str, int], words: CellWords | None
    ) -> None:
        self.path, self.cell, self.problems, self.wrong = request.path, request.cell, request.problems, request.wrong
        self.header, self._numbers_at, self._words = header, numbers, words
        self.names = request.texts
        self.lines: dict[str, int] = {}
        self.merged: dict[str, list[int]] = {}  # lines of each image with several rows of labels
        self._rows: dict[str, int] = {}
        self.odd = 0  # rows with more or fewer cells than the header
        self.rounded = RoundedIds("image ids")
        self.texts: list[list[str]] = [[] for _ in header.texts]
        self.values = array("d")

    def add_row(self, line: int, row: list[str]) -> None:
        """Add a row. A row with a wrong number of cells is a problem; its image is kept, without values."""
        width = self.header.width
        image = row[self.header.image] if self.header.image < len(row) else ""
        if is_missing(image):
            problem = f"no image id: {image!r}" if image.strip() else "no image id"
            self.problems.add(problem, self.path, line, kind="rows without an image id")
            return
        if self.rounded.see(image, line):
            return
        if image in self.lines:
            self._merge(line, image, row)
            return
        self._rows[image] = len(self.lines)
        self.lines[image] = line
        if len(row) != width:
            problem = f"{len(row)} cells where the header has {width}"
            self.problems.add(problem, self.path, line, image, kind=WRONG_CELL_COUNT)
            self.odd += 1
            self.values.extend([np.nan] * len(self.header.findings))
        else:
            row = self._plain(row)
            self.values.extend(self._numbers(line, image, [row[place] for place in self.header.findings.values()]))
        for column, place in zip(self.texts, self.header.texts, strict=True):
            column.append(row[place] if place < len(row) else "")

    def _merge(self, line: int, image: str, row: list[str]) -> None:
        """Merge a further label row of an image, as `ingest` does; a second row of scores is a problem."""
        if self.cell is not parse_label:
            problem = f"the same image as in line {self.lines[image]}"
            self.problems.add(problem, self.path, line, image, kind="repeated rows of an image")
            return
        self.merged.setdefault(image, [self.lines[image]]).append(line)
        if len(row) != self.header.width:
            problem = f"{len(row)} cells where the header has {self.header.width}"
            self.problems.add(problem, self.path, line, image, kind=WRONG_CELL_COUNT)
            return
        row, at = self._plain(row), self._rows[image]
        start = at * len(self.header.findings)
        numbers = self._numbers(line, image, [row[place] for place in self.header.findings.values()])
        for place, number in enumerate(numbers, start):
            self.values[place] = _stronger(self.values[place], number)
        for name, column, place in zip(self.names, self.texts, self.header.texts, strict=True):
            if is_missing(column[at]):
                column[at] = row[place]
            elif not is_missing(row[place]) and row[place].strip() != column[at].strip():
                problem = f"the column {name!r} says {row[place]!r}, line {self.lines[image]} says {column[at]!r}"
                self.problems.add(problem, self.path, line, image, kind="rows of one image that differ")

    def _plain(self, row: list[str]) -> list[str]:
        if self._words is None and any("," in row[place] for place in self._numbers_at.values()):
            raise _UnusualNotation(self.header, self._numbers_at)
        return self._words.plainly(row) if self._words else row

    def _numbers(self, line: int, image: str, cells: list[str]) -> list[float]:
        try:
            return [self.cell(text) for text in cells]
        except ValueError:
            if self._words is None:
                raise _UnusualNotation(self.header, self._numbers_at) from None
            return [self._number(line, image, *pair) for pair in zip(self.header.findings, cells, strict=True)]

    def _number(self, line: int, image: str, finding: str, text: str) -> float:
        try:
            return self.cell(text)
        except ValueError as error:
            kind = error.kind if isinstance(error, WrongCell) else None
            self.problems.add(f"{finding}: {error}", self.path, line, image, kind=kind)
            self.wrong(text)
            return np.nan

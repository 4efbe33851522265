"""A CSV file of one row per image and one column per finding."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

import numpy as np

from explorer.core.arrays import Floats
from explorer.tabular.cell_words import CellWords, decimal_commas, label_words
from explorer.tabular.cells import UNCERTAIN, label
from explorer.tabular.csv_rows import csv_rows, unexplained_columns
from explorer.tabular.header import TableHeader, column_place, read_header
from explorer.tabular.missing_words import is_missing
from explorer.tabular.notes import Notes, Recognized, united_words
from explorer.tabular.own_columns import OwnColumns
from explorer.tabular.problems import Problems, WrongCell, WrongInput
from explorer.tabular.rounded_ids import RoundedIds

CELLS = "rows with another number of cells than the header"
MOST_ODD = 0.5  # of the rows: with more, the header and the rows are written in two ways
NO_OWN = OwnColumns()
Cell = Callable[[str], float]


def _no_progress(cell: str) -> None:
    """Nobody asks which cells are wrong."""


NO_OWN = OwnColumns()


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """What a file says. Cells with a problem are NaN: call `Problems.refuse` before they are used."""

    path: Path
    lines: Mapping[str, int]  # image -> its line in the file; in the order of the file
    columns: Mapping[str, str]  # finding -> the name that its column has
    values: Floats  # (images, findings)
    texts: Mapping[str, Sequence[str]]  # column asked for -> its cell for each image
    unknown: Sequence[str]  # columns that name no finding

    def without(self, images: Collection[str]) -> Sheet:
        """The sheet without the rows of these images."""
        kept = [image not in images for image in self.lines]
        return replace(
            self,
            lines={image: line for image, line in self.lines.items() if image not in images},
            values=self.values[np.array(kept, dtype=bool)],
            texts={name: list(compress(cells, kept)) for name, cells in self.texts.items()},
        )


def read_sheet(
    path: Path,
    cell: Cell,
    image: str,
    texts: Sequence[str],
    problems: Problems,
    notes: Notes | None = None,
    *,
    own: OwnColumns = NO_OWN,
    numbers: Sequence[str] = (),
    wrong: Callable[[str], None] = _no_progress,
) -> Sheet:
    """Read a file. `cell` makes a finding's cell a number or raises WrongCell; `image` and `texts` are column names,
    `own` says which columns are findings that no taxonomy has. Several rows of labels of one image are united.

    With `notes` other ways to write a table and its cells are recognized and noted; `numbers` are those of the `texts`
    that hold numbers. `wrong` is told each cell of a finding that is a problem. Raises WrongInput where the file cannot
    be used at all.
    """
    asked = _Asked(path, cell, image, texts, problems, notes, own, numbers, wrong)
    if notes is None:
        return _read(asked, CellWords())
    before = problems.state()
    try:
        return _read(asked, None)
    except _AnotherWay as found:
        problems.go_back(before)
        header, commas = found.header, list(found.numbers.values())
    words, wanted = CellWords(), (image, *texts)
    if cell is label:
        columns = {place: finding for finding, place in header.findings.items()}
        words = label_words(path, wanted, columns, notes)
    else:
        commas += header.findings.values()
    if commas:
        words = CellWords(words.words, decimal_commas(path, wanted, commas, notes).commas)
    return _read(asked, words)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What `read_sheet` was given."""

    path: Path
    cell: Cell
    image: str
    texts: Sequence[str]
    problems: Problems
    notes: Notes | None
    own: OwnColumns
    numbers: Sequence[str]
    wrong: Callable[[str], None]


def _read(asked: _Asked, words: CellWords | None) -> Sheet:
    """Read as `words` say; without, raise _AnotherWay at the first cell that is not written plainly."""
    path, own = asked.path, asked.own
    with csv_rows(path, (asked.image, *asked.texts), asked.notes) as (names, rows):
        header = read_header(path, names, asked.image, asked.texts, asked.problems, own.findings, own.others)
        reading = _Reading(asked, header, {name: column_place(path, names, name) for name in asked.numbers}, words)
        for line, row in rows:
            reading.take(line, row)
    if reading.rounded.count:
        raise WrongInput(f"{path}: {reading.rounded.refusal}")
    if reading.odd > MOST_ODD * len(reading.lines):
        asked.problems.advise(path, CELLS, "Numbers with decimal commas need semicolons or tabs between cells")
    if not reading.lines:
        raise WrongInput(f"{path} has a header and no rows.")
    if reading.united and asked.notes is not None:
        asked.notes.add(Recognized.UNITED_ROWS, path, united_words(reading.united))
    return Sheet(
        path=path,
        lines=reading.lines,
        columns={finding: names[place] for finding, place in header.findings.items()},
        values=np.array(reading.values).reshape(len(reading.lines), len(header.findings)),
        texts=dict(zip(asked.texts, reading.texts, strict=True)),
        unknown=(*header.unknown, *(f"column {place + 1}, without a name" for place in unexplained_columns(rows))),
    )


class _AnotherWay(Exception):
    """A cell is not written plainly. `numbers` are the places of columns of numbers that are no finding."""

    def __init__(self, header: TableHeader, numbers: Mapping[str, int]) -> None:
        super().__init__()
        self.header, self.numbers = header, numbers


def _stronger(one: float, other: float) -> float:
    """Of what two rows say of a finding the one that counts: present, uncertain, absent, nothing."""
    return next((each for each in (1.0, UNCERTAIN, 0.0) if each in (one, other)), np.nan)


class _Reading:
    """The rows taken so far."""

    def __init__(self, asked: _Asked, header: TableHeader, numbers: Mapping[str, int], words: CellWords | None) -> None:
        self.path, self.cell, self.problems, self.wrong = asked.path, asked.cell, asked.problems, asked.wrong
        self.header, self._numbers_at, self._words = header, numbers, words
        self.names = asked.texts
        self.lines: dict[str, int] = {}
        self.united: dict[str, list[int]] = {}  # lines of each image with several rows of labels
        self._rows: dict[str, int] = {}
        self.odd = 0  # rows with another number of cells than the header
        self.rounded = RoundedIds("image ids")
        self.texts: list[list[str]] = [[] for _ in header.texts]
        self.values = array("d")

    def take(self, line: int, row: list[str]) -> None:
        """Keep a row. One with too few or too many cells is a problem and its image is kept, without values."""
        width = self.header.width
        image = row[self.header.image] if self.header.image < len(row) else ""
        if is_missing(image):
            said = f"no image id: {image!r}" if image.strip() else "no image id"
            self.problems.add(said, self.path, line, kind="rows without an image id")
            return
        if self.rounded.see(image, line):
            return
        if image in self.lines:
            self._again(line, image, row)
            return
        self._rows[image] = len(self.lines)
        self.lines[image] = line
        if len(row) != width:
            said = f"{len(row)} cells where the header has {width}"
            self.problems.add(said, self.path, line, image, kind=CELLS)
            self.odd += 1
            self.values.extend([np.nan] * len(self.header.findings))
        else:
            row = self._plain(row)
            self.values.extend(self._numbers(line, image, [row[place] for place in self.header.findings.values()]))
        for column, place in zip(self.texts, self.header.texts, strict=True):
            column.append(row[place] if place < len(row) else "")

    def _again(self, line: int, image: str, row: list[str]) -> None:
        """Unite a further row of labels with the first of its image, as `ingest` does; two rows of scores are wrong."""
        if self.cell is not label:
            said = f"the same image as in line {self.lines[image]}"
            self.problems.add(said, self.path, line, image, kind="rows of an image that was there before")
            return
        self.united.setdefault(image, [self.lines[image]]).append(line)
        if len(row) != self.header.width:
            said = f"{len(row)} cells where the header has {self.header.width}"
            self.problems.add(said, self.path, line, image, kind=CELLS)
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
                said = f"the column {name!r} says {row[place]!r}, line {self.lines[image]} says {column[at]!r}"
                self.problems.add(said, self.path, line, image, kind="rows of one image that differ")

    def _plain(self, row: list[str]) -> list[str]:
        if self._words is None and any("," in row[place] for place in self._numbers_at.values()):
            raise _AnotherWay(self.header, self._numbers_at)
        return self._words.plainly(row) if self._words else row

    def _numbers(self, line: int, image: str, cells: list[str]) -> list[float]:
        try:
            return [self.cell(text) for text in cells]
        except ValueError:
            if self._words is None:
                raise _AnotherWay(self.header, self._numbers_at) from None
            return [self._number(line, image, *pair) for pair in zip(self.header.findings, cells, strict=True)]

    def _number(self, line: int, image: str, finding: str, text: str) -> float:
        try:
            return self.cell(text)
        except ValueError as error:
            kind = error.kind if isinstance(error, WrongCell) else None
            self.problems.add(f"{finding}: {error}", self.path, line, image, kind=kind)
            self.wrong(text)
            return np.nan

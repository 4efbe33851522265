"""A CSV file of one row per image and one column per finding."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from explorer.core.arrays import Floats
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.header import TableHeader, read_header
from explorer.tabular.own_columns import OwnColumns
from explorer.tabular.problems import Problems, WrongInput

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


def read_sheet(
    path: Path,
    cell: Callable[[str], float],
    image: str,
    texts: Sequence[str],
    problems: Problems,
    own: OwnColumns = NO_OWN,
) -> Sheet:
    """Read a file. `cell` makes a finding's cell a number or raises ValueError; `image` and `texts` are column names,
    `own` says which columns are findings that no taxonomy has.

    Raises WrongInput where the file cannot be used at all.
    """
    with csv_rows(path) as (names, rows):
        header = read_header(path, names, image, texts, problems, own.findings, own.others)
        reading = _Reading(path, header, cell, problems)
        for line, row in rows:
            reading.take(line, row)
    if not reading.lines:
        raise WrongInput(f"{path} has a header and no rows.")
    return Sheet(
        path=path,
        lines=reading.lines,
        columns={finding: names[place] for finding, place in header.findings.items()},
        values=np.array(reading.values).reshape(len(reading.lines), len(header.findings)),
        texts=dict(zip(texts, reading.texts, strict=True)),
        unknown=header.unknown,
    )


class _Reading:
    """The rows taken so far."""

    def __init__(self, path: Path, header: TableHeader, cell: Callable[[str], float], problems: Problems) -> None:
        self.path, self.header, self.cell, self.problems = path, header, cell, problems
        self.lines: dict[str, int] = {}
        self.texts: list[list[str]] = [[] for _ in header.texts]
        self.values = array("d")

    def take(self, line: int, row: list[str]) -> None:
        """Keep a row. One with too few or too many cells is a problem and its image is kept, without values."""
        width = self.header.width
        image = row[self.header.image] if self.header.image < len(row) else ""
        if not image.strip():
            self.problems.add("no image id", self.path, line)
            return
        if image in self.lines:
            self.problems.add(f"the same image as in line {self.lines[image]}", self.path, line, image)
            return
        self.lines[image] = line
        if len(row) != width:
            self.problems.add(f"{len(row)} cells where the header has {width}", self.path, line, image)
            self.values.extend([np.nan] * len(self.header.findings))
        else:
            self.values.extend(self._numbers(line, image, [row[place] for place in self.header.findings.values()]))
        for column, place in zip(self.texts, self.header.texts, strict=True):
            column.append(row[place] if place < len(row) else "")

    def _numbers(self, line: int, image: str, cells: list[str]) -> list[float]:
        try:
            return [self.cell(text) for text in cells]
        except ValueError:
            return [self._number(line, image, *pair) for pair in zip(self.header.findings, cells, strict=True)]

    def _number(self, line: int, image: str, finding: str, text: str) -> float:
        try:
            return self.cell(text)
        except ValueError as error:
            self.problems.add(f"{finding}: {error}", self.path, line, image)
            return np.nan

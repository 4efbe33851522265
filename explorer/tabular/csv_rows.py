"""The rows of a CSV file with their line numbers; what cannot be read is refused in words."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TextIO

from explorer.tabular.encoding import PLAIN, encoding_of, not_utf_8
from explorer.tabular.notes import Notes, Recognized
from explorer.tabular.problems import WrongInput
from explorer.tabular.separator import WORDS, HeaderNames, declared, header_place
from explorer.tabular.unnamed_columns import UnnamedColumns

Row = tuple[int, list[str]]  # the line where it ends, its cells
HEAD = 1 << 16  # characters
SHOWN = 60  # characters of a title
LONGEST = 10_000_000  # characters of a cell: a report is one


class CsvTable(NamedTuple):
    """The header of a file, and its rows, which may be gone through once."""

    names: list[str]
    rows: Iterator[Row]


@contextmanager
def csv_rows(path: Path, wanted: Sequence[str] = (), notes: Notes | None = None) -> Iterator[CsvTable]:
    """The header and the rows of a file; blank lines are passed over.

    With `notes` the file may be separated by semicolons, tabs, pipes or colons, have a title above the header, be in
    UTF-16 and have cells, columns and rows that are empty: that is recognized and noted, `wanted` being columns that it
    should have. Without, it is comma-separated and
    in UTF-8. Raises WrongInput, in the block too, where the file cannot be read or has no header.
    """
    encoding = PLAIN
    try:
        if notes is not None:
            encoding = encoding_of(path)
            if encoding.said:
                notes.add(Recognized.ENCODING, path, encoding.said)
        with path.open(encoding=encoding.name, newline="") as file:
            yield rows_of(file, path, wanted, notes)
    except OSError as error:
        raise WrongInput(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        said = not_utf_8(path) if encoding is PLAIN else f"{path} is not text in UTF-16. Save it as CSV in UTF-8."
        raise WrongInput(said) from error


def rows_of(file: TextIO, path: Path, wanted: Sequence[str], notes: Notes | None) -> CsvTable:
    """The same of an open text that can be gone back in; `path` is what it is called. Raises WrongInput."""
    mark, skipped = _separated(file, path, wanted, notes)
    rows = _rows(file, mark, path)
    for _ in range(skipped):
        next(rows)
    first = next(rows, None)
    if first is None:
        raise WrongInput(f"{path} is empty. It needs a header: an image id and one column per finding.")
    names = HeaderNames(first[1])
    names.separator = mark
    return CsvTable(names, rows if notes is None else _TidyRows(rows, names, wanted, path, notes))


def _separated(file: TextIO, path: Path, wanted: Sequence[str], notes: Notes | None) -> tuple[str, int]:
    """What stands between cells, and how many lines are above the header."""
    if notes is None:
        return ",", 0
    head = file.read(HEAD).removeprefix("\ufeff")
    file.seek(0)
    said = declared(head)
    mark, above = (said, []) if said else header_place(head, wanted)
    if mark != ",":
        notes.add(Recognized.SEPARATOR, path, f"cells are separated by {WORDS[mark]}")
    if above:
        title = " ".join(filter(None, map(str.strip, above[0])))
        lines = "1 line" if len(above) == 1 else f"{len(above)} lines"
        notes.add(Recognized.TITLE, path, f"{lines} above the header passed over: {title[:SHOWN]!r}")
    return mark, 1 if said else len(above)


def _rows(file: TextIO, mark: str, path: Path) -> Iterator[Row]:
    csv.field_size_limit(LONGEST)
    reader, line = csv.reader(file, delimiter=mark, strict=True), 0
    try:
        for row in reader:
            line = reader.line_num
            if row:
                yield line, row
    except csv.Error as error:
        raise WrongInput(_not_csv(path, str(error), line + 1, mark)) from error


def _not_csv(path: Path, error: str, line: int, mark: str) -> str:
    """What is wrong with the row that begins in a line, where Python's parser says `error`."""
    if "field larger" in error or "end of data" in error:
        wrong = f"a quotation mark that opens in line {line:,} is not closed before the file ends"
        if "field larger" in error:
            wrong = f"a cell in line {line:,} has over {LONGEST:,} characters, or its quotation mark is not closed"
        return f"{path}: {wrong}. Close it, or write one that belongs to the text twice."
    if "expected after" in error:
        after = f"something else than {WORDS[mark].removesuffix('s')} or line end follows a closing quotation mark"
        return f"{path}, line {line:,}: {after}. Write a quotation mark that belongs to the text twice."
    return f"{path} is not a CSV file: line {line:,} cannot be taken apart. Save it as CSV in UTF-8."


class _TidyRows(Iterator[Row]):
    """Rows without what is empty: whole rows, and cells beyond the header. What was left out is noted at the end."""

    def __init__(
        self, rows: Iterator[Row], names: Sequence[str], wanted: Sequence[str], path: Path, notes: Notes
    ) -> None:
        self._rows, self._width, self._path, self._notes = rows, len(names), path, notes
        self._columns = UnnamedColumns(names, wanted)
        self._blank = self._longer = 0

    def __next__(self) -> Row:
        for line, row in self._rows:
            if not any(map(str.strip, row)):
                self._blank += 1
                continue
            if len(row) > self._width and not any(map(str.strip, row[self._width :])):
                self._longer += 1
                row = row[: self._width]
            self._columns.see(row)
            return line, row
        self._tell()
        raise StopIteration

    @property
    def unexplained(self) -> list[int]:
        """Places of columns without a name that are neither empty nor an index; of the rows gone through so far."""
        return self._columns.unexplained

    def _tell(self) -> None:
        if self._blank:
            rows = "1 row" if self._blank == 1 else f"{self._blank:,} rows"
            self._notes.add(Recognized.BLANK_ROWS, self._path, f"{rows} without a single filled cell passed over")
        if self._longer:
            rows = "1 row" if self._longer == 1 else f"{self._longer:,} rows"
            self._notes.add(Recognized.SURPLUS_CELLS, self._path, f"empty cells beyond the header left out in {rows}")
        self._columns.tell(self._path, self._notes)


def unexplained_columns(rows: Iterator[Row]) -> list[int]:
    """Of rows that were gone through: the places of columns without a name that hold something else than an index."""
    return rows.unexplained if isinstance(rows, _TidyRows) else []

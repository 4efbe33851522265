"""Reads the rows of a CSV file with their line numbers; unreadable files are refused with a reason."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TextIO

from explorer.tabular.encoding import UTF_8, encoding_of, not_utf_8
from explorer.tabular.notes import Notes, Recognized
from explorer.tabular.problems import WrongInput
from explorer.tabular.separator import SEPARATOR_NAMES, HeaderNames, declared_separator, header_place
from explorer.tabular.unnamed_columns import UnnamedColumns

NumberedRow = tuple[int, list[str]]  # the line on which a row ends, and its cells
HEAD_CHARS = 1 << 16
MAX_TITLE_CHARS = 60
MAX_CELL_CHARS = 10_000_000  # a cell may hold a report


class CsvTable(NamedTuple):
    """The header of a file, and its rows, which can be iterated once."""

    names: list[str]
    rows: Iterator[NumberedRow]


@contextmanager
def csv_rows(path: Path, wanted: Sequence[str] = (), notes: Notes | None = None) -> Iterator[CsvTable]:
    """Yield the header and the rows of a file; blank lines are skipped.

    With `notes`, other notations are recognized and noted: semicolons, tabs, pipes or colons between cells, a title
    above the header, UTF-16, and empty cells, columns and rows; `wanted` are columns that help to find the header.
    Without `notes`, the file must be comma-separated and in UTF-8. Raises WrongInput, also inside the block, if the
    file cannot be read or has no header.
    """
    encoding = UTF_8
    try:
        if notes is not None:
            encoding = encoding_of(path)
            if encoding.note:
                notes.add(Recognized.ENCODING, path, encoding.note)
        with path.open(encoding=encoding.name, newline="") as file:
            yield csv_table(file, path, wanted, notes)
    except OSError as error:
        raise WrongInput(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        problem = not_utf_8(path) if encoding is UTF_8 else f"{path} is not text in UTF-16. Save it as CSV in UTF-8."
        raise WrongInput(problem) from error


def csv_table(file: TextIO, path: Path, wanted: Sequence[str], notes: Notes | None) -> CsvTable:
    """Like `csv_rows`, for an open, seekable text; `path` appears in messages. Raises WrongInput."""
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
    """Return the separator, and the number of lines above the header."""
    if notes is None:
        return ",", 0
    head = file.read(HEAD_CHARS).removeprefix("\ufeff")
    file.seek(0)
    separator = declared_separator(head)
    mark, above = (separator, []) if separator else header_place(head, wanted)
    if mark != ",":
        notes.add(Recognized.SEPARATOR, path, f"cells are separated by {SEPARATOR_NAMES[mark]}")
    if above:
        title = " ".join(filter(None, map(str.strip, above[0])))
        lines = "1 line" if len(above) == 1 else f"{len(above)} lines"
        notes.add(Recognized.TITLE, path, f"{lines} above the header skipped: {title[:MAX_TITLE_CHARS]!r}")
    return mark, 1 if separator else len(above)


def _rows(file: TextIO, mark: str, path: Path) -> Iterator[NumberedRow]:
    csv.field_size_limit(MAX_CELL_CHARS)
    reader, line = csv.reader(file, delimiter=mark, strict=True), 0
    try:
        for row in reader:
            line = reader.line_num
            if row:
                yield line, row
    except csv.Error as error:
        raise WrongInput(_not_csv(path, str(error), line + 1, mark)) from error


def _not_csv(path: Path, error: str, line: int, mark: str) -> str:
    """Return a refusal for the row that starts on a line, given the error of Python's parser."""
    if "field larger" in error or "end of data" in error:
        wrong = f"a quotation mark that opens in line {line:,} is not closed before the file ends"
        if "field larger" in error:
            wrong = (
                f"a cell in line {line:,} has over {MAX_CELL_CHARS:,} characters, or its quotation mark is not closed"
            )
        return f"{path}: {wrong}. Close it, or double a quotation mark that belongs to the text."
    if "expected after" in error:
        separator = SEPARATOR_NAMES[mark].removesuffix("s")
        after = f"something other than {separator} or line end follows a closing quotation mark"
        return f"{path}, line {line:,}: {after}. Double a quotation mark that belongs to the text."
    return f"{path} is not a CSV file: line {line:,} cannot be split into cells. Save it as CSV in UTF-8."


class _TidyRows(Iterator[NumberedRow]):
    """Skips empty rows, and empty cells beyond the header; what was skipped is noted at the end."""

    def __init__(
        self, rows: Iterator[NumberedRow], names: Sequence[str], wanted: Sequence[str], path: Path, notes: Notes
    ) -> None:
        self._rows, self._width, self._path, self._notes = rows, len(names), path, notes
        self._columns = UnnamedColumns(names, wanted)
        self._blank = self._longer = 0

    def __next__(self) -> NumberedRow:
        for line, row in self._rows:
            if not any(map(str.strip, row)):
                self._blank += 1
                continue
            if len(row) > self._width and not any(map(str.strip, row[self._width :])):
                self._longer += 1
                row = row[: self._width]
            self._columns.see(row)
            return line, row
        self._add_notes()
        raise StopIteration

    @property
    def unexplained(self) -> list[int]:
        """Indices of unnamed columns that are neither empty nor an index, judged by the rows read so far."""
        return self._columns.unexplained

    def _add_notes(self) -> None:
        if self._blank:
            rows = "1 row" if self._blank == 1 else f"{self._blank:,} rows"
            self._notes.add(Recognized.BLANK_ROWS, self._path, f"{rows} with no filled cell skipped")
        if self._longer:
            rows = "1 row" if self._longer == 1 else f"{self._longer:,} rows"
            self._notes.add(Recognized.SURPLUS_CELLS, self._path, f"empty cells beyond the header left out in {rows}")
        self._columns.add_notes(self._path, self._notes)


def unexplained_columns(rows: Iterator[NumberedRow]) -> list[int]:
    """Return the indices of unnamed columns that hold more than an index, once the rows have been read."""
    return rows.unexplained if isinstance(rows, _TidyRows) else []

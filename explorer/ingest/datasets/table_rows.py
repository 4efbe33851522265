"""Reads a published table: CSV, CSV.GZ, or the only CSV in a ZIP. Unreadable files are refused with a reason."""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TextIO, cast

from explorer.ingest.rejects import Reject, RejectReason
from explorer.tabular.csv_rows import NumberedRow
from explorer.tabular.problems import WrongInput

PACKED_ENDINGS = (".gz", ".zip")
_HEAD = 512
_AGAIN = "Download it again."


@contextmanager
def table_rows(path: Path) -> Iterator[tuple[list[str], Iterator[NumberedRow]]]:
    """Yield the header, stripped, and the rows with the line on which each ends.

    Raises WrongInput, also inside the block, if the file is not a complete table.
    """
    try:
        with open_text(path) as file:
            reader = csv.reader(file, strict=True)
            rows = ((reader.line_num, row) for row in reader if row)
            first = next(rows, None)
            if first is None:
                raise WrongInput(f"{path} is empty. {_AGAIN}")
            yield [name.strip() for name in first[1]], rows
    except csv.Error as error:
        raise WrongInput(f"{path} is not a valid CSV file: {error} in line {reader.line_num}. {_AGAIN}") from error


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a published file as text, unpacked. Raises WrongInput, also inside the block."""
    try:
        with _bytes_of(path) as packed, io.TextIOWrapper(packed, encoding="utf-8-sig", newline="") as text:
            _refuse_page(path, packed)
            yield text
    except UnicodeDecodeError as error:
        raise WrongInput(f"{path} is not text in UTF-8. Use the file as it was published.") from error
    except (EOFError, zlib.error, zipfile.BadZipFile, gzip.BadGzipFile) as error:
        raise WrongInput(f"{path} is truncated, or is not packed as its name says. {_AGAIN}") from error
    except OSError as error:
        raise WrongInput(f"{path} cannot be read: {error.strerror}.") from error


@contextmanager
def _bytes_of(path: Path) -> Iterator[IO[bytes]]:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            files = [name for name in archive.namelist() if name.endswith((".csv", ".json")) and "__MACOSX" not in name]
            if len(files) != 1:
                raise WrongInput(f"{path} holds {len(files)} tables; one is expected. Unpack it first.")
            with archive.open(files[0]) as file:
                yield file
    elif path.suffix == ".gz":
        with gzip.open(path) as unpacked:
            yield cast(IO[bytes], unpacked)
    else:
        with path.open("rb") as file:
            yield file


def _refuse_page(path: Path, file: IO[bytes]) -> None:
    """Refuse login pages and Git LFS pointers, which are often saved under the table's name."""
    head = file.read(_HEAD).lstrip().lower()
    file.seek(0)
    if head.startswith((b"<!doctype", b"<html")):
        raise WrongInput(f"{path} is a web page, not the table: the site asked for a login. Log in, then download it.")
    if head.startswith(b"version https://git-lfs"):
        raise WrongInput(f"{path} only points to the table, in Git LFS. Fetch it with git lfs pull.")
    if head.startswith(b"pk\x03\x04"):
        raise WrongInput(f"{path} is a ZIP or an Excel workbook, not a CSV file. Unpack it, or take the CSV file.")


def whole_rows(
    names: Sequence[str], rows: Iterator[NumberedRow], image: int, rejects: list[Reject]
) -> Iterator[NumberedRow]:
    """Yield the rows that are as wide as the header; the others become rejects, identified by their cell `image`."""
    for line, row in rows:
        if len(row) == len(names):
            yield line, row
        else:
            detail = f"{len(row)} where the header has {len(names)}"
            rejects.append(Reject(line, row[image] if image < len(row) else "", RejectReason.CELLS, detail))

"""The rows of a CSV file with their line numbers; what cannot be read is refused in words."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer.tabular.problems import WrongInput

Row = tuple[int, list[str]]  # the line where it ends, its cells


@contextmanager
def csv_rows(path: Path) -> Iterator[tuple[list[str], Iterator[Row]]]:
    """The header and the rows of a comma-separated file in UTF-8; blank lines are passed over.

    Raises WrongInput, in the block too, where the file cannot be read or has no header.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            rows = ((reader.line_num, row) for row in reader if row)
            first = next(rows, None)
            if first is None:
                raise WrongInput(f"{path} is empty. It needs a header: an image id and one column per finding.")
            yield first[1], rows
    except OSError as error:
        raise WrongInput(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise WrongInput(f"{path} is not text in UTF-8. Save it as CSV in UTF-8.") from error
    except csv.Error as error:
        raise WrongInput(f"{path} is not a CSV file: {error} in line {reader.line_num}.") from error

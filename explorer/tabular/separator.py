"""What stands between the cells of a table: a comma, a semicolon or a tab."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

WORDS = {",": "commas", ";": "semicolons", "\t": "tabs"}
# A first line that spreadsheets write, and obey.
_DECLARED = re.compile(r'"?sep=(.)"?[\r\n]', re.IGNORECASE)


class HeaderNames(list[str]):
    """The names of a header, and what stands between them."""

    separator: str = ","


def declared(head: str) -> str | None:
    """The separator that the first line declares, None where it is the header."""
    found = _DECLARED.match(head)
    return found[1] if found and found[1] in WORDS else None


def separator_of(head: str, wanted: Sequence[str]) -> str:
    """The separator of a table from its first characters; `wanted` are columns that it should have.

    A separator with which the header has them is meant, the comma first; else the one that gives the most columns.
    """
    headers = {mark: [name.strip() for name in _header(head, mark)] for mark in WORDS}
    for mark, names in headers.items():
        if wanted and all(name in names for name in wanted):
            return mark
    return max(WORDS, key=lambda mark: len(headers[mark]))


def _header(head: str, mark: str) -> list[str]:
    try:
        return next((row for row in csv.reader(io.StringIO(head, newline=""), delimiter=mark) if row), [])
    except csv.Error:  # a cell that is too long, which is told when the file is read
        return []

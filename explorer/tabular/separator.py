"""Finds the separator of a table, and which of its first lines is the header."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

SEPARATOR_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes", ":": "colons"}
MAX_TITLE_LINES = 5
# A first line that some spreadsheets write and honor.
_DECLARED = re.compile(r'"?sep=(.)"?[\r\n]', re.IGNORECASE)


class HeaderNames(list[str]):
    """The names of a header, and the separator between them."""

    separator: str = ","


def declared_separator(head: str) -> str | None:
    """Return the separator that the first line declares, None if it does not."""
    found = _DECLARED.match(head)
    return found[1] if found and found[1] in SEPARATOR_NAMES else None


class HeaderPlace(NamedTuple):
    """The separator of a table, and the lines above its header."""

    mark: str
    above: list[list[str]]


def header_place(head: str, wanted: Sequence[str]) -> HeaderPlace:
    """Find the header of a table in its first characters; `wanted` are columns that it should have.

    The header is the first line that has them with any separator, commas tried first. If there is none, it is the first
    line, with the separator that gives the most columns.
    """
    lines = {mark: _first_lines(head, mark) for mark in SEPARATOR_NAMES}
    for place in range(MAX_TITLE_LINES + 1 if wanted else 0):
        for mark, rows in lines.items():
            if len(rows) > place and set(wanted) <= {name.strip() for name in rows[place]}:
                return HeaderPlace(mark, rows[:place])
    return HeaderPlace(max(SEPARATOR_NAMES, key=lambda mark: len(lines[mark][0]) if lines[mark] else 0), [])


def _first_lines(head: str, mark: str) -> list[list[str]]:
    rows = (row for row in csv.reader(io.StringIO(head, newline=""), delimiter=mark) if row)
    try:
        return list(islice(rows, MAX_TITLE_LINES + 1))
    except csv.Error:  # a cell that is too long, which is reported when the file is read
        return []

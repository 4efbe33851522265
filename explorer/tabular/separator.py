"""What stands between the cells of a table, and which of its first lines is the header."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

WORDS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes", ":": "colons"}
ABOVE = 5  # lines with a title, at most
# A first line that spreadsheets write, and obey.
_DECLARED = re.compile(r'"?sep=(.)"?[\r\n]', re.IGNORECASE)


class HeaderNames(list[str]):
    """The names of a header, and what stands between them."""

    separator: str = ","


def declared(head: str) -> str | None:
    """The separator that the first line declares, None where it is the header."""
    found = _DECLARED.match(head)
    return found[1] if found and found[1] in WORDS else None


class HeaderPlace(NamedTuple):
    """The separator of a table, and the lines above its header."""

    mark: str
    above: list[list[str]]


def header_place(head: str, wanted: Sequence[str]) -> HeaderPlace:
    """Where the header of a table is, from its first characters; `wanted` are columns that it should have.

    The first line that has them with any separator is meant, the comma first; where none has, the first line, with the
    separator that gives the most columns.
    """
    lines = {mark: _first_lines(head, mark) for mark in WORDS}
    for place in range(ABOVE + 1 if wanted else 0):
        for mark, rows in lines.items():
            if len(rows) > place and set(wanted) <= {name.strip() for name in rows[place]}:
                return HeaderPlace(mark, rows[:place])
    return HeaderPlace(max(WORDS, key=lambda mark: len(lines[mark][0]) if lines[mark] else 0), [])


def _first_lines(head: str, mark: str) -> list[list[str]]:
    rows = (row for row in csv.reader(io.StringIO(head, newline=""), delimiter=mark) if row)
    try:
        return list(islice(rows, ABOVE + 1))
    except csv.Error:  # a cell that is too long, which is told when the file is read
        return []

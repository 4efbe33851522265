"""Columns without a name: leftovers of a spreadsheet, or the index that a program wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from explorer.tabular.notes import Notes, Recognized

_PANDAS_NAME = re.compile(r"Unnamed: \d+(_level_\d+)?")  # what pandas calls an unnamed column


def unnamed(name: str) -> bool:
    """Whether a column has no name."""
    return not name.strip() or _PANDAS_NAME.fullmatch(name.strip()) is not None


class UnnamedColumns:
    """Inspects the cells below empty names, row by row; `wanted` columns, such as "Unnamed: 0", are skipped."""

    def __init__(self, names: Sequence[str], wanted: Sequence[str] = ()) -> None:
        self._places = [place for place, name in enumerate(names) if unnamed(name) and name.strip() not in wanted]
        self._filled = dict.fromkeys(self._places, False)
        self._next: dict[int, int | None] = {}  # next value of an index, None: not an index

    def see(self, row: Sequence[str]) -> None:
        for place in self._places:
            cell = row[place].strip() if place < len(row) else ""
            if not cell:
                if self._filled[place]:
                    self._next[place] = None
                continue
            number = int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 10 else None
            if not self._filled[place]:
                self._next[place] = number if number in (0, 1) else None
            expected = self._next[place]
            self._next[place] = None if expected is None or number != expected else expected + 1
            self._filled[place] = True

    @property
    def unexplained(self) -> list[int]:
        """Columns that are neither empty nor an index."""
        return [place for place in self._places if self._filled[place] and self._next[place] is None]

    def add_notes(self, path: Path, notes: Notes) -> None:
        """Note which columns were left out."""
        empty = [place for place in self._places if not self._filled[place]]
        if empty:
            what = "an empty column" if len(empty) == 1 else f"{len(empty):,} empty columns"
            notes.add(Recognized.UNNAMED_COLUMNS, path, f"{what} without a name left out")
        for place in self._places:
            if self._filled[place] and self._next[place] is not None:
                sentence = f"column {place + 1} has no name and counts the rows: left out as an index"
                notes.add(Recognized.UNNAMED_COLUMNS, path, sentence)
        for place in self.unexplained:
            sentence = f"column {place + 1} has no name: left out. To use it, name it in the header"
            notes.add(Recognized.UNNAMED_COLUMNS, path, sentence)

"""Labels of a row from one column of words, joined by a separator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from explorer.core.findings import BESIDE_NORMAL
from explorer.ingest.entries import PRESENT, UNKNOWN, LabelMarks
from explorer.ingest.label_columns import Named
from explorer.ingest.rejects import Reason, Rejected
from explorer.tabular.missing_words import MissingWords, names_nothing
from explorer.tabular.notes import Notes

_BESIDE_NORMAL = frozenset(BESIDE_NORMAL)
_AROUND = " \t\r\n[]'\""  # what a program writes around the words of a list


class _CellRead(NamedTuple):
    """What a cell says: its labels, words that are no finding, whether all are so, words for "nothing is known"."""

    marks: LabelMarks
    others: list[str]
    elsewhere: bool
    missing: list[str]


class ListMarks:
    """One column of words, joined by a separator. What a row does not name counts as `rest`.

    A row without any word says nothing: it has no labels. So has a finding that no row names. A word for "nothing is
    known" (nan, None) is no word.
    """

    def __init__(self, place: int, column: str, separator: str, named: Named, rest: int) -> None:
        self._place, self._column, self._separator, self._named, self._rest = place, column, separator, named, rest
        self._known: dict[str, int | None] = {}  # word -> place of its finding
        self._cells: dict[str, _CellRead] = {}
        self._missing = MissingWords()
        self.findings: list[str] = []
        self.others: Counter[str] = Counter()
        self.elsewhere = 0
        self.like_labels: tuple[str, ...] = ()

    def read(self, row: Sequence[str]) -> LabelMarks:
        """The labels of a row; raises Rejected."""
        cell = row[self._place]
        if cell not in self._cells:
            self._cells[cell] = self._read(cell)
        read = self._cells[cell]
        if read.others:
            self.others.update(read.others)
        for word in read.missing:
            self._missing.see(self._column, word)
        self.elsewhere += read.elsewhere
        return read.marks

    def tell(self, path: Path, notes: Notes) -> None:
        """Note how the cells so far were read."""
        self._missing.tell(path, notes)

    def _read(self, cell: str) -> _CellRead:
        """What a cell says, the same before and after other rows."""
        words = [word for part in cell.split(self._separator) if (word := part.strip(_AROUND))]
        missing = [word for word in words if self._named(word) is None and names_nothing(word)]
        words = [word for word in words if word not in missing]
        places = {word: self._place_of(word) for word in words}
        others = [word for word, place in places.items() if place is None]
        found = sorted({place for place in places.values() if place is not None})
        names = [self.findings[place] for place in found]
        if "Normal" in names and not _BESIDE_NORMAL.issuperset(names):
            self.others.update(others)
            raise Rejected(Reason.NORMAL_AND_FINDING, ", ".join(sorted(set(names) - _BESIDE_NORMAL)))
        rest = self._rest if words else UNKNOWN
        codes = bytearray([rest]) * len(self.findings)
        for place in found:
            codes[place] = PRESENT
        return _CellRead(LabelMarks(bytes(codes), rest), others, bool(words) and not found, missing)

    def _place_of(self, word: str) -> int | None:
        if word not in self._known:
            finding = self._named(word)
            if finding is not None and finding not in self.findings:
                self.findings.append(finding)
            self._known[word] = None if finding is None else self.findings.index(finding)
        return self._known[word]

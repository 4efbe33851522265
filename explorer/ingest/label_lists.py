"""Labels of a row from one column of words, joined by a separator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from explorer.ingest.entries import PRESENT, UNKNOWN, LabelMarks
from explorer.ingest.joined_words import Joined, unjoined
from explorer.ingest.label_columns import Named, not_beside_normal
from explorer.ingest.rejects import Reason, Rejected
from explorer.tabular.missing_words import MissingWords, names_nothing
from explorer.tabular.notes import Notes, Recognized

_AROUND = " \t\r\n[]'\""  # what a program writes around the words of a list


class _CellRead(NamedTuple):
    """What a cell says: its labels, words that are no finding and whether all are, words for "nothing is known", and
    the marks, other than the separator, by which words were joined.
    """

    marks: LabelMarks
    others: list[str]
    elsewhere: bool
    missing: list[str]
    joints: list[str]


class ListMarks:
    """One column of words, joined by a separator. What a row does not name counts as `rest`.

    A row without any word says nothing: it has no labels. So has a finding that no row names. A word for "nothing is
    known" (nan, None) is no word. Findings that another mark joins are taken apart, or their row is rejected.
    """

    def __init__(self, place: int, column: str, separator: str, named: Named, rest: int) -> None:
        self._place, self._column, self._separator, self._named, self._rest = place, column, separator, named, rest
        self._known: dict[str, int | None] = {}  # word -> place of its finding
        self._apart: dict[str, Joined | None] = {}  # word that is no finding -> those that it holds
        self._cells: dict[str, _CellRead] = {}
        self._missing = MissingWords()
        self._joints: Counter[str] = Counter()  # marks other than the separator -> rows
        self._joined = ""  # the first cell that has one
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
        if read.joints:
            self._joined = self._joined or cell
            self._joints.update(read.joints)
        self.elsewhere += read.elsewhere
        return read.marks

    def tell(self, path: Path, notes: Notes) -> None:
        """Note how the cells so far were read."""
        self._missing.tell(path, notes)
        for mark, rows in self._joints.items():
            lists = "1 list is" if rows == 1 else f"{rows:,} lists are"
            said = f"{lists} taken apart at {mark!r} too in the column {self._column!r}, as in {self._joined!r}"
            notes.add(Recognized.JOINED_WORDS, path, said)

    def _read(self, cell: str) -> _CellRead:
        """What a cell says, the same before and after other rows."""
        words, joints = self._words(cell)
        missing = [word for word in words if self._is_missing(word)]
        words = [word for word in words if word not in missing]
        places = {word: self._place_of(word) for word in words}
        others = [word for word, place in places.items() if place is None]
        found = sorted({place for place in places.values() if place is not None})
        names = [self.findings[place] for place in found]
        if apart := not_beside_normal(names):
            self.others.update(others)
            raise Rejected(Reason.NORMAL_AND_FINDING, ", ".join(apart))
        rest = self._rest if words else UNKNOWN
        codes = bytearray([rest]) * len(self.findings)
        for place in found:
            codes[place] = PRESENT
        return _CellRead(LabelMarks(bytes(codes), rest), others, bool(words) and not found, missing, joints)

    def _words(self, cell: str) -> tuple[list[str], list[str]]:
        """The words of a cell, and marks other than the separator that joined some. Raises Rejected."""
        words: list[str] = []
        joints: dict[str, None] = {}
        for part in cell.split(self._separator):
            word = part.strip(_AROUND)
            known = not word or self._is_finding(word) or names_nothing(word)
            joined = None if known else self._unjoined(word)
            words += [word] if joined is None else joined.words
            joints |= dict.fromkeys(joined.marks if joined else ())
        return [word for word in words if word], list(joints)

    def _unjoined(self, word: str) -> Joined | None:
        if word not in self._apart:
            self._apart[word] = unjoined(word, self._is_finding)
        return self._apart[word]

    def _is_finding(self, word: str) -> bool:
        return self._named(word) is not None

    def _is_missing(self, word: str) -> bool:
        return names_nothing(word) and not self._is_finding(word)

    def _place_of(self, word: str) -> int | None:
        if word not in self._known:
            finding = self._named(word)
            if finding is not None and finding not in self.findings:
                self.findings.append(finding)
            self._known[word] = None if finding is None else self.findings.index(finding)
        return self._known[word]

"""Reads a row's labels from one column of words, joined by a separator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from explorer.ingest.entries import PRESENT, UNKNOWN, LabelMarks
from explorer.ingest.joined_words import SplitWord, split_word
from explorer.ingest.label_columns import FindingOf, contradicting_normal
from explorer.ingest.rejects import Rejected, RejectReason
from explorer.tabular.missing_words import MissingWords, names_nothing
from explorer.tabular.notes import Notes, Recognized

_AROUND = " \t\r\n[]'\""  # characters that programs write around the words of a list


class _CellRead(NamedTuple):
    """The content of a cell: its labels, words that are not findings, whether it has only these, words for a missing
    value, and marks other than the separator that joined words.
    """

    marks: LabelMarks
    others: list[str]
    elsewhere: bool
    missing: list[str]
    joints: list[str]


class ListLabels:
    """Labels from one column of words joined by a separator. A finding that a row does not name counts as `rest`.

    A row without words has no labels, and neither does a finding that no row names. Words for a missing value (nan,
    None) are ignored. Findings joined by another mark are split, or their row is rejected.
    """

    def __init__(self, place: int, column: str, separator: str, named: FindingOf, rest: int) -> None:
        self._place, self._column, self._separator, self._named, self._rest = place, column, separator, named, rest
        self._known: dict[str, int | None] = {}  # word -> index of its finding
        self._split_words: dict[str, SplitWord | None] = {}  # word that is not a finding -> the findings in it
        self._cells: dict[str, _CellRead] = {}
        self._missing = MissingWords()
        self._joints: Counter[str] = Counter()  # marks other than the separator -> rows
        self._joined = ""  # the first cell that has one
        self.findings: list[str] = []
        self.others: Counter[str] = Counter()
        self.elsewhere = 0
        self.like_labels: tuple[str, ...] = ()

    def read(self, row: Sequence[str]) -> LabelMarks:
        """Return the labels of a row; raises Rejected."""
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

    def add_notes(self, path: Path, notes: Notes) -> None:
        """Note how the cells so far were read."""
        self._missing.add_notes(path, notes)
        for mark, rows in self._joints.items():
            lists = "1 list is" if rows == 1 else f"{rows:,} lists are"
            sentence = f"{lists} taken apart at {mark!r} too in the column {self._column!r}, as in {self._joined!r}"
            notes.add(Recognized.JOINED_WORDS, path, sentence)

    def _read(self, cell: str) -> _CellRead:
        """Return the content of a cell, independent of other rows."""
        words, joints = self._words(cell)
        missing = [word for word in words if self._is_missing(word)]
        words = [word for word in words if word not in missing]
        places = {word: self._place_of(word) for word in words}
        others = [word for word, place in places.items() if place is None]
        found = sorted({place for place in places.values() if place is not None})
        names = [self.findings[place] for place in found]
        if contradicting := contradicting_normal(names):
            self.others.update(others)
            raise Rejected(RejectReason.NORMAL_AND_FINDING, ", ".join(contradicting))
        rest = self._rest if words else UNKNOWN
        codes = bytearray([rest]) * len(self.findings)
        for place in found:
            codes[place] = PRESENT
        return _CellRead(LabelMarks(bytes(codes), rest), others, bool(words) and not found, missing, joints)

    def _words(self, cell: str) -> tuple[list[str], list[str]]:
        """Return the words of a cell, and marks other than the separator that joined some. Raises Rejected."""
        words: list[str] = []
        joints: dict[str, None] = {}
        for part in cell.split(self._separator):
            word = part.strip(_AROUND)
            known = not word or self._is_finding(word) or names_nothing(word)
            joined = None if known else self._split(word)
            words += [word] if joined is None else joined.words
            joints |= dict.fromkeys(joined.marks if joined else ())
        return [word for word in words if word], list(joints)

    def _split(self, word: str) -> SplitWord | None:
        if word not in self._split_words:
            self._split_words[word] = split_word(word, self._is_finding)
        return self._split_words[word]

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

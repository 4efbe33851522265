"""Labels of a row from one column for each finding; what every way to mark labels has."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Protocol

from explorer.core.findings import BESIDE_NORMAL
from explorer.ingest.entries import ABSENT, PRESENT, UNCERTAIN, UNKNOWN, LabelMarks
from explorer.ingest.rejects import Reason, Rejected
from explorer.tabular.cells import UNCERTAIN as MINUS_ONE
from explorer.tabular.cells import is_label, label
from explorer.tabular.unnamed_columns import unnamed

Named = Callable[[str], str | None]  # word -> finding

_STRONGEST = (PRESENT, UNCERTAIN, UNKNOWN, ABSENT)  # of several columns for one finding: absent only where all are
_FOUND = frozenset({PRESENT, UNCERTAIN})
_BESIDE_NORMAL = frozenset(BESIDE_NORMAL)


def not_beside_normal(present: Iterable[str]) -> list[str]:
    """Those of the findings of a film that cannot be there where it is Normal; none where it is not."""
    names = list(present)
    return sorted(set(names) - _BESIDE_NORMAL) if "Normal" in names else []


class Marking(Protocol):
    """Reads the labels of one row after the other."""

    findings: list[str]  # those seen so far, a place in `Marks.codes` for each
    others: Counter[str]  # what is not a finding: columns, or words and their rows

    @property
    def elsewhere(self) -> int:
        """Rows read so far whose only findings are no finding here."""

    @property
    def like_labels(self) -> tuple[str, ...]:
        """Columns of no finding in which every cell so far may be a label, and some say 1."""

    def read(self, row: Sequence[str]) -> LabelMarks:
        """The labels of a row; raises Rejected."""


class ColumnMarks:
    """A column for each finding: 1, 0, -1 for uncertain, or a blank, which counts as `blank`.

    Several columns for one finding (two kinds of tube) are one: present where any is.
    """

    def __init__(self, columns: Iterable[tuple[int, str]], named: Named, blank: int) -> None:
        self._places: dict[str, list[int]] = {}
        self.others: Counter[str] = Counter()
        self._like_labels: dict[int, str] = {}  # columns of no finding whose every cell may be a label
        self._say_one: set[int] = set()  # columns of no finding
        self._only: Counter[tuple[int, ...]] = Counter()  # those of them that say 1 where no finding does -> rows
        for place, name in columns:
            if unnamed(name):
                continue
            finding = named(name)
            if finding is None:
                self.others[name] += 1
                self._like_labels[place] = name
            else:
                self._places.setdefault(finding, []).append(place)
        self.findings = list(self._places)
        self._blank = blank
        self._codes: dict[str, int | None] = {}  # cell -> what it says
        # The cells of a row -> its labels: few rows of a large table are different.
        places = [place for places in self._places.values() for place in places]
        self._cells: Callable[[Sequence[str]], object] = itemgetter(*places) if places else lambda row: ()
        self._known: dict[object, LabelMarks] = {}
        self._normal = self.findings.index("Normal") if "Normal" in self._places else None
        self._apart = [place for place, name in enumerate(self.findings) if name not in _BESIDE_NORMAL]

    def read(self, row: Sequence[str]) -> LabelMarks:
        cells = self._cells(row)
        marks = self._known.get(cells)
        if marks is None:
            marks = self._known[cells] = LabelMarks(self._read(row))
        said = self._said_by_others(row) if self._like_labels else ()
        if said and not _FOUND.intersection(marks.codes):
            self._only[said] += 1
        return marks

    def _read(self, row: Sequence[str]) -> bytes:
        codes = bytes(self._one(finding, row, places) for finding, places in self._places.items())
        if self._normal is not None and codes[self._normal] == PRESENT:
            there = [self.findings[place] for place in self._apart if codes[place] == PRESENT]
            if there:
                raise Rejected(Reason.NORMAL_AND_FINDING, ", ".join(there))
        return codes

    @property
    def columns(self) -> dict[int, str]:
        """Places of the columns that are read -> their findings."""
        return {place: finding for finding, places in self._places.items() for place in places}

    @property
    def together(self) -> dict[str, list[int]]:
        """Findings that several columns are read for -> the places of these."""
        return {finding: places for finding, places in self._places.items() if len(places) > 1}

    @property
    def elsewhere(self) -> int:
        return sum(rows for places, rows in self._only.items() if not self._like_labels.keys().isdisjoint(places))

    @property
    def like_labels(self) -> tuple[str, ...]:
        return tuple(name for place, name in self._like_labels.items() if place in self._say_one)

    def _said_by_others(self, row: Sequence[str]) -> tuple[int, ...]:
        """Columns of no finding that say 1. One that says what is no label, an age or a note, is not asked again."""
        codes = {place: self._code_of(row[place]) for place in sorted(self._like_labels)}
        for place in [place for place, code in codes.items() if code is None]:
            del self._like_labels[place]
        said = tuple(place for place, code in codes.items() if code == PRESENT)
        self._say_one.update(said)
        return said

    def _one(self, finding: str, row: Sequence[str], places: list[int]) -> int:
        codes = []
        for place in places:
            code = self._code_of(row[place])
            if code is None:
                raise Rejected(Reason.NO_LABEL, f"{finding}: {row[place].strip()!r} is not 1, 0, -1 or blank")
            codes.append(code)
        return min(codes, key=_STRONGEST.index)

    def _code_of(self, cell: str) -> int | None:
        """What a cell says; None where it is not a label. Few cells are different."""
        text = cell.strip()
        if text not in self._codes:
            self._codes[text] = _code(label(text), self._blank) if is_label(text) else None
        return self._codes[text]


def _code(value: float, blank: int) -> int:
    if math.isnan(value):
        return blank
    return UNCERTAIN if value == MINUS_ONE else PRESENT if value else ABSENT

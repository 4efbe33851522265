"""Reads a row's labels from one column per finding; also defines the protocol of all label readers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import Protocol

from explorer.cohorts.schema import LABELS, Label
from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.ingest.entries import ABSENT, PRESENT, UNCERTAIN, UNKNOWN, LabelMarks
from explorer.ingest.rejects import Rejected, RejectReason
from explorer.ingest.value_words import cell_word
from explorer.tabular.cells import UNCERTAIN as MINUS_ONE
from explorer.tabular.cells import is_label, parse_label
from explorer.tabular.unnamed_columns import unnamed

FindingOf = Callable[[str], str | None]  # word -> finding

_STRONGEST = (PRESENT, UNCERTAIN, UNKNOWN, ABSENT)  # precedence of several columns; absent only if all are
_FOUND = frozenset({PRESENT, UNCERTAIN})
_BESIDE_NORMAL = frozenset(COMPATIBLE_WITH_NORMAL)


def contradicting_normal(present: Iterable[str]) -> list[str]:
    """Return the findings that contradict Normal on the same film; empty if the film is not Normal."""
    names = list(present)
    return sorted(set(names) - _BESIDE_NORMAL) if "Normal" in names else []


class LabelReader(Protocol):
    """Reads the labels of rows one by one."""

    findings: list[str]  # seen so far, in the order of `LabelMarks.codes`
    others: Counter[str]  # columns or words that are not findings -> rows

    @property
    def elsewhere(self) -> int:
        """Rows so far that name only findings unknown here."""

    @property
    def like_labels(self) -> tuple[str, ...]:
        """Columns that are not findings but only hold label values so far, with at least one 1."""

    def read(self, row: Sequence[str]) -> LabelMarks:
        """Return the labels of a row; raises Rejected."""


class ColumnLabels:
    """Labels from one column per finding: 1, 0, -1 for uncertain, or blank, which counts as `blank`.

    Several columns of one finding (such as two kinds of tube) are merged: present if any is.
    """

    def __init__(
        self,
        columns: Iterable[tuple[int, str]],
        named: FindingOf,
        blank: int,
        words: Mapping[str, Label] = MappingProxyType({}),
    ) -> None:
        """`words` are cells, in lower case, that the user gave a meaning."""
        self._places: dict[str, list[int]] = {}
        self.others: Counter[str] = Counter()
        self._like_labels: dict[int, str] = {}  # columns that are not findings but only hold label values
        self._say_one: set[int] = set()  # of these, columns with a 1
        self._only: Counter[tuple[int, ...]] = Counter()  # of these, those with a 1 where no finding has one -> rows
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
        self._blank, self._words = blank, words
        self._codes: dict[str, int | None] = {}  # cell -> label code
        # Cells of a row -> its labels. Cached, because a large table has few distinct rows.
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
        others_with_one = self._others_with_one(row) if self._like_labels else ()
        if others_with_one and not _FOUND.intersection(marks.codes):
            self._only[others_with_one] += 1
        return marks

    def _read(self, row: Sequence[str]) -> bytes:
        codes = bytes(self._one(finding, row, places) for finding, places in self._places.items())
        if self._normal is not None and codes[self._normal] == PRESENT:
            contradicting = [self.findings[place] for place in self._apart if codes[place] == PRESENT]
            if contradicting:
                raise Rejected(RejectReason.NORMAL_AND_FINDING, ", ".join(contradicting))
        return codes

    @property
    def columns(self) -> dict[int, str]:
        """Indices of the finding columns -> their findings."""
        return {place: finding for finding, places in self._places.items() for place in places}

    @property
    def merged_columns(self) -> dict[str, list[int]]:
        """Findings with several columns -> their column indices."""
        return {finding: places for finding, places in self._places.items() if len(places) > 1}

    @property
    def elsewhere(self) -> int:
        return sum(rows for places, rows in self._only.items() if not self._like_labels.keys().isdisjoint(places))

    @property
    def like_labels(self) -> tuple[str, ...]:
        return tuple(name for place, name in self._like_labels.items() if place in self._say_one)

    def _others_with_one(self, row: Sequence[str]) -> tuple[int, ...]:
        """Return unknown columns with a 1. A column with other values, such as ages, is dropped for good."""
        codes = {place: self._code_of(row[place]) for place in sorted(self._like_labels)}
        for place in [place for place, code in codes.items() if code is None]:
            del self._like_labels[place]
        others_with_one = tuple(place for place, code in codes.items() if code == PRESENT)
        self._say_one.update(others_with_one)
        return others_with_one

    def _one(self, finding: str, row: Sequence[str], places: list[int]) -> int:
        codes = []
        for place in places:
            code = self._code_of(row[place])
            if code is None:
                raise Rejected(RejectReason.NO_LABEL, f"{finding}: {row[place].strip()!r} is not 1, 0, -1 or blank")
            codes.append(code)
        return min(codes, key=_STRONGEST.index)

    def _code_of(self, cell: str) -> int | None:
        """Return a cell's label code; None if it is not a label. Cached, because there are few distinct cells."""
        text = cell.strip()
        if text not in self._codes:
            stated = self._words.get(cell_word("labels", text))
            if stated is not None:
                self._codes[text] = LABELS.index(stated)
            else:
                self._codes[text] = _code(parse_label(text), self._blank) if is_label(text) else None
        return self._codes[text]


def _code(value: float, blank: int) -> int:
    if math.isnan(value):
        return blank
    return UNCERTAIN if value == MINUS_ONE else PRESENT if value else ABSENT

"""Several rows of one image - one for each box, finding or reader - as one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from explorer.cohorts.schema import NO_CENTER
from explorer.core.word_lists import and_list
from explorer.ingest.entries import PRESENT, Entry
from explorer.ingest.label_columns import not_beside_normal
from explorer.ingest.rejects import Reason, Reject, Rejected
from explorer.tabular.notes import Notes, Recognized, united_words

_FACTS = ("patient", "study", "center", "file", "view", "sex", "age", "split", "width", "height")
_NOTHING = (None, "unknown", NO_CENTER)  # what says nothing of a film


class UnitedRows:
    """Entries by image. A finding is present where any row of an image says so, absent where one does and none says
    otherwise. An image is rejected as a whole: what one of its rows says is not to be lost.
    """

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self._lines: dict[str, list[int]] = {}  # of images with several rows
        self._rejected: dict[str, Rejected] = {}  # image -> why one of its rows cannot be used
        self._where: dict[str, int | None] = {}  # image -> the line of that row

    def add(self, entry: Entry) -> None:
        """Take a row; raises Rejected where it says another thing of the film than an earlier row of the image."""
        first = self._entries.get(entry.case)
        if first is None:
            self._entries[entry.case] = entry
            return
        self._lines.setdefault(entry.case, [first.line or 0]).append(entry.line or 0)
        facts = {}
        for fact in _FACTS:
            one, other = getattr(first, fact), getattr(entry, fact)
            if one not in _NOTHING and other not in _NOTHING and one != other:
                said = f"line {first.line} says {fact} {one!r}, line {entry.line} {other!r}"
                raise Rejected(Reason.DIFFERENT_FILMS, said)
            facts[fact] = other if one in _NOTHING else one
        self._entries[entry.case] = replace(first, marks=first.marks.united(entry.marks), **facts)

    def reject(self, image: str, line: int, rejected: Rejected) -> None:
        """A row of the image cannot be used."""
        self._rejected.setdefault(image, rejected)
        self._where.setdefault(image, line)

    def entries(self, findings: Sequence[str], *, all_zero: bool) -> Iterator[Entry | Reject]:
        """Each image once, as what became of it. With `all_zero` one without any of the findings is rejected."""
        for image in self._entries:
            film = self._film(image, findings, all_zero=all_zero)
            if isinstance(film, Reject):
                self._lines.pop(image, None)  # nothing was united
            yield film

    def _film(self, image: str, findings: Sequence[str], *, all_zero: bool) -> Entry | Reject:
        entry = self._entries[image]
        if image in self._rejected:
            where = f"its row in line {self._where[image]} cannot be used"
            return Reject(entry.line, image, self._rejected[image].reason, where)
        if apart := self._contradiction(entry, findings):
            lines = and_list([f"{line:,}" for line in self._lines[image]])
            return Reject(entry.line, image, Reason.NORMAL_AND_FINDING, f"lines {lines} together: {apart}")
        if all_zero and entry.marks.all_absent():
            return Reject(entry.line, image, Reason.ALL_ZERO)
        return entry

    def tell(self, path: Path, notes: Notes) -> None:
        """Note how many rows were united, once all entries are gone through."""
        if self._lines:
            notes.add(Recognized.UNITED_ROWS, path, united_words(self._lines))

    def _contradiction(self, entry: Entry, findings: Sequence[str]) -> str:
        """Findings beside Normal that several rows say together; empty where there are none."""
        if entry.case not in self._lines:
            return ""
        codes = entry.marks.of(len(findings))
        present = [name for name, code in zip(findings, codes, strict=True) if code == PRESENT]
        return ", ".join(not_beside_normal(present))

"""Merges several rows of one image (one per box, finding or reader) into one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from explorer.cohorts.schema import NO_CENTER
from explorer.core.word_lists import and_list
from explorer.ingest.entries import PRESENT, Entry
from explorer.ingest.label_columns import contradicting_normal
from explorer.ingest.rejects import Reject, Rejected, RejectReason
from explorer.tabular.notes import Notes, Recognized, merged_rows_note

_FACTS = ("patient", "study", "center", "file", "view", "sex", "age", "split", "width", "height")
_NOTHING = (None, "unknown", NO_CENTER)  # values that carry no information


class MergedRows:
    """Entries by image. A finding is present if any row says so, and absent if one does and none disagrees.

    An unusable row rejects the whole image, because that row's labels would otherwise be lost.
    """

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self._lines: dict[str, list[int]] = {}  # of images with several rows
        self._rejected: dict[str, Rejected] = {}  # image -> why one of its rows cannot be used
        self._where: dict[str, int | None] = {}  # image -> the line of that row

    def add(self, entry: Entry) -> None:
        """Add a row; raises Rejected if it contradicts an earlier row of the image about the film."""
        first = self._entries.get(entry.case)
        if first is None:
            self._entries[entry.case] = entry
            return
        self._lines.setdefault(entry.case, [first.line or 0]).append(entry.line or 0)
        facts = {}
        for fact in _FACTS:
            one, other = getattr(first, fact), getattr(entry, fact)
            if one not in _NOTHING and other not in _NOTHING and one != other:
                sentence = f"line {first.line} says {fact} {one!r}, line {entry.line} {other!r}"
                raise Rejected(RejectReason.DIFFERENT_FILMS, sentence)
            facts[fact] = other if one in _NOTHING else one
        self._entries[entry.case] = replace(first, marks=first.marks.merged(entry.marks), **facts)

    def reject(self, image: str, line: int, rejected: Rejected) -> None:
        """Record that a row of the image is unusable."""
        self._rejected.setdefault(image, rejected)
        self._where.setdefault(image, line)

    def entries(self, findings: Sequence[str], *, all_zero: bool) -> Iterator[Entry | Reject]:
        """Yield each image once, as an entry or a reject. With `all_zero`, images without findings are rejected."""
        for image in self._entries:
            film = self._film(image, findings, all_zero=all_zero)
            if isinstance(film, Reject):
                self._lines.pop(image, None)  # nothing was merged
            yield film

    def _film(self, image: str, findings: Sequence[str], *, all_zero: bool) -> Entry | Reject:
        entry = self._entries[image]
        if image in self._rejected:
            where = f"its row in line {self._where[image]} cannot be used"
            return Reject(entry.line, image, self._rejected[image].reason, where)
        if contradiction := self._contradiction(entry, findings):
            lines = and_list([f"{line:,}" for line in self._lines[image]])
            return Reject(
                entry.line, image, RejectReason.NORMAL_AND_FINDING, f"lines {lines} together: {contradiction}"
            )
        if all_zero and entry.marks.all_absent():
            return Reject(entry.line, image, RejectReason.ALL_ZERO)
        return entry

    def add_note(self, path: Path, notes: Notes) -> None:
        """Note how many rows were merged; call it after `entries` is exhausted."""
        if self._lines:
            notes.add(Recognized.UNITED_ROWS, path, merged_rows_note(self._lines))

    def _contradiction(self, entry: Entry, findings: Sequence[str]) -> str:
        """Return the findings that contradict Normal once rows are merged; empty if there are none."""
        if entry.case not in self._lines:
            return ""
        codes = entry.marks.padded(len(findings))
        present = [name for name, code in zip(findings, codes, strict=True) if code == PRESENT]
        return ", ".join(contradicting_normal(present))

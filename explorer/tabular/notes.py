"""Notes on what was recognized in a user's file; nothing is interpreted silently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from explorer.core.word_lists import and_list, quantity

MAX_NAMED = 3  # names in a sentence


class Recognized(StrEnum):
    """The subject of a note. A plain table (commas, UTF-8, decimal points, 1 and 0) has no notes."""

    ENCODING = "encoding"
    SEPARATOR = "separator"
    TITLE = "lines above the header"
    DECIMAL_COMMAS = "decimal commas"
    LABEL_WORDS = "words for labels"
    UNITED_ROWS = "several rows of one image"
    JOINED_WORDS = "findings joined by another mark"
    MISSING_WORDS = "words for what is missing"
    BLANK_ROWS = "rows without a cell"
    SURPLUS_CELLS = "empty cells beyond the header"
    UNNAMED_COLUMNS = "columns without a name"
    STUDY_COLUMN = "a column of studies"
    SAME_FINDING = "columns for the same finding"
    IMAGE_NAMES = "file endings and folders of image names"
    ROUNDED_IDS = "identifiers that a spreadsheet rounded"
    LONG = "a row per image and finding"
    LOGITS = "logits"
    ODD_SCORES = "scores that are all the same, 0 and 1 alone, or upside down"
    CLOSE_SCORES = "scores closer together than they are kept"


@dataclass(frozen=True, slots=True)
class Note:
    """What was recognized in a file, and how it was handled."""

    kind: Recognized
    file: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.file}: {self.sentence}."


@dataclass(slots=True)
class Notes:
    """Notes in order of discovery, without repeats."""

    listed: list[Note] = field(default_factory=list)

    def add(self, kind: Recognized, file: Path, sentence: str) -> None:
        """Add a note on a file; `sentence` has no period."""
        note = Note(kind, file.name, sentence)
        if note not in self.listed:
            self.listed.append(note)

    def __iter__(self) -> Iterator[Note]:
        return iter(self.listed)


def merged_rows_note(lines: Mapping[str, Sequence[int]]) -> str:
    """Return a sentence on merged rows; `lines` lists the lines of each image with several rows, at least one image."""
    image, where = next(iter(lines.items()))
    rows = quantity(sum(map(len, lines.values())), "row")
    which = f"lines {and_list([f'{line:,}' for line in where])} of {image!r}"
    merged = f"{rows} of {quantity(len(lines), 'image')} are merged, such as {which}"
    return f"{merged}: a finding is present if any of them says so"


def some(names: Iterable[str]) -> str:
    """Return the first names, quoted, and how many others there are."""
    every = list(names)
    more = f" and {len(every) - MAX_NAMED:,} more" if len(every) > MAX_NAMED else ""
    return f"{', '.join(map(repr, every[:MAX_NAMED]))}{more}"

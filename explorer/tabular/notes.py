"""What was recognized in somebody's file and read as it was meant: said in a line each, never taken in silence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from explorer.core.word_lists import and_list, quantity

SHOWN = 3  # names in a sentence


class Recognized(StrEnum):
    """What a note is about. A valid table - commas, UTF-8, points, 1 and 0 - has no note."""

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
    SAME_FINDING = "columns for the same finding"
    IMAGE_NAMES = "file endings and folders of image names"
    ROUNDED_IDS = "identifiers that a spreadsheet rounded"
    LOGITS = "logits"
    ODD_SCORES = "scores that are all the same, 0 and 1 alone, or upside down"
    CLOSE_SCORES = "scores closer together than they are kept"


@dataclass(frozen=True, slots=True)
class Note:
    """What was recognized in a file, and what was done with it."""

    kind: Recognized
    file: str
    said: str

    def __str__(self) -> str:
        return f"{self.file}: {self.said}."


@dataclass(slots=True)
class Notes:
    """Notes in the order of their discovery, each once."""

    listed: list[Note] = field(default_factory=list)

    def add(self, kind: Recognized, file: Path, said: str) -> None:
        """Note something of a file; `said` has no full stop."""
        note = Note(kind, file.name, said)
        if note not in self.listed:
            self.listed.append(note)

    def __iter__(self) -> Iterator[Note]:
        return iter(self.listed)


def united_words(lines: Mapping[str, Sequence[int]]) -> str:
    """What was done with several rows of one image; `lines` of each image that has several, of one at least."""
    image, where = next(iter(lines.items()))
    rows = quantity(sum(map(len, lines.values())), "row")
    which = f"lines {and_list([f'{line:,}' for line in where])} of {image!r}"
    united = f"{rows} of {quantity(len(lines), 'image')} are united, such as {which}"
    return f"{united}: a finding is present where any of them says so"


def some(names: Iterable[str]) -> str:
    """The first names, quoted, and how many more there are."""
    every = list(names)
    more = f" and {len(every) - SHOWN:,} more" if len(every) > SHOWN else ""
    return f"{', '.join(map(repr, every[:SHOWN]))}{more}"

"""Words for a missing value: the same rule for every column of every table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from explorer.core.word_lists import and_list, quantity
from explorer.tabular.notes import Notes, Recognized

# Case is ignored. A dash or a question mark is not included: as a label, "-" may mean "negative".
MISSING = frozenset(
    {"na", "n/a", "#n/a", "#na", "<na>", "nan", "-nan", "nat", "null", "none", "unknown", "not available"}
)


def is_missing(text: str) -> bool:
    """Whether a cell is blank or holds a word for a missing value."""
    bare = text.strip().casefold()
    return not bare or bare in MISSING


def names_nothing(text: str) -> bool:
    """Whether a cell about a film says nothing: it is missing, or has no letter or digit, such as "-" and "?"."""
    return is_missing(text) or not any(map(str.isalnum, text))


class MissingWords:
    """Counts the words for missing values in each column."""

    def __init__(self) -> None:
        self._seen: dict[str, Counter[str]] = {}

    def see(self, column: str, text: str) -> None:
        """Count a cell that is read as blank, unless it is actually blank."""
        if word := text.strip():
            self._seen.setdefault(column, Counter())[word] += 1

    def add_notes(self, path: Path, notes: Notes) -> None:
        """Note the words of each column, and their number of cells."""
        for column, words in self._seen.items():
            read = f"{and_list([repr(word) for word in words])} {'is' if len(words) == 1 else 'are'} read as blank"
            sentence = f"{read} in the column {column!r} ({quantity(words.total(), 'cell')})"
            notes.add(Recognized.MISSING_WORDS, path, sentence)

"""Words that people and programs write where nothing is known: one rule for every column of every table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from explorer.core.word_lists import and_list, quantity
from explorer.tabular.notes import Notes, Recognized

# In any case. A dash or a question mark is not among them: as a label, "-" may be meant as "negative".
MISSING = frozenset(
    {"na", "n/a", "#n/a", "#na", "<na>", "nan", "-nan", "nat", "null", "none", "unknown", "not available"}
)


def is_missing(text: str) -> bool:
    """Whether a cell is blank or has a word for "nothing is known"."""
    bare = text.strip().casefold()
    return not bare or bare in MISSING


def names_nothing(text: str) -> bool:
    """Whether a cell that should say something of a film does not: it is missing, or without any letter or digit, as
    "-" and "?" are.
    """
    return is_missing(text) or not any(map(str.isalnum, text))


class MissingWords:
    """The words for "nothing is known" of each column, counted."""

    def __init__(self) -> None:
        self._seen: dict[str, Counter[str]] = {}

    def see(self, column: str, text: str) -> None:
        """Count a cell that is read as blank; nothing is to be said of one that is blank."""
        if word := text.strip():
            self._seen.setdefault(column, Counter())[word] += 1

    def tell(self, path: Path, notes: Notes) -> None:
        """Note the words of each column that has any, and how many cells."""
        for column, words in self._seen.items():
            read = f"{and_list([repr(word) for word in words])} {'is' if len(words) == 1 else 'are'} read as blank"
            said = f"{read} in the column {column!r} ({quantity(words.total(), 'cell')})"
            notes.add(Recognized.MISSING_WORDS, path, said)

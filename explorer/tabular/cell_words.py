"""Recognizes how cells are written: decimal commas, and words in place of 1, 0 and blank.

A notation must hold for a whole column of labels, or for all numbers of a file: a cell that differs from the rest of
its column is a mistake and is reported as one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from explorer.core.word_lists import and_list, quantity
from explorer.tabular.cells import is_label
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.missing_words import MISSING
from explorer.tabular.notes import Notes, Recognized, some

MAX_WORDS = 32  # distinct cells; a column with more is not a column of label words

# Words for 1 and 0. A column uses one pair.
LABEL_WORD_PAIRS: tuple[tuple[str, str], ...] = (
    ("yes", "no"),
    ("y", "n"),
    ("true", "false"),
    ("t", "f"),
    ("positive", "negative"),
    ("pos", "neg"),
    ("present", "absent"),
    ("wahr", "falsch"),
    ("ja", "nein"),
    ("vrai", "faux"),
    ("oui", "non"),
    ("1,0", "0,0"),
)
UNCERTAIN_WORDS = frozenset({"uncertain", "-1,0"})

_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:e[+-]?\d+)?\s*", re.IGNORECASE | re.ASCII)
_POINT = re.compile(r"\s*[+-]?(?:\d*\.\d+|\d+\.)(?:e[+-]?\d+)?\s*", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class CellWords:
    """The notation of a file: `words` by column index, and `commas`, indices of columns with decimal commas."""

    words: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    commas: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.words or self.commas)

    def plainly(self, row: Sequence[str]) -> list[str]:
        """Return a row in plain notation: 1, 0, blank and decimal points."""
        plain = list(row)
        for place, meanings in self.words.items():
            if place < len(plain):
                plain[place] = meanings.get(plain[place].strip().casefold(), plain[place])
        for place in self.commas:
            if place < len(plain) and _COMMA.fullmatch(plain[place]):
                plain[place] = plain[place].replace(",", ".")
        return plain


def label_words(path: Path, wanted: Sequence[str], columns: Mapping[int, str], notes: Notes) -> CellWords:
    """Find words in columns of labels (index -> finding), and note what was recognized.

    Raises WrongInput if the file cannot be read.
    """
    counts: dict[int, Counter[str]] = {place: Counter() for place in columns}
    with csv_rows(path, wanted, Notes()) as (_, rows):
        for _, row in rows:
            for place, cells in counts.items():
                if place < len(row) and len(cells) <= MAX_WORDS:
                    cells[row[place].strip().casefold()] += 1
    words = {place: _meanings(set(cells)) for place, cells in counts.items()}
    found = {place: meaning for place, meaning in words.items() if meaning}
    for sentence, places in _sentences(found, counts).items():
        blanks = sum(count for place in places for word, count in counts[place].items() if word in MISSING)
        counted = f" ({quantity(blanks, 'blank')})" if blanks else ""
        named = _columns(columns[place] for place in places)
        notes.add(Recognized.LABEL_WORDS, path, f"{sentence} in {named}{counted}")
    return CellWords(words=found)


def decimal_commas(path: Path, wanted: Sequence[str], places: Iterable[int], notes: Notes) -> CellWords:
    """Find decimal commas among a file's numbers; if there are also points, nothing is recognized.

    Raises WrongInput if the file cannot be read.
    """
    columns, commas = frozenset(places), 0
    with csv_rows(path, wanted, Notes()) as (_, rows):
        for _, row in rows:
            for place in columns:
                cell = row[place] if place < len(row) else ""
                if _POINT.fullmatch(cell):
                    return CellWords()
                commas += _COMMA.fullmatch(cell) is not None
    if not commas:
        return CellWords()
    cells = "1 number" if commas == 1 else f"{commas:,} numbers"
    notes.add(Recognized.DECIMAL_COMMAS, path, f"{cells} with a decimal comma, read as a decimal point")
    return CellWords(commas=columns)


def _meanings(cells: set[str]) -> dict[str, str]:
    """Return word -> plain label if that explains every cell of a column; empty if it does not, or is not needed."""
    meanings = {cell: "" for cell in cells & MISSING} | {cell: "-1" for cell in cells & UNCERTAIN_WORDS}
    rest = cells - meanings.keys() - {"", "-1", "-1.0"}
    if all(map(is_label, rest)):
        return meanings
    for yes, no in LABEL_WORD_PAIRS:
        if rest <= {yes, no} or (yes == "1,0" and rest <= {yes, no, "1", "0"}):
            return meanings | {yes: "1", no: "0"}
    return {}


def _sentences(found: Mapping[int, Mapping[str, str]], counts: Mapping[int, Counter[str]]) -> dict[str, list[int]]:
    """Return sentence -> columns, one sentence per set of words with its meanings."""
    sentences: dict[str, list[int]] = {}
    for place, meaning in found.items():
        used = {word: label for word, label in meaning.items() if word in counts[place]}
        order = sorted(used, key=lambda word: ("1", "0", "-1", "").index(used[word]))
        pairs = [f"{word!r} is read as {used[word] or 'blank'}" for word in order]
        sentences.setdefault(and_list(pairs), []).append(place)
    return sentences


def _columns(findings: Iterable[str]) -> str:
    every = list(findings)
    return f"the column {every[0]!r}" if len(every) == 1 else f"{len(every):,} columns ({some(every)})"

"""How the cells of a file are written: decimal commas, and words in place of 1, 0 and blank.

What is recognized holds for a whole column of labels, or for all numbers of a file: a cell that is written in another
way than the rest of its column is no dialect but a mistake, and is told as one.
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

MOST_WORDS = 32  # different cells of a column of labels; one with more is none

# What a word of a pair stands for. A column uses one pair.
PAIRS: tuple[tuple[str, str], ...] = (
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
    """How to write the cells of a file plainly: `words` by the place of a column, `commas` the places of numbers."""

    words: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    commas: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.words or self.commas)

    def plainly(self, row: Sequence[str]) -> list[str]:
        """A row with 1, 0, blank and decimal points."""
        plain = list(row)
        for place, said in self.words.items():
            if place < len(plain):
                plain[place] = said.get(plain[place].strip().casefold(), plain[place])
        for place in self.commas:
            if place < len(plain) and _COMMA.fullmatch(plain[place]):
                plain[place] = plain[place].replace(",", ".")
        return plain


def label_words(path: Path, wanted: Sequence[str], columns: Mapping[int, str], notes: Notes) -> CellWords:
    """Look through a file for words in columns of labels (place -> finding), and note what was recognized.

    Raises WrongInput where the file cannot be read.
    """
    said: dict[int, Counter[str]] = {place: Counter() for place in columns}
    with csv_rows(path, wanted, Notes()) as (_, rows):
        for _, row in rows:
            for place, cells in said.items():
                if place < len(row) and len(cells) <= MOST_WORDS:
                    cells[row[place].strip().casefold()] += 1
    words = {place: _meanings(set(cells)) for place, cells in said.items()}
    found = {place: meaning for place, meaning in words.items() if meaning}
    for sentence, places in _sentences(found, said).items():
        blanks = sum(count for place in places for word, count in said[place].items() if word in MISSING)
        counted = f" ({quantity(blanks, 'blank')})" if blanks else ""
        named = _columns(columns[place] for place in places)
        notes.add(Recognized.LABEL_WORDS, path, f"{sentence} in {named}{counted}")
    return CellWords(words=found)


def decimal_commas(path: Path, wanted: Sequence[str], places: Iterable[int], notes: Notes) -> CellWords:
    """Look through a file's numbers for decimal commas; where there are points as well, nothing is recognized.

    Raises WrongInput where the file cannot be read.
    """
    looked, commas = frozenset(places), 0
    with csv_rows(path, wanted, Notes()) as (_, rows):
        for _, row in rows:
            for place in looked:
                cell = row[place] if place < len(row) else ""
                if _POINT.fullmatch(cell):
                    return CellWords()
                commas += _COMMA.fullmatch(cell) is not None
    if not commas:
        return CellWords()
    cells = "1 number" if commas == 1 else f"{commas:,} numbers"
    notes.add(Recognized.DECIMAL_COMMAS, path, f"{cells} with a decimal comma, read as with a point")
    return CellWords(commas=looked)


def _meanings(cells: set[str]) -> dict[str, str]:
    """Word -> plain label, where every cell of a column has one; empty where none needs it, or one has none."""
    meanings = {cell: "" for cell in cells & MISSING} | {cell: "-1" for cell in cells & UNCERTAIN_WORDS}
    rest = cells - meanings.keys() - {"", "-1", "-1.0"}
    if all(map(is_label, rest)):
        return meanings
    for yes, no in PAIRS:
        if rest <= {yes, no} or (yes == "1,0" and rest <= {yes, no, "1", "0"}):
            return meanings | {yes: "1", no: "0"}
    return {}


def _sentences(found: Mapping[int, Mapping[str, str]], said: Mapping[int, Counter[str]]) -> dict[str, list[int]]:
    """What words stand for -> the columns that have them."""
    sentences: dict[str, list[int]] = {}
    for place, meaning in found.items():
        used = {word: label for word, label in meaning.items() if word in said[place]}
        order = sorted(used, key=lambda word: ("1", "0", "-1", "").index(used[word]))
        pairs = [f"{word!r} is read as {used[word] or 'blank'}" for word in order]
        sentences.setdefault(and_list(pairs), []).append(place)
    return sentences


def _columns(findings: Iterable[str]) -> str:
    every = list(findings)
    return f"the column {every[0]!r}" if len(every) == 1 else f"{len(every):,} columns ({some(every)})"

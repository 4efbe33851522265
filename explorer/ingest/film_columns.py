"""Reads the facts of a film from a row: patient, origin, view, and so on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from explorer.cohorts.schema import NO_CENTER, Sex
from explorer.ingest.columns import ColumnMap
from explorer.ingest.entries import Entry
from explorer.ingest.label_words import age_of, sex_of, view_of
from explorer.ingest.rejects import Rejected, RejectReason
from explorer.ingest.value_words import cell_word
from explorer.tabular.header import column_place
from explorer.tabular.missing_words import MissingWords, is_missing, names_nothing
from explorer.tabular.notes import Notes, Recognized, some
from explorer.tabular.problems import WrongInput
from explorer.tabular.rounded_ids import RoundedIds
from models.films.film import View

Meaning = TypeVar("Meaning")


class FilmColumnReader:
    """Columns of a table that a ColumnMap names. Raises WrongInput if one is missing."""

    def __init__(self, path: Path, names: list[str], columns: ColumnMap) -> None:
        self._path, self._width, self._center = path, len(names), columns.center_name or NO_CENTER
        self._names, self._values = columns.columns(), columns.values
        self.places = {wanted: column_place(path, names, name) for wanted, name in self._names.items()}
        self._rounded = {what: RoundedIds(f"{what} ids") for what in ("image", "patient", "study")}
        self._missing = MissingWords()
        self._strange: dict[str, Counter[str]] = {}  # column's meaning -> cells that could not be understood
        # Column -> cell -> (meaning, not understood?). Cached, because a column has few distinct values.
        self._meanings: dict[str, dict[str, tuple[Any, bool]]] = {wanted: {} for wanted in self.places}

    def image(self, row: list[str]) -> str:
        """Return the image id of a row, blank if the row is too short."""
        place = self.places["image_id"]
        return row[place] if place < len(row) else ""

    def entry(self, line: int, image: str, row: list[str]) -> Entry:
        """Return a row as an entry without labels; raises Rejected."""
        if is_missing(image):
            raise Rejected(RejectReason.NO_IDENTIFIER, repr(image) if image.strip() else "")
        if len(row) != self._width:
            raise Rejected(RejectReason.CELLS, f"{len(row)} where the header has {self._width}")
        self._rounded["image"].see(image, line)
        return Entry(
            case=image,
            center=self._text(row, "center") or self._center,
            line=line,
            file=self._text(row, "file") or image.strip(),
            patient=self._identifier(line, row, "patient"),
            study=self._identifier(line, row, "study"),
            view=self._meaning(row, "view", self._view, "unknown"),
            sex=self._meaning(row, "sex", self._sex, "unknown"),
            age=self._meaning(row, "age", age_of, None),
            split=self._text(row, "split"),
            width=self._meaning(row, "width", _pixels, None),
            height=self._meaning(row, "height", _pixels, None),
        )

    def add_notes(self, notes: Notes) -> None:
        """Note words for missing values, and rounded identifiers. Raises WrongInput if image ids were rounded."""
        images = self._rounded["image"]
        if images.count:
            raise WrongInput(f"{self._path}: {images.refusal}")
        for what in ("patient", "study"):
            if self._rounded[what].count:
                sentence = f"{self._rounded[what].sentence}: films are not grouped by them"
                notes.add(Recognized.ROUNDED_IDS, self._path, sentence)
        self._missing.add_notes(self._path, notes)

    def not_understood_notes(self) -> list[str]:
        """Return a sentence for each column with cells that were not understood."""
        return [
            f"rows whose {what} is not understood: {cells.total():,} ({some(cell for cell, _ in cells.most_common())})"
            for what, cells in self._strange.items()
        ]

    def _view(self, cell: str) -> View:
        """Return the view that a cell names, in the user's own words first."""
        return self._values.view.get(cell_word("view", cell)) or view_of(cell)

    def _sex(self, cell: str) -> Sex:
        return self._values.sex.get(cell_word("sex", cell)) or sex_of(cell)

    def _text(self, row: list[str], wanted: str) -> str | None:
        """Return a cell's text; None if it holds a word for a missing value."""
        place = self.places.get(wanted)
        if place is None:
            return None
        text = row[place].replace("\0", "").strip()  # some databases pad columns with NUL
        if not names_nothing(text):
            return text
        self._missing.see(self._names[wanted], text)
        return None

    def _identifier(self, line: int, row: list[str], wanted: str) -> str | None:
        """Return a patient's or study's identifier; None if it was rounded and so is no longer unique."""
        text = self._text(row, wanted)
        return None if text is None or self._rounded[wanted].see(text, line) else text

    def _meaning(self, row: list[str], wanted: str, meaning: Callable[[str], Meaning], unknown: Meaning) -> Meaning:
        """Return what a cell means; cells that are not understood are counted."""
        place = self.places.get(wanted)
        if place is None:
            return unknown
        cell, known = row[place], self._meanings[wanted]
        if cell not in known:
            stated = cell_word(wanted, cell) in getattr(self._values, wanted, ())
            missing = names_nothing(cell) and not stated
            value = unknown if missing else meaning(cell.strip())
            known[cell] = value, not missing and not stated and value == unknown
        value, not_understood = known[cell]
        if not_understood:
            self._strange.setdefault(wanted, Counter())[cell.strip()] += 1
        elif value == unknown:
            self._missing.see(self._names[wanted], cell)
        return value


def _pixels(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 7 else None

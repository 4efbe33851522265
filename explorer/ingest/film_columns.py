"""What a row of a table says of its film beside the labels: whose it is, from where, how it was taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from explorer.cohorts.schema import NO_CENTER
from explorer.ingest.columns import ColumnMap
from explorer.ingest.entries import Entry
from explorer.ingest.label_words import age_of, sex_of, view_of
from explorer.ingest.rejects import Reason, Rejected
from explorer.tabular.header import column_place
from explorer.tabular.missing_words import MissingWords, is_missing, names_nothing
from explorer.tabular.notes import Notes, Recognized, some
from explorer.tabular.problems import WrongInput
from explorer.tabular.rounded_ids import RoundedIds

Value = TypeVar("Value")


class FilmColumns:
    """The columns of a table that `columns` names. Raises WrongInput where one is not there."""

    def __init__(self, path: Path, names: list[str], columns: ColumnMap) -> None:
        self._path, self._width, self._center = path, len(names), columns.center_name or NO_CENTER
        self._names = columns.columns()
        self.places = {wanted: column_place(path, names, name) for wanted, name in self._names.items()}
        self._rounded = {what: RoundedIds(f"{what} ids") for what in ("image", "patient", "study")}
        self._missing = MissingWords()
        self._strange: dict[str, Counter[str]] = {}  # what a cell should have said -> what it says
        # Of each column, cell -> its meaning, and whether it says what nobody understands: few cells are different.
        self._meanings: dict[str, dict[str, tuple[Any, bool]]] = {wanted: {} for wanted in self.places}

    def image(self, row: list[str]) -> str:
        """The image id of a row, blank where it is too short to have one."""
        place = self.places["image_id"]
        return row[place] if place < len(row) else ""

    def entry(self, line: int, image: str, row: list[str]) -> Entry:
        """A row without its labels; raises Rejected."""
        if is_missing(image):
            raise Rejected(Reason.NO_IDENTIFIER, repr(image) if image.strip() else "")
        if len(row) != self._width:
            raise Rejected(Reason.CELLS, f"{len(row)} where the header has {self._width}")
        self._rounded["image"].see(image, line)
        return Entry(
            case=image,
            center=self._text(row, "center") or self._center,
            line=line,
            file=self._text(row, "file") or image.strip(),
            patient=self._identifier(line, row, "patient"),
            study=self._identifier(line, row, "study"),
            view=self._meaning(row, "view", view_of, "unknown"),
            sex=self._meaning(row, "sex", sex_of, "unknown"),
            age=self._meaning(row, "age", age_of, None),
            split=self._text(row, "split"),
            width=self._meaning(row, "width", _pixels, None),
            height=self._meaning(row, "height", _pixels, None),
        )

    def tell(self, notes: Notes) -> None:
        """Note the words for what is missing, and the identifiers that a spreadsheet has rounded. Raises WrongInput
        where those of images are.
        """
        images = self._rounded["image"]
        if images.count:
            raise WrongInput(f"{self._path}: {images.refusal}")
        for what in ("patient", "study"):
            if self._rounded[what].count:
                said = f"{self._rounded[what].said}: films are not grouped by them"
                notes.add(Recognized.ROUNDED_IDS, self._path, said)
        self._missing.tell(self._path, notes)

    def not_understood(self) -> list[str]:
        """A sentence for each column with cells that nobody understands."""
        return [
            f"rows whose {what} is not understood: {cells.total():,} ({some(cell for cell, _ in cells.most_common())})"
            for what, cells in self._strange.items()
        ]

    def _text(self, row: list[str], wanted: str) -> str | None:
        """A cell; None where nobody says anything in it."""
        place = self.places.get(wanted)
        if place is None:
            return None
        text = row[place].replace("\0", "").strip()  # a database fills its columns up with NUL
        if not names_nothing(text):
            return text
        self._missing.see(self._names[wanted], text)
        return None

    def _identifier(self, line: int, row: list[str], wanted: str) -> str | None:
        """A text that tells patients or studies apart; None for one that does not any more."""
        text = self._text(row, wanted)
        return None if text is None or self._rounded[wanted].see(text, line) else text

    def _meaning(self, row: list[str], wanted: str, meaning: Callable[[str], Value], unknown: Value) -> Value:
        """What a cell means; one that says something that nobody understands is counted."""
        place = self.places.get(wanted)
        if place is None:
            return unknown
        cell, known = row[place], self._meanings[wanted]
        if cell not in known:
            missing = names_nothing(cell)
            said = unknown if missing else meaning(cell.strip())
            known[cell] = said, not missing and said == unknown
        value, strange = known[cell]
        if strange:
            self._strange.setdefault(wanted, Counter())[cell.strip()] += 1
        elif value == unknown:
            self._missing.see(self._names[wanted], cell)
        return cast(Value, value)


def _pixels(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 7 else None

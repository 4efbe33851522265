"""A table of images, one row each, as an `ImportSource`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

from explorer.cohorts.schema import NO_CENTER
from explorer.core.finding_words import plain
from explorer.core.word_lists import and_list
from explorer.ingest.blank_labels import Blank
from explorer.ingest.columns import ColumnMap
from explorer.ingest.entries import ABSENT, UNKNOWN, Entry, ImportSource, LabelMarks
from explorer.ingest.label_columns import ColumnMarks, ListMarks, Marking
from explorer.ingest.label_words import age_of, finding_named, sex_of, view_of
from explorer.ingest.patient_identity import with_patients
from explorer.ingest.rejects import Reason, Reject, Rejected
from explorer.tabular.cell_words import CellWords, label_words
from explorer.tabular.csv_rows import Row, csv_rows
from explorer.tabular.header import column_place
from explorer.tabular.notes import Notes, Recognized
from explorer.tabular.problems import WrongInput
from explorer.tabular.rounded_ids import RoundedIds

Value = TypeVar("Value")
NOTHING: Mapping[str, str] = MappingProxyType({})

BLANK_WORDS = {
    "absent": "absent: the table names every finding that was found",
    "unknown": "unknown: it gives no label",
}


def read_table(path: Path, columns: ColumnMap, blank: Blank, *, reject_all_zero: bool = False) -> ImportSource:
    """Read a table. Rows that cannot be used are rejects; raises WrongInput where the table cannot be used at all.

    A row of zeros is a film without any of the findings, unless `reject_all_zero`. Other ways to write a table and its
    labels are recognized and noted.
    """
    notes = Notes()
    try:
        return _read(path, columns, blank, reject_all_zero, notes, None)
    except _AnotherWay as found:
        words = label_words(path, list(columns.columns().values()), found.columns, notes)
    return _read(path, columns, blank, reject_all_zero, notes, words)


def _read(
    path: Path, columns: ColumnMap, blank: Blank, reject_all_zero: bool, notes: Notes, words: CellWords | None
) -> ImportSource:
    """Read as `words` say; without, raise _AnotherWay at the first cell that is not written plainly."""
    with csv_rows(path, list(columns.columns().values()), notes) as (names, rows):
        reading = _Reading(path, names, columns, blank, reject_all_zero, words)
        reading.note_same_findings(names, notes)
        for line, row in rows:
            reading.take(line, row)
    reading.note_rounded(notes)
    source = reading.source()
    source.notes[:0] = map(str, notes)
    return source


def read_rows(
    path: Path,
    names: list[str],
    rows: Iterable[Row],
    columns: ColumnMap,
    blank: Blank,
    *,
    reject_all_zero: bool = False,
    labelled_by: Mapping[str, str] = NOTHING,
) -> ImportSource:
    """The same of rows under the `names` of a header, whose cells are written plainly; `path` is what messages name.

    `labelled_by`: image id -> who says its labels, which is asked once the row is there.
    """
    reading = _Reading(path, names, columns, blank, reject_all_zero, CellWords(), labelled_by)
    for line, row in rows:
        reading.take(line, row)
    return reading.source()


class _AnotherWay(Exception):
    """A cell is not written plainly. `columns` are places of labels and their findings."""

    def __init__(self, columns: dict[int, str]) -> None:
        super().__init__()
        self.columns = columns


class _Reading:
    """The rows taken so far."""

    def __init__(
        self,
        path: Path,
        names: list[str],
        columns: ColumnMap,
        blank: Blank,
        reject_all_zero: bool,
        words: CellWords | None,
        labelled_by: Mapping[str, str] = NOTHING,
    ) -> None:
        self._path, self._columns, self._blank, self._reject_all_zero = path, columns, blank, reject_all_zero
        self._width, self._words, self._labelled_by = len(names), words, labelled_by
        self._rounded = {what: RoundedIds(f"{what} ids") for what in ("image", "patient", "study")}
        self._places = {wanted: column_place(path, names, name) for wanted, name in columns.columns().items()}
        self._marking = _marking(path, names, columns, set(self._places.values()), blank)
        self._lines: dict[str, int] = {}
        self._entries: list[Entry] = []
        self._rejects: list[Reject] = []
        self._strange: Counter[str] = Counter()  # what a cell should have said
        # Of each column, cell -> its meaning, and whether it says what nobody understands: few cells are different.
        self._meanings: dict[str, dict[str, tuple[Any, bool]]] = {wanted: {} for wanted in self._places}

    def take(self, line: int, row: list[str]) -> None:
        place = self._places["image_id"]
        image = row[place] if place < len(row) else ""
        try:
            self._entries.append(self._entry(line, image, row))
        except Rejected as rejected:
            if rejected.reason is Reason.NO_LABEL and self._words is None and isinstance(self._marking, ColumnMarks):
                raise _AnotherWay(self._marking.columns) from None
            self._rejects.append(Reject(line, image, rejected.reason, rejected.detail))

    def note_same_findings(self, names: list[str], notes: Notes) -> None:
        """Tell which columns are read as one."""
        together = self._marking.together if isinstance(self._marking, ColumnMarks) else {}
        for finding, places in together.items():
            columns = and_list([f"{names[place]!r} ({place + 1})" for place in places])
            said = f"the columns {columns} are read as one, {finding}: present where any of them is"
            notes.add(Recognized.SAME_FINDING, self._path, said)

    def note_rounded(self, notes: Notes) -> None:
        """Tell which identifiers a spreadsheet has rounded; raises WrongInput where those of images are."""
        images = self._rounded["image"]
        if images.count:
            raise WrongInput(f"{self._path}: {images.refusal}")
        for what in ("patient", "study"):
            if self._rounded[what].count:
                said = f"{self._rounded[what].said}: films are not grouped by them"
                notes.add(Recognized.ROUNDED_IDS, self._path, said)

    def source(self) -> ImportSource:
        findings = tuple(self._marking.findings)
        notes = [f"rows whose {what} is not understood: {count:,}" for what, count in self._strange.items()]
        unmarked = sum(entry.marks.say_nothing() for entry in self._entries) if findings else 0
        if unmarked:
            notes.append(f"rows that mention no finding, and have no labels: {unmarked:,}")
        if findings and self._marking.elsewhere:
            notes.append(f"rows whose only findings have no name here, kept: {self._marking.elsewhere:,}")
        entries, met = with_patients(self._entries, self._columns.patients)
        if met is not None:
            notes.append(met)
        return ImportSource(
            title=self._columns.title or self._path.stem,
            name=self._columns.source or self._path.name,
            label_source=self._columns.source or f"labels of {self._path.name}",
            blank=BLANK_WORDS[self._blank] if findings else "no labels",
            findings=findings,
            entries=entries,
            rejects=self._rejects,
            notes=notes,
            words=self._marking.others,
            like_labels=self._marking.like_labels,
            relations=self._columns.relations,
        )

    def _entry(self, line: int, image: str, row: list[str]) -> Entry:
        if not image.strip():
            raise Rejected(Reason.NO_IDENTIFIER)
        if len(row) != self._width:
            raise Rejected(Reason.CELLS, f"{len(row)} where the header has {self._width}")
        self._rounded["image"].see(image, line)
        if image in self._lines:
            raise Rejected(Reason.SAME_IDENTIFIER, f"as in line {self._lines[image]}")
        self._lines[image] = line
        return Entry(
            case=image,
            center=self._text(row, "center") or self._columns.center_name or NO_CENTER,
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
            marks=self._labels(row),
            labelled_by=self._labelled_by.get(image),
        )

    def _labels(self, row: list[str]) -> LabelMarks:
        marks = self._marking.read(self._words.plainly(row) if self._words else row)
        if self._reject_all_zero and marks.all_absent():
            raise Rejected(Reason.ALL_ZERO)
        return marks

    def _text(self, row: list[str], wanted: str) -> str | None:
        place = self._places.get(wanted)
        return None if place is None else row[place].strip() or None

    def _identifier(self, line: int, row: list[str], wanted: str) -> str | None:
        """A text that tells patients or studies apart; None for one that does not any more."""
        text = self._text(row, wanted)
        return None if text is None or self._rounded[wanted].see(text, line) else text

    def _meaning(self, row: list[str], wanted: str, meaning: Callable[[str], Value], unknown: Value) -> Value:
        """What a cell means; one that says something that nobody understands is counted."""
        place = self._places.get(wanted)
        if place is None:
            return unknown
        cell, known = row[place], self._meanings[wanted]
        if cell not in known:
            text = cell.strip()
            said = meaning(text) if text else unknown
            known[cell] = said, bool(text) and said == unknown
        value, strange = known[cell]
        if strange:
            self._strange[wanted] += 1
        return cast(Value, value)


def _marking(path: Path, names: Sequence[str], columns: ColumnMap, taken: set[int], blank: Blank) -> Marking:
    rest = ABSENT if blank == "absent" else UNKNOWN

    def named(word: str) -> str | None:
        return finding_named(word, columns.spelling, columns.words)

    if isinstance(columns.findings, str):
        return ListMarks(column_place(path, names, columns.findings), columns.separator, named, rest)
    for column in columns.findings or ():
        if column_place(path, names, column) in taken:
            raise WrongInput(f"The column {column!r} of {path} cannot be a finding: map.toml names it for another use.")
    passed = taken | {place for place, name in enumerate(names) if plain(name) in map(plain, columns.passed_over)}
    return ColumnMarks([(place, name) for place, name in enumerate(names) if place not in passed], named, rest)


def _pixels(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 7 else None

"""A table of images as an `ImportSource`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from explorer.core.finding_words import plain
from explorer.core.word_lists import and_list
from explorer.ingest.blank_labels import Blank
from explorer.ingest.columns import ColumnMap
from explorer.ingest.entries import ABSENT, UNKNOWN, Entry, ImportSource
from explorer.ingest.film_columns import FilmColumns
from explorer.ingest.label_columns import ColumnMarks, Marking
from explorer.ingest.label_lists import ListMarks
from explorer.ingest.label_words import finding_named
from explorer.ingest.patient_identity import with_patients
from explorer.ingest.rejects import Reason, Reject, Rejected
from explorer.ingest.united_rows import UnitedRows
from explorer.tabular.cell_words import CellWords, label_words
from explorer.tabular.csv_rows import Row, csv_rows
from explorer.tabular.header import column_place
from explorer.tabular.notes import Notes, Recognized
from explorer.tabular.problems import WrongInput

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
    return reading.source(notes)


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
    return reading.source(Notes())


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
        self._words, self._labelled_by = words, labelled_by
        self._film = FilmColumns(path, names, columns)
        self._marking = _marking(path, names, columns, set(self._film.places.values()), blank)
        self._rows = UnitedRows()
        self._rejects: list[Reject] = []

    def take(self, line: int, row: list[str]) -> None:
        """Keep a row, or why it cannot be used."""
        image = self._film.image(row)
        try:
            entry = self._film.entry(line, image, row)
            marks = self._marking.read(self._words.plainly(row) if self._words else row)
            self._rows.add(replace(entry, marks=marks, labelled_by=self._labelled_by.get(image)))
        except Rejected as rejected:
            if rejected.reason is Reason.NO_LABEL and self._words is None and isinstance(self._marking, ColumnMarks):
                raise _AnotherWay(self._marking.columns) from None
            self._rows.reject(image, line, rejected)
            self._rejects.append(Reject(line, image, rejected.reason, rejected.detail))

    def note_same_findings(self, names: list[str], notes: Notes) -> None:
        """Tell which columns are read as one."""
        together = self._marking.together if isinstance(self._marking, ColumnMarks) else {}
        for finding, places in together.items():
            columns = and_list([f"{names[place]!r} ({place + 1})" for place in places])
            said = f"the columns {columns} are read as one, {finding}: present where any of them is"
            notes.add(Recognized.SAME_FINDING, self._path, said)

    def source(self, read: Notes) -> ImportSource:
        """All rows; its notes begin with how they were `read`. Raises WrongInput where images lost their names."""
        findings = tuple(self._marking.findings)
        films = list(self._rows.entries(findings, all_zero=self._reject_all_zero))
        found = [film for film in films if isinstance(film, Entry)]
        entries, met = with_patients(found, self._columns.patients)
        return ImportSource(
            title=self._columns.title or self._path.stem,
            name=self._columns.source or self._path.name,
            label_source=self._columns.source or f"labels of {self._path.name}",
            blank=BLANK_WORDS[self._blank] if findings else "no labels",
            findings=findings,
            entries=entries,
            rejects=[*self._rejects, *(film for film in films if isinstance(film, Reject))],
            notes=[*self._notes(read, entries), *([met] if met else [])],
            words=self._marking.others,
            like_labels=self._marking.like_labels,
            relations=self._columns.relations,
        )

    def _notes(self, read: Notes, entries: list[Entry]) -> Iterator[str]:
        self._film.tell(read)
        if isinstance(self._marking, ListMarks):
            self._marking.tell(self._path, read)
        self._rows.tell(self._path, read)
        yield from map(str, read)
        yield from self._film.not_understood()
        if not self._marking.findings:
            return
        unmarked = sum(entry.marks.say_nothing() for entry in entries)
        if unmarked:
            yield f"rows that mention no finding, and have no labels: {unmarked:,}"
        if self._marking.elsewhere:
            yield f"rows whose only findings have no name here, kept: {self._marking.elsewhere:,}"


def _marking(path: Path, names: Sequence[str], columns: ColumnMap, taken: set[int], blank: Blank) -> Marking:
    rest = ABSENT if blank == "absent" else UNKNOWN

    def named(word: str) -> str | None:
        return finding_named(word, columns.spelling, columns.words)

    if isinstance(columns.findings, str):
        place = column_place(path, names, columns.findings)
        return ListMarks(place, columns.findings, columns.separator, named, rest)
    for column in columns.findings or ():
        if column_place(path, names, column) in taken:
            raise WrongInput(f"The column {column!r} of {path} cannot be a finding: map.toml names it for another use.")
    passed = taken | {place for place, name in enumerate(names) if plain(name) in map(plain, columns.passed_over)}
    return ColumnMarks([(place, name) for place, name in enumerate(names) if place not in passed], named, rest)

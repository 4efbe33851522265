"""Reads a table of images into an `ImportSource`."""

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
from explorer.ingest.film_columns import FilmColumnReader
from explorer.ingest.label_columns import ColumnLabels, LabelReader
from explorer.ingest.label_lists import ListLabels
from explorer.ingest.label_words import finding_named
from explorer.ingest.rejects import Reject, Rejected, RejectReason
from explorer.ingest.study_column import with_study_column
from explorer.ingest.united_rows import MergedRows
from explorer.tabular.cell_words import CellWords, label_words
from explorer.tabular.csv_rows import NumberedRow, csv_rows
from explorer.tabular.header import column_place
from explorer.tabular.notes import Notes, Recognized
from explorer.tabular.patient_names import PatientIds, patient_names
from explorer.tabular.problems import WrongInput

NO_SOURCES: Mapping[str, str] = MappingProxyType({})

BLANK_WORDS = {
    "absent": "absent: the table names every finding that was found",
    "unknown": "unknown: it gives no label",
}


def read_label_table(path: Path, columns: ColumnMap, blank: Blank, *, reject_all_zero: bool = False) -> ImportSource:
    """Read a table. Unusable rows become rejects; raises WrongInput if the whole table is unusable.

    A row of zeros is a film with none of the findings, unless `reject_all_zero`. Other notations of tables and labels
    are recognized and noted.
    """
    notes = Notes()
    try:
        return _read(path, columns, blank, reject_all_zero, notes, None)
    except _UnusualNotation as found:
        words = label_words(path, list(columns.columns().values()), found.columns, notes)
    return _read(path, columns, blank, reject_all_zero, notes, words)


def _read(
    path: Path, columns: ColumnMap, blank: Blank, reject_all_zero: bool, notes: Notes, words: CellWords | None
) -> ImportSource:
    """Read with `words` as the notation; if None, raise _UnusualNotation at a cell that is not 1, 0, -1 or blank."""
    with csv_rows(path, list(columns.columns().values()), notes) as (names, rows):
        columns = with_study_column(path, names, columns, notes)
        reading = _Reading(path, names, columns, blank, reject_all_zero, words)
        reading.note_same_findings(names, notes)
        for line, row in rows:
            reading.add_row(line, row)
    return reading.source(notes)


def read_rows(
    path: Path,
    names: list[str],
    rows: Iterable[NumberedRow],
    columns: ColumnMap,
    blank: Blank,
    *,
    reject_all_zero: bool = False,
    labelled_by: Mapping[str, str] = NO_SOURCES,
) -> ImportSource:
    """Like `read_label_table`, for rows already in plain notation; `path` appears in messages.

    `names` is the header. `labelled_by`: image id -> source of its labels, looked up after its row has been read.
    """
    reading = _Reading(path, names, columns, blank, reject_all_zero, CellWords(), labelled_by)
    for line, row in rows:
        reading.add_row(line, row)
    return reading.source(Notes())


class _UnusualNotation(Exception):
    """A cell is not in plain notation. `columns`: indices of label columns -> findings."""

    def __init__(self, columns: dict[int, str]) -> None:
        super().__init__()
        self.columns = columns


class _Reading:
    """Accumulates the rows of a table."""

    def __init__(
        self,
        path: Path,
        names: list[str],
        columns: ColumnMap,
        blank: Blank,
        reject_all_zero: bool,
        words: CellWords | None,
        labelled_by: Mapping[str, str] = NO_SOURCES,
    ) -> None:
        self._path, self._columns, self._blank, self._reject_all_zero = path, columns, blank, reject_all_zero
        self._words, self._labelled_by = words, labelled_by
        self._film = FilmColumnReader(path, names, columns)
        self._labels = _labels(path, names, columns, set(self._film.places.values()), blank)
        self._rows = MergedRows()
        self._rejects: list[Reject] = []

    def add_row(self, line: int, row: list[str]) -> None:
        """Add a row, or the reason it was rejected."""
        image = self._film.image(row)
        try:
            entry = self._film.entry(line, image, row)
            marks = self._labels.read(self._words.plainly(row) if self._words else row)
            self._rows.add(replace(entry, marks=marks, labelled_by=self._labelled_by.get(image)))
        except Rejected as rejected:
            if (
                rejected.reason is RejectReason.NO_LABEL
                and self._words is None
                and isinstance(self._labels, ColumnLabels)
            ):
                raise _UnusualNotation(self._labels.columns) from None
            self._rows.reject(image, line, rejected)
            self._rejects.append(Reject(line, image, rejected.reason, rejected.detail))

    def note_same_findings(self, names: list[str], notes: Notes) -> None:
        """Note which columns were merged into one finding."""
        merged_columns = self._labels.merged_columns if isinstance(self._labels, ColumnLabels) else {}
        for finding, places in merged_columns.items():
            columns = and_list([f"{names[place]!r} ({place + 1})" for place in places])
            sentence = f"the columns {columns} are merged into {finding}: present if any of them is"
            notes.add(Recognized.SAME_FINDING, self._path, sentence)

    def source(self, read: Notes) -> ImportSource:
        """Return all rows; `read` are notes on the notation. Raises WrongInput if image ids were rounded."""
        findings = tuple(self._labels.findings)
        films = list(self._rows.entries(findings, all_zero=self._reject_all_zero))
        found = [film for film in films if isinstance(film, Entry)]
        entries, shared_ids_note = _with_patients(found, self._columns.patients)
        return ImportSource(
            title=self._columns.title or self._path.stem,
            name=self._columns.source or self._path.name,
            label_source=self._columns.source or f"labels of {self._path.name}",
            blank=BLANK_WORDS[self._blank] if findings else "no labels",
            findings=findings,
            entries=entries,
            rejects=[*self._rejects, *(film for film in films if isinstance(film, Reject))],
            notes=[*self._notes(read, entries), *([shared_ids_note] if shared_ids_note else [])],
            words=self._labels.others,
            like_labels=self._labels.like_labels,
            relations=self._columns.relations,
        )

    def _notes(self, read: Notes, entries: list[Entry]) -> Iterator[str]:
        self._film.add_notes(read)
        if isinstance(self._labels, ListLabels):
            self._labels.add_notes(self._path, read)
        self._rows.add_note(self._path, read)
        yield from map(str, read)
        yield from self._film.not_understood_notes()
        if not self._labels.findings:
            return
        unmarked = sum(entry.marks.all_unknown() for entry in entries)
        if unmarked:
            yield f"rows without labels, because they mention no finding: {unmarked:,}"
        if self._labels.elsewhere:
            yield f"rows kept, although their only findings are unknown here: {self._labels.elsewhere:,}"


def _labels(path: Path, names: Sequence[str], columns: ColumnMap, used_columns: set[int], blank: Blank) -> LabelReader:
    rest = ABSENT if blank == "absent" else UNKNOWN

    def named(word: str) -> str | None:
        return finding_named(word, columns.spelling, columns.words)

    if isinstance(columns.findings, str):
        place = column_place(path, names, columns.findings)
        return ListLabels(place, columns.findings, columns.separator, named, rest)
    for column in columns.findings or ():
        if column_place(path, names, column) in used_columns:
            raise WrongInput(f"The column {column!r} of {path} cannot be a finding: map.toml gives it another meaning.")
    skipped = used_columns | {
        place for place, name in enumerate(names) if plain(name) in map(plain, columns.passed_over)
    }
    labeled = [(place, name) for place, name in enumerate(names) if place not in skipped]
    return ColumnLabels(labeled, named, rest, columns.values.labels)


def _with_patients(entries: Sequence[Entry], ids: PatientIds) -> tuple[list[Entry], str | None]:
    """Return the entries with patient names, and a note on identifiers that several centers share."""
    patients, centers = [entry.patient for entry in entries], [entry.center for entry in entries]
    remedy = 'say patients = "per center" in MAP, or --patients-per-center'
    names, note = patient_names(patients, centers, ids, remedy)
    return [replace(entry, patient=name) for entry, name in zip(entries, names, strict=True)], note

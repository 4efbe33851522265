"""Joins a table of films and a table of labels that has a row per study."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from explorer.ingest.blank_labels import Blank
from explorer.ingest.columns import ColumnMap
from explorer.ingest.entries import Entry, ImportSource, LabelMarks
from explorer.ingest.label_table import read_label_table
from explorer.ingest.study_column import usual_study_column
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.notes import Notes
from explorer.tabular.problems import WrongInput


def read_with_study_labels(
    films: Path, labels: Path, columns: ColumnMap, blank: Blank, *, reject_all_zero: bool = False
) -> ImportSource:
    """Return the films of one table, each with the labels that another table gives its study.

    `columns` names the study column of both tables, unless it has a usual name, and the findings of the second. A film
    has no labels if its study has no row. Raises WrongInput if a table has no study column, if both have labels, or if
    films of several patients have a study in common, which could be either's.
    """
    of_films = read_label_table(films, replace(columns, findings=None, words={}), "unknown")
    if of_films.findings:
        raise WrongInput(
            f"{films} has labels, too: {', '.join(of_films.findings[:3])}. Remove these columns, or leave out "
            "--study-labels."
        )
    if all(entry.study is None for entry in of_films.entries):
        raise WrongInput(f"{films} has no column of studies to join {labels} by. Name it in map.toml: study = ...")
    _check_patients(films, of_films.entries)
    rows = read_label_table(labels, _columns_by_study(labels, columns), blank, reject_all_zero=reject_all_zero)
    marks = {row.case: row.marks for row in rows.entries}
    entries = [replace(entry, marks=marks.get(entry.study or "", LabelMarks())) for entry in of_films.entries]
    return replace(
        rows,
        title=columns.title or films.stem,
        entries=entries,
        rejects=[*of_films.rejects, *rows.rejects],
        notes=[*of_films.notes, *rows.notes, *_left_over(labels, entries, marks)],
    )


def _columns_by_study(labels: Path, columns: ColumnMap) -> ColumnMap:
    """Return a map for a table whose rows are studies: the study takes the place of the image."""
    with csv_rows(labels, (), Notes()) as (names, _):
        stated = columns.study if columns.study in [name.strip() for name in names] else None
        study = stated or usual_study_column(names, ColumnMap(image_id=""))
    if study is None:
        raise WrongInput(f"{labels} has no column of studies. Name it as in the table of films, or study_id.")
    others = {name for name in columns.columns().values() if name not in (study, columns.study)}
    return ColumnMap(
        image_id=study,
        findings=columns.findings,
        separator=columns.separator,
        spelling=columns.spelling,
        source=columns.source,
        words=columns.words,
        relations=columns.relations,
        values=columns.values,
        passed_over=(*columns.passed_over, *sorted(others)),
    )


def _check_patients(films: Path, entries: list[Entry]) -> None:
    patients: dict[str, str | None] = {}
    for entry in entries:
        if entry.study is not None and patients.setdefault(entry.study, entry.patient) != entry.patient:
            raise WrongInput(
                f"{films} has the study {entry.study!r} for several patients, so labels by study could be either's. "
                "Join patient and study to one identifier in both tables."
            )


def _left_over(labels: Path, entries: list[Entry], marks: dict[str, LabelMarks]) -> Iterator[str]:
    without = sum(entry.study not in marks for entry in entries)
    if without:
        yield f"films without labels, because {labels.name} has no row for their study: {without:,}"
    strangers = len(marks.keys() - {entry.study for entry in entries})
    if strangers:
        yield f"rows of {labels.name} not used, because no film is of their study: {strangers:,}"

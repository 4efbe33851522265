"""Recognizes a table's column of studies by its usual names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from explorer.core.finding_words import plain
from explorer.ingest.columns import ColumnMap
from explorer.tabular.notes import Notes, Recognized

USUAL_NAMES = frozenset(
    {
        *("study", "studyid", "study id", "study uid", "studyuid", "studyinstanceuid", "study instance uid"),
        *("accession", "accession number", "accessionnumber"),
    }
)


def usual_study_column(names: Sequence[str], columns: ColumnMap) -> str | None:
    """Return the only column with a usual name of studies that has no other meaning; None without one."""
    used = {plain(name) for name in (*columns.columns().values(), *columns.words, *columns.passed_over)}
    found = [name for name in names if plain(name) in USUAL_NAMES - used]
    return found[0] if len(found) == 1 else None


def with_study_column(path: Path, names: Sequence[str], columns: ColumnMap, notes: Notes) -> ColumnMap:
    """Return the map with a study column that it does not name but the table has."""
    found = None if columns.study is not None else usual_study_column(names, columns)
    if found is None:
        return columns
    notes.add(Recognized.STUDY_COLUMN, path, f"the column {found!r} is read as the study of each film")
    return replace(columns, study=found)

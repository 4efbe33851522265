"""Exports and imports a case list as CSV or JSON.

Notes are exported only on request. Cases keep the names that the cohort gives them.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from explorer.analysis.exports.slice_export import Export
from explorer.cohorts.case_marks import CaseMark, CaseMarks, ListedCase, WrongMark
from explorer.cohorts.mark_edits import MAX_TAGS, Edit, list_name, listing, noting, starring, tagging
from explorer.core.csv_safe import without_formula_quote
from explorer.core.csv_table import Cells, csv_text
from explorer.store.marked import Marked
from explorer.store.slices import Slice
from explorer.tabular.csv_rows import csv_table
from explorer.tabular.image_names import image_names
from explorer.tabular.notes import Note, Notes, Recognized
from explorer.tabular.problems import WrongInput

if TYPE_CHECKING:
    from explorer.store.store import Store

ListFileKind = Literal["csv", "json"]
MAX_LIST_CHARS = 5_000_000  # characters
_COLUMNS = ("case", "finding", "model", "score", "threshold", "outcome", "label", "starred", "tags")
_FILE = Path("The file")  # browsers do not send the file's name
_HEAD = 4096  # characters
_UNREADABLE = "The file is not a case list"
_WANTED = "Choose a CSV file with a column `case`, or JSON that was exported here."


@dataclass(frozen=True, slots=True)
class ImportedList:
    """The result of an import: the list, its new cases, cases that the cohort lacks, and notes on reading the file."""

    name: str
    added: int
    unknown: int
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """One row of a file; the tags of its mark are added to the case's own."""

    case: str
    finding: str | None
    mark: CaseMark


def export_list(store: Store, cohort: str, model: str, name: str, kind: ListFileKind, *, notes: bool) -> Export:
    """Export a list with the model's scores of the list's findings. Raises WrongMark if the list does not exist."""
    marks = store.marks(cohort)
    if name not in marks.lists:
        raise WrongMark(f"The list {name!r} no longer exists", "It was renamed or deleted, perhaps in another window.")
    about = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "list"
    file = f"tailscope_list_{cohort}_{about}.{kind}"
    if kind == "json":
        cases = [_line(marks, each, notes=notes) for each in marks.lists[name]]
        text = json.dumps({"list": name, "cohort": cohort, "cases": cases}, ensure_ascii=False, indent=1)
        return Export(file, "application/json", text.encode())
    lines = _lines(store, Slice(cohort, model), marks, marks.lists[name], notes=notes)
    return Export(file, "text/csv", csv_text((*_COLUMNS, *(["note"] if notes else [])), lines).encode())


def export_cases(store: Store, cohort: str, model: str, cases: Sequence[ListedCase]) -> Export:
    """Export cases, which need not be in a list, as the same kind of table without notes."""
    lines = _lines(store, Slice(cohort, model), store.marks(cohort), cases, notes=False)
    return Export(f"tailscope_cases_{cohort}_{len(cases)}.csv", "text/csv", csv_text(_COLUMNS, lines).encode())


def _line(marks: CaseMarks, each: ListedCase, *, notes: bool) -> dict[str, object]:
    mark = marks.of(each.case)
    noted = {"note": mark.note} if notes else {}
    return {"case": each.case, "finding": each.finding, "starred": mark.starred, "tags": list(mark.tags), **noted}


def _lines(
    store: Store, every: Slice, marks: CaseMarks, listed: Sequence[ListedCase], *, notes: bool
) -> Iterator[Cells]:
    cases = tuple(sorted({each.case for each in listed}))
    columns = ["case", "finding", "score", "threshold", "outcome", "label"]
    rows = store.rows(replace(every, marked=Marked("any", cases))).select(columns).to_pylist()
    scores = {(row["case"], row["finding"]): row for row in rows}
    for each in listed:
        mark, pair = marks.of(each.case), scores.get((each.case, each.finding), {})
        yield {
            **{column: pair.get(column) for column in columns},
            "case": each.case,
            "finding": each.finding,
            "model": every.model,
            "starred": "yes" if mark.starred else "",
            "tags": ", ".join(mark.tags),
            **({"note": mark.note} if notes else {}),
        }


def import_list(store: Store, cohort: str, text: str, name: str) -> ImportedList:
    """Add a file's cases to the list `name` (by default the list that the file names), with their stars and tags.

    A note is imported only if the case has none. Cases missing from the cohort are skipped. Raises WrongMark.
    """
    if len(text) > MAX_LIST_CHARS:
        raise WrongMark("The file is too long for a case list", f"At most {MAX_LIST_CHARS:,} characters are allowed.")
    notes = Notes()
    named, rows = _read(text.removeprefix("\ufeff"), notes)
    called = list_name(name or named)
    there = store.patients(cohort)
    rows = _as_cases(rows, there, cohort, notes)
    known = [row for row in rows if row.case in there]
    if not known:
        raise WrongMark(f"None of its cases is in {cohort}", "Choose the cohort that the list was made from.")
    added = [ListedCase(row.case, row.finding) for row in known]
    before = len(store.marks(cohort).lists.get(called, ()))
    found = store.change_marks(cohort, _combined(listing(called, added), *map(_add_mark, known)))
    unknown = len({row.case for row in rows} - there.keys())
    return ImportedList(called, len(found.lists[called]) - before, unknown, tuple(notes))


def _as_cases(rows: list[_Row], there: Collection[str], cohort: str, notes: Notes) -> list[_Row]:
    """Change the rows' case names to the cohort's, which may differ in extension or folder."""
    found = image_names(dict.fromkeys(row.case for row in rows), there, cohort)
    if found is None:
        return rows
    notes.add(Recognized.IMAGE_NAMES, _FILE, found.note)
    return [replace(row, case=found.pairs.get(row.case, row.case)) for row in rows]


def _combined(*edits: Edit) -> Edit:
    def edit(marks: CaseMarks) -> CaseMarks:
        for each in edits:
            marks = each(marks)
        return marks

    return edit


def _add_mark(row: _Row) -> Edit:
    """Return the edit that adds a row's star, tags and note to those that the case already has."""
    case, marked = row.case, row.mark
    if marked.is_empty:
        return lambda marks: marks

    def edit(marks: CaseMarks) -> CaseMarks:
        mark = marks.of(case)
        tags = tuple(dict.fromkeys((*mark.tags, *marked.tags)))[:MAX_TAGS]
        edits = [tagging(case, tags)] if tags != mark.tags else []
        edits += [starring([case], on=True)] if marked.starred else []
        edits += [noting(case, marked.note)] if marked.note and not mark.note else []
        return _combined(*edits)(marks)

    return edit


def _read(text: str, notes: Notes) -> tuple[str, list[_Row]]:
    """Return the list's name, empty if the file has none, and its rows."""
    try:
        if text.lstrip().startswith("{"):
            table = json.loads(text)
            cases, name = table.get("cases"), table.get("list")
            rows = [_row(each) for each in cases] if isinstance(cases, list) else []
            return name if isinstance(name, str) else "", _non_empty(rows)
        if {"\0", "\ufffd"} & set(text[:_HEAD]):
            raise WrongMark("The file is not UTF-8 text", "Save it as CSV in UTF-8, then choose it again.")
        names, lines = csv_table(io.StringIO(text, newline=""), _FILE, ["case"], notes)
        keys = [name.strip() for name in names]
        return "", _non_empty(
            [_row(dict(zip(keys, map(without_formula_quote, cells), strict=False))) for _, cells in lines]
        )
    except (WrongInput, ValueError, RecursionError) as error:
        raise WrongMark(_UNREADABLE, _WANTED) from error


def _non_empty(rows: list[_Row | None]) -> list[_Row]:
    found = [row for row in rows if row is not None]
    if not found:
        raise WrongMark(_UNREADABLE, _WANTED)
    return found


def _row(raw: object) -> _Row | None:
    """Return one row; None if it does not name a case."""
    case = raw.get("case") if isinstance(raw, Mapping) else None
    if not isinstance(raw, Mapping) or not isinstance(case, str) or not case:
        return None
    finding, tags, note = raw.get("finding"), raw.get("tags"), raw.get("note")
    words = tags.split(",") if isinstance(tags, str) else tags if isinstance(tags, list) else []
    return _Row(
        case,
        finding if isinstance(finding, str) and finding else None,
        CaseMark(
            raw.get("starred") in (True, "yes"),
            tuple(each for each in words if isinstance(each, str) and each.strip()),
            note if isinstance(note, str) else "",
        ),
    )

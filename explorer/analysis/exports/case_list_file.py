"""A list of cases as a file: CSV for a table, JSON to give to somebody, both read back.

Notes leave this machine only when they are asked for. A case is named as the cohort has it.
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
from explorer.cohorts.case_marks import CaseMarks, ListedCase, Mark, WrongMark
from explorer.cohorts.mark_edits import MOST_TAGS, Edit, list_name, listing, noting, starring, tagging
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

FileKind = Literal["csv", "json"]
MOST_READ = 5_000_000  # characters
_COLUMNS = ("case", "finding", "model", "score", "threshold", "outcome", "label", "starred", "tags")
_FILE = Path("The file")  # a browser does not say what it is called
_HEAD = 4096  # characters
_UNREADABLE = "That file cannot be read as a list"
_WANTED = "Take a CSV with a column `case`, or JSON that was exported here."


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file: the list, the cases that it added, those that it does not have; and how it was read."""

    name: str
    added: int
    unknown: int
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a file; `tags` are there to be added."""

    case: str
    finding: str | None
    mark: Mark


def export_list(store: Store, cohort: str, model: str, name: str, kind: FileKind, *, notes: bool) -> Export:
    """A list with what the model says of its findings. Raises WrongMark where there is no such list."""
    marks = store.marks(cohort)
    if name not in marks.lists:
        raise WrongMark(f"There is no list {name!r} any more", "It was renamed or deleted, perhaps in another window.")
    about = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "list"
    file = f"tailscope_list_{cohort}_{about}.{kind}"
    if kind == "json":
        cases = [_line(marks, each, notes=notes) for each in marks.lists[name]]
        text = json.dumps({"list": name, "cohort": cohort, "cases": cases}, ensure_ascii=False, indent=1)
        return Export(file, "application/json", text.encode())
    lines = _lines(store, Slice(cohort, model), marks, marks.lists[name], notes=notes)
    return Export(file, "text/csv", csv_text((*_COLUMNS, *(["note"] if notes else [])), lines).encode())


def export_cases(store: Store, cohort: str, model: str, cases: Sequence[ListedCase]) -> Export:
    """The same table of cases that are in no list, without notes."""
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
    said = {(row["case"], row["finding"]): row for row in rows}
    for each in listed:
        mark, pair = marks.of(each.case), said.get((each.case, each.finding), {})
        yield {
            **{column: pair.get(column) for column in columns},
            "case": each.case,
            "finding": each.finding,
            "model": every.model,
            "starred": "yes" if mark.starred else "",
            "tags": ", ".join(mark.tags),
            **({"note": mark.note} if notes else {}),
        }


def import_list(store: Store, cohort: str, text: str, name: str) -> Imported:
    """Add a file's cases to a list, `name` or the one that the file names, and its stars and tags to the cases.

    A note is taken where the case has none. Cases that the cohort does not have are left out. Raises WrongMark.
    """
    if len(text) > MOST_READ:
        raise WrongMark("That file is too long for a list", f"It may have {MOST_READ:,} characters.")
    notes = Notes()
    named, rows = _read(text.removeprefix("\ufeff"), notes)
    called = list_name(name or named)
    there = store.patients(cohort)
    rows = _as_cases(rows, there, cohort, notes)
    known = [row for row in rows if row.case in there]
    if not known:
        raise WrongMark(f"None of its cases is in {cohort}", "Choose the cohort that the list was made of.")
    added = [ListedCase(row.case, row.finding) for row in known]
    before = len(store.marks(cohort).lists.get(called, ()))
    found = store.change_marks(cohort, _together(listing(called, added), *map(_adding, known)))
    unknown = len({row.case for row in rows} - there.keys())
    return Imported(called, len(found.lists[called]) - before, unknown, tuple(notes))


def _as_cases(rows: list[_Row], there: Collection[str], cohort: str, notes: Notes) -> list[_Row]:
    """The lines under the names of the cohort's cases, where these have other endings or folders."""
    found = image_names(dict.fromkeys(row.case for row in rows), there, cohort)
    if found is None:
        return rows
    notes.add(Recognized.IMAGE_NAMES, _FILE, found.note)
    return [replace(row, case=found.pairs.get(row.case, row.case)) for row in rows]


def _together(*edits: Edit) -> Edit:
    def edit(marks: CaseMarks) -> CaseMarks:
        for each in edits:
            marks = each(marks)
        return marks

    return edit


def _adding(row: _Row) -> Edit:
    """What a line says of a case beside what is marked of it already."""
    case, told = row.case, row.mark
    if told.is_empty:
        return lambda marks: marks

    def edit(marks: CaseMarks) -> CaseMarks:
        mark = marks.of(case)
        tags = tuple(dict.fromkeys((*mark.tags, *told.tags)))[:MOST_TAGS]
        edits = [tagging(case, tags)] if tags != mark.tags else []
        edits += [starring([case], on=True)] if told.starred else []
        edits += [noting(case, told.note)] if told.note and not mark.note else []
        return _together(*edits)(marks)

    return edit


def _read(text: str, notes: Notes) -> tuple[str, list[_Row]]:
    """The name of the list, empty where the file has none, and its lines."""
    try:
        if text.lstrip().startswith("{"):
            table = json.loads(text)
            cases, name = table.get("cases"), table.get("list")
            rows = [_row(each) for each in cases] if isinstance(cases, list) else []
            return name if isinstance(name, str) else "", _some(rows)
        if {"\0", "\ufffd"} & set(text[:_HEAD]):
            raise WrongMark("That file is not text in UTF-8", "Save it as CSV in UTF-8, then choose it again.")
        names, lines = csv_table(io.StringIO(text, newline=""), _FILE, ["case"], notes)
        keys = [name.strip() for name in names]
        return "", _some([_row(dict(zip(keys, map(without_formula_quote, cells), strict=False))) for _, cells in lines])
    except (WrongInput, ValueError, RecursionError) as error:
        raise WrongMark(_UNREADABLE, _WANTED) from error


def _some(rows: list[_Row | None]) -> list[_Row]:
    found = [row for row in rows if row is not None]
    if not found:
        raise WrongMark(_UNREADABLE, _WANTED)
    return found


def _row(said: object) -> _Row | None:
    """A line; None where it names no case."""
    case = said.get("case") if isinstance(said, Mapping) else None
    if not isinstance(said, Mapping) or not isinstance(case, str) or not case:
        return None
    finding, tags, note = said.get("finding"), said.get("tags"), said.get("note")
    words = tags.split(",") if isinstance(tags, str) else tags if isinstance(tags, list) else []
    return _Row(
        case,
        finding if isinstance(finding, str) and finding else None,
        Mark(
            said.get("starred") in (True, "yes"),
            tuple(each for each in words if isinstance(each, str) and each.strip()),
            note if isinstance(note, str) else "",
        ),
    )

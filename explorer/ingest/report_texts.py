"""Finds the report of each film: a column of the table, or text files named after a film or its study."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath

from explorer.cohorts.images import FILM_ENDINGS
from explorer.core.finding_words import plain
from explorer.ingest.entries import Entry
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.header import column_place
from explorer.tabular.missing_words import is_missing
from explorer.tabular.notes import Notes
from explorer.tabular.problems import WrongInput

ENDING = ".txt"
MAX_REPORT_BYTES = 1_000_000  # a report has a few thousand


class NoReport(StrEnum):
    """Why a film has no labels of a report."""

    NONE = "no report"
    BLANK = "a report without text"
    TWO = "two reports that differ"
    ENCODING = "a report that is not text in UTF-8 or UTF-16"
    TOO_LARGE = "a report of over a million bytes"
    LANGUAGE = "a report in another language"


@dataclass(slots=True)
class ReportTexts:
    """Reports by the name of a film or of a study, and what was wrong with others."""

    texts: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, NoReport] = field(default_factory=dict)  # name -> why its report cannot be used

    def add(self, name: str, text: str) -> None:
        """Add a report; two that differ cannot both be a film's, and neither is used."""
        if self.texts.setdefault(name, text).split() != text.split():
            self.wrong[name] = NoReport.TWO

    def of(self, entry: Entry) -> str | NoReport:
        """Return the report of a film, or why it has none."""
        names = dict.fromkeys(each for each in (entry.case, _stem(entry.case), entry.study) if each)
        for name in names:
            if name in self.wrong:
                return self.wrong[name]
        found = list(dict.fromkeys(self.texts[name] for name in names if name in self.texts))
        if not found:
            return NoReport.NONE
        if len(found) > 1:
            return NoReport.TWO
        return NoReport.BLANK if is_missing(found[0]) else found[0]


def reports_in(where: str, table: Path | None, image: str = "") -> ReportTexts:
    """Return the reports in a folder, or in a column of the table, whose column `image` names the films.

    Raises WrongInput if there is neither, or both.
    """
    folder = Path(where).is_dir()
    column = table is not None and not _looks_like_a_path(where) and _has_column(table, image, where)
    if folder and column:
        raise WrongInput(f"{where!r} is a folder and a column of {table}. Write ./{where} if you mean the folder.")
    if folder:
        return folder_reports(Path(where))
    if table is None or _looks_like_a_path(where):
        raise WrongInput(f"{where} is not a folder. Give --reports a folder of text files.")
    return column_reports(table, image, where)


def _looks_like_a_path(where: str) -> bool:
    return "/" in where or where in (".", "..")


def _has_column(table: Path, image: str, name: str) -> bool:
    with csv_rows(table, (image, name), Notes()) as (names, _):
        return plain(name) in map(plain, names)


def column_reports(table: Path, image: str, column: str) -> ReportTexts:
    """Return the reports in a column of a table whose column `image` names the films. Raises WrongInput."""
    found = ReportTexts()
    with csv_rows(table, (image, column), Notes()) as (names, rows):
        places = column_place(table, names, image), column_place(table, names, column)
        for _, row in rows:
            if len(row) > max(places) and row[places[0]].strip():
                _add_row(found, row[places[0]], row[places[1]])
    return found


def _add_row(found: ReportTexts, name: str, text: str) -> None:
    """Add a row's report. A blank cell beside a filled one of the same film is no second report."""
    if not text.strip() and name in found.texts:
        return
    if not found.texts.get(name, "x").strip():
        del found.texts[name]
    found.add(name, text)


def folder_reports(folder: Path) -> ReportTexts:
    """Return the text files anywhere below a folder, each named after a film or a study. Raises WrongInput."""
    found = ReportTexts()
    paths = sorted(each for each in folder.rglob("*") if each.suffix.lower() == ENDING and each.is_file())
    if not paths:
        raise WrongInput(f"{folder} has no reports: no file there ends in {ENDING}. Name each after its film or study.")
    for path in paths:
        text = _text(path)
        if isinstance(text, NoReport):
            found.wrong.setdefault(path.stem, text)
        else:
            found.add(path.stem, text)
    return found


def _text(path: Path) -> str | NoReport:
    if path.stat().st_size > MAX_REPORT_BYTES:
        return NoReport.TOO_LARGE
    data = path.read_bytes()
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError:
        return NoReport.ENCODING


def _stem(case: str) -> str:
    path = PurePosixPath(case)
    return path.stem if path.suffix.lower() in FILM_ENDINGS else path.name


def left_over(found: ReportTexts, entries: Iterable[Entry]) -> int:
    """Return how many reports belong to no film."""
    used = {name for each in entries for name in (each.case, _stem(each.case), each.study)}
    return sum(name not in used for name in found.texts.keys() | found.wrong.keys())

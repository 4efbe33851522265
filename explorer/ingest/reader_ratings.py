"""Adds readers' calls and ratings to a cohort, shipped or yours. Labels, films and scores do not change."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from explorer.cohorts.layout import additions_folder, cohort_folder
from explorer.cohorts.own_findings import cohort_findings
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.reader_ratings import READER_RATINGS, write_ratings
from explorer.core.finding_names import did_you_mean, match_finding
from explorer.core.word_lists import comma_list
from explorer.tabular.image_names import image_names
from explorer.tabular.notes import some
from explorer.tabular.problems import FailedChecks, WrongInput
from explorer.tabular.reader_ratings import ReaderOpinion, read_reader_opinions


@dataclass(frozen=True, slots=True)
class ReadersReport:
    """The result of an import: opinions by finding, readers, films, and notes on what was skipped."""

    cohort: str
    name: str
    opinions: int
    readers: tuple[str, ...]
    films: int
    findings: dict[str, int]
    notes: tuple[str, ...]


def add_reader_ratings(
    path: Path, cohort: str, name: str, *, finding: str | None = None, present_from: float | None = None
) -> ReadersReport:
    """Add the readers of a table to a cohort under `name`, replacing an import of this name.

    Raises NoCohort, WrongInput, and FailedChecks if no film of the table is in the cohort.
    """
    folder = cohort_folder(cohort)
    read = read_reader_opinions(path, finding, present_from)
    findings = _findings(read.rows, cohort_findings(folder), path)
    known = set(read_table(folder.cases, ["case"])["case"].to_pylist())
    given = dict.fromkeys(each.case.removeprefix(f"{cohort}/") for each in read.rows)
    names = image_names(given, known, "the cohort")
    matched = dict(zip(given, given, strict=True)) if names is None else names.pairs
    rows, strange, seen = list[dict[str, object]](), dict[str, None](), dict[tuple[str, str, str], int]()
    for each in read.rows:
        case = matched.get(each.case.removeprefix(f"{cohort}/"), "")
        if case not in known:
            strange[each.case] = None
            continue
        about = findings[each.finding]
        if (first := seen.setdefault((each.reader, case, about), each.line)) != each.line:
            raise WrongInput(f"{path}, line {each.line}: the same reader, film and finding as on line {first}.")
        rows.append(
            {
                "reader": each.reader,
                "case": case,
                "finding": about,
                "call": None if each.call is None else int(each.call),
                "rating": each.rating,
            }
        )
    if not rows:
        raise FailedChecks(f"No film of {path} is in {cohort}: {some(strange)}. Name cases as the cohort does.")
    write_ratings(additions_folder(folder), name, pa.Table.from_pylist(rows, READER_RATINGS))
    return ReadersReport(
        cohort=cohort,
        name=name,
        opinions=len(rows),
        readers=tuple(dict.fromkeys(str(row["reader"]) for row in rows)),
        films=len({row["case"] for row in rows}),
        findings=dict(Counter(str(row["finding"]) for row in rows).most_common()),
        notes=tuple(_notes(strange, read.skipped, rows, None if names is None else names.note)),
    )


def _findings(rows: tuple[ReaderOpinion, ...], own: tuple[str, ...], path: Path) -> dict[str, str]:
    """Return each word of the table with the cohort's finding that it names. Raises WrongInput."""
    words = dict.fromkeys(each.finding for each in rows)
    found = {word: match_finding(word, own) for word in words}
    for word, finding in found.items():
        if finding not in own:
            near = did_you_mean(word, own) or f" It has: {comma_list(sorted(own))}."
            raise WrongInput(f"{path}: the cohort has no finding {word!r}.{near}")
    return {word: finding for word, finding in found.items() if finding is not None}


def _notes(strange: dict[str, None], skipped: int, rows: list[dict[str, object]], names: str | None) -> list[str]:
    notes = [names] if names else []
    if strange:
        notes.append(f"films that the cohort does not have, skipped: {len(strange):,} ({some(strange)})")
    if skipped:
        notes.append(f"rows of the truth or of a model, skipped: {skipped:,}")
    if any(row["call"] is None for row in rows):
        notes.append("ratings without a call give a curve, but no point: --present-from states which are calls")
    return notes

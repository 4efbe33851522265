"""Reads a file of suggested labels, such as a language model's output, and checks it against a fixed schema.

The schema: a CSV with exactly the columns `case` and `findings`; one row for each film; findings by their names,
separated by semicolons, or the word None alone. Nothing is guessed: every break is named and counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from explorer.core.word_lists import suggestion
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.problems import Problems, WrongInput

COLUMNS = ("case", "findings")
NO_FINDING = "None"
_KINDS: Mapping[str, str] = {
    "case": "rows whose case is not in the cohort",
    "twice": "rows of a case that has one already",
    "blank": "rows without findings",
    "finding": "names that are not findings of the review",
    "repeated": "findings named twice in a row",
    "none": "rows with None and a finding",
    "cells": "rows with another number of cells",
}


@dataclass(frozen=True, slots=True)
class SuggestedLabels:
    """The labels suggested for a film. A finding in none of the three was not looked for."""

    present: tuple[str, ...]
    uncertain: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


def suggested_labels(
    path: Path, cases: Collection[str], findings: Collection[str], *, each: bool = False
) -> dict[str, tuple[str, ...]]:
    """Return the suggested findings by case, in the file's order.

    Raises WrongInput if the file cannot be read or has other columns, FailedChecks with every break of the schema;
    `each` lists every one instead of examples.
    """
    problems = Problems(each=each, most=None if each else 20)
    found: dict[str, tuple[str, ...]] = {}
    known = frozenset(cases)
    with csv_rows(path) as (names, rows):
        if [name.strip().lower() for name in names] != list(COLUMNS):
            raise WrongInput(
                f"{path} has the columns {', '.join(map(repr, names))}. Suggested labels have exactly two: "
                "case and findings."
            )
        for line, row in rows:
            broken = list(_breaks(row, known, found, findings))
            for kind, what in broken:
                problems.add(what, path, line, kind=_KINDS[kind])
            if not broken:
                found[row[0].strip()] = _named(row[1])
    problems.refuse()
    if not found:
        raise WrongInput(f"{path} has no rows. Write one for each film.")
    return found


def _breaks(
    row: list[str], cases: frozenset[str], before: Collection[str], findings: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield each break of the schema in a row: its kind, and what is wrong."""
    if len(row) != len(COLUMNS):
        yield "cells", f"{len(row)} cells instead of {len(COLUMNS)}"
        return
    case, named = row[0].strip(), [part.strip() for part in row[1].split(";")]
    if case not in cases:
        yield "case", f"{case!r} is not a film of the cohort"
    elif case in before:
        yield "twice", f"{case!r} has an earlier row"
    if named == [""]:
        yield "blank", f"a blank does not say that there is no finding. Write {NO_FINDING}"
        return
    if NO_FINDING in named and len(named) > 1:
        yield "none", f"{row[1]!r} says both that there is no finding and that there is one"
    for name in dict.fromkeys(named):
        if name != NO_FINDING and name not in findings:
            yield "finding", f"{name!r} is not a finding of the review. {suggestion(name, findings).rstrip('.')}"
    if len(set(named)) < len(named):
        yield "repeated", f"{row[1]!r} names a finding twice"


def _named(cell: str) -> tuple[str, ...]:
    named = tuple(part.strip() for part in cell.split(";"))
    return () if named == (NO_FINDING,) else named

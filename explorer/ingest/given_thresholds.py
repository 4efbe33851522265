"""Operating points that come with imported scores: one number for all findings, or a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.core.finding_names import did_you_mean, match_finding
from explorer.core.threshold_rules import FIXED_PREFIX
from explorer.tabular.cell_words import decimal_commas
from explorer.tabular.cells import parse_finite, parse_score
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.header import column_place
from explorer.tabular.notes import Note, Notes
from explorer.tabular.problems import Problems

GIVEN_RULE = "given with the scores"
_COLUMNS = ("finding", "threshold")


@dataclass(frozen=True, slots=True)
class GivenThresholds:
    """Thresholds by finding; `said` describes their origin, `rule` how each was chosen.

    `notes` report how a file of thresholds was read.
    """

    values: dict[str, float]
    rule: str
    said: str
    notes: tuple[Note, ...] = ()


def uniform_thresholds(findings: Sequence[str], value: float) -> GivenThresholds:
    """Return the same threshold for every finding."""
    rule = f"{FIXED_PREFIX}{value:g}"
    return GivenThresholds(dict.fromkeys(findings, value), rule, f"{rule} for every finding, not chosen on any data")


def read_thresholds(path: Path, *, margins: bool = False, own: Iterable[str] = ()) -> GivenThresholds:
    """Read a file with the columns finding and threshold. Values lie between 0 and 1, or are any number for `margins`.

    Findings are known ones, or those in `own`, which no taxonomy has.

    Raises WrongInput, and FailedChecks if rows are wrong.
    """
    number = parse_finite if margins else parse_score
    problems, notes, values, names_here = Problems(), Notes(), dict[str, float](), tuple(own)
    with csv_rows(path, _COLUMNS, notes) as (names, rows):
        places = tuple(column_place(path, names, name) for name in _COLUMNS)
        words = decimal_commas(path, _COLUMNS, places[1:], notes)
        for line, row in rows:
            if len(row) != len(names):
                problems.add(f"{len(row)} cells where the header has {len(names)}", path, line)
                continue
            plain = words.plainly(row)
            word, cell = (plain[place] for place in places)
            finding = match_finding(word, names_here)
            if finding is None:
                problems.add(f"{word!r} is not a finding here.{did_you_mean(word, names_here)}", path, line)
            elif finding in values:
                problems.add(f"{finding} already has a threshold", path, line)
            else:
                try:
                    values[finding] = number(cell)
                except ValueError as error:
                    problems.add(f"{finding}: {error}", path, line)
    problems.refuse(notes)
    said = f"{GIVEN_RULE}, in {path.name}; the films they were chosen on are not stated"
    return GivenThresholds(values, GIVEN_RULE, said, tuple(notes))

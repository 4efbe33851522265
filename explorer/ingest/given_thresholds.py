"""Operating points that come with scores made elsewhere: one number for all, or a file of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.core.finding_names import did_you_mean, named_among
from explorer.core.threshold_rules import FIXED
from explorer.tabular.cell_words import decimal_commas
from explorer.tabular.cells import finite, score
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.header import column_place
from explorer.tabular.notes import Note, Notes
from explorer.tabular.problems import Problems

RULE = "given with the scores"
_COLUMNS = ("finding", "threshold")


@dataclass(frozen=True, slots=True)
class GivenThresholds:
    """A threshold for findings that have one; `said` is where they are from, `rule` how each was chosen.

    `notes` tell how a file of them was read.
    """

    values: dict[str, float]
    rule: str
    said: str
    notes: tuple[Note, ...] = ()


def fixed_thresholds(findings: Sequence[str], value: float) -> GivenThresholds:
    """The same for every finding."""
    rule = f"{FIXED}{value:g}"
    return GivenThresholds(dict.fromkeys(findings, value), rule, f"{rule} for every finding, not chosen on any data")


def read_thresholds(path: Path, *, margins: bool = False, own: Iterable[str] = ()) -> GivenThresholds:
    """A file with the columns finding and threshold: from 0 to 1, of an image-text model's `margins` any number.

    Findings are known ones, or `own` names that no taxonomy has.

    Raises WrongInput, and FailedChecks where rows are wrong.
    """
    number = finite if margins else score
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
            finding = named_among(word, names_here)
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
    said = f"{RULE}, in {path.name}; which films they were chosen on is not stated"
    return GivenThresholds(values, RULE, said, tuple(notes))

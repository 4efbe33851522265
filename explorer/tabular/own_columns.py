"""Decides which columns of a labels file and a scores file are findings that no taxonomy has.

A column counts if both files have it, every cell of one is a label and every cell of the other a score. Columns that
are used and columns that are left out are both reported, together with how to change that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.core.finding_names import InvalidName, did_you_mean, finding_name
from explorer.core.finding_words import finding_of, plain
from explorer.tabular.cell_words import CellWords, decimal_commas, label_words
from explorer.tabular.cells import parse_label, parse_logit, parse_score
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.notes import Notes
from explorer.tabular.problems import WrongInput


@dataclass(frozen=True, slots=True)
class Declared:
    """Columns that the user declares as findings (--finding), and as something else (--not-finding)."""

    findings: Sequence[str] = ()
    others: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class OwnColumns:
    """Names of findings that no taxonomy has, for reading both files; `left` gives reasons why other columns are not.

    `declared`: those named by the user. `others`: columns that the user excludes.
    """

    findings: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()

    @property
    def note(self) -> str | None:
        """A sentence on findings that the files themselves suggested; None if there are none."""
        taken = [name for name in self.findings if name not in self.declared]
        if not taken:
            return None
        named = ", ".join(f"{name!r}{_offer(name)}" for name in taken)
        return (
            f"used as new findings, which no taxonomy has, because both files have them, with labels and "
            f"scores: {named}. Leave one out with --not-finding NAME."
        )

    def why_not(self, column: str) -> str:
        """Return the reason a column is not a finding, and the remedy, as the end of a sentence."""
        why = next((why for name, why in self.left if plain(name) == plain(column)), None)
        reason = "" if why is None else f": {why}"
        return f"{reason}.{did_you_mean(column, self.findings)} --not-finding {column!r} skips it."


def declared_names(words: Iterable[str]) -> tuple[str, ...]:
    """Return the names that a user declares as findings, without repeats. Raises WrongInput for an invalid name."""
    try:
        names = [finding_of(word) or finding_name(word) for word in words]
    except InvalidName as error:
        raise WrongInput(f"--finding: {error}.") from error
    return tuple({plain(name): name for name in reversed(names)}.values())[::-1]


def shared_columns(
    labels: Path, scores: Path, not_findings: Sequence[str], declared: Declared, *, logits: bool = False
) -> OwnColumns:
    """Return the new findings of two files; `not_findings`: first the image column, then centers and the like.

    Raises WrongInput if a file cannot be read, or if neither has a declared column.
    """
    named = declared_names(declared.findings)
    ids = list(not_findings[:1])
    headers = [
        _unknown(labels, not_findings, declared.others),
        _unknown(scores, ids, [*not_findings, *declared.others]),
    ]
    for name in named:
        if finding_of(name) is None and not any(plain(name) in header for header in headers):
            raise WrongInput(f"--finding: neither {labels.name} nor {scores.name} has a column {name!r}.")
    taken = {plain(name): name for name in named}
    left = []
    for bare, name in headers[0].items():
        if bare in headers[1] and bare not in taken:
            number = parse_logit if logits else parse_score
            why = _why_not(labels, name, parse_label, not_findings) or _why_not(scores, headers[1][bare], number, ids)
            if why is None:
                taken[bare] = finding_name(name)
            else:
                left.append((name, why))
    return OwnColumns(tuple(taken.values()), named, tuple(left), tuple(declared.others))


def _unknown(path: Path, not_findings: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    """Return normalized name -> name of columns that could be new findings."""
    passed = {*map(plain, not_findings), *map(plain, others)}
    found: dict[str, str] = {}
    with csv_rows(path, not_findings, Notes()) as (names, _):
        for name in names:
            if finding_of(name) is None and plain(name) not in passed and _is_name(name):
                found.setdefault(plain(name), name)
    return found


def _why_not(path: Path, column: str, cell: Callable[[str], float], not_findings: Sequence[str]) -> str | None:
    """Return the first cell of the column that is not valid in any notation; None if all are valid."""
    with csv_rows(path, not_findings, Notes()) as (names, _):
        place = names.index(column)
    why = _first_wrong(path, place, cell, not_findings, CellWords())
    if why is None:
        return None
    if cell is parse_label:
        words = label_words(path, not_findings, {place: column}, Notes())
    else:
        words = decimal_commas(path, not_findings, [place], Notes())
    return _first_wrong(path, place, cell, not_findings, words) if words else why


def _first_wrong(
    path: Path, place: int, cell: Callable[[str], float], not_findings: Sequence[str], words: CellWords
) -> str | None:
    with csv_rows(path, not_findings, Notes()) as (_, rows):
        for line, row in rows:
            try:
                cell(words.plainly(row)[place] if place < len(row) else "")
            except ValueError as error:
                return f"{path.name}, line {line}: {error}"
    return None


def _is_name(text: str) -> bool:
    try:
        finding_name(text)
    except InvalidName:
        return False
    return True


def _offer(name: str) -> str:
    offered = did_you_mean(name)
    return f" ({offered.strip()})" if offered else ""

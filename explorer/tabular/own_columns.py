"""Which columns of a labels file and a scores file are findings that no taxonomy has.

Nothing is guessed in silence: such a column is taken where both files have it, every cell of the one is a label and
every cell of the other a score; and both what is taken and what is left out is told, with what changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.core.finding_names import NoName, did_you_mean, finding_name
from explorer.core.finding_words import finding_of, plain
from explorer.tabular.cell_words import CellWords, decimal_commas, label_words
from explorer.tabular.cells import label, logit, score
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.notes import Notes
from explorer.tabular.problems import WrongInput


@dataclass(frozen=True, slots=True)
class Declared:
    """Columns that a user says are findings of their own, and columns that are none, whatever they look like."""

    findings: Sequence[str] = ()
    others: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class OwnColumns:
    """Names of findings of their own, by which both files' columns are read; `left` says why others are none.

    `declared`: those that the user named. `others` are columns that the user says are no findings.
    """

    findings: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()

    @property
    def note(self) -> str | None:
        """What was taken because of what the files say; None where nothing was."""
        taken = [name for name in self.findings if name not in self.declared]
        if not taken:
            return None
        named = ", ".join(f"{name!r}{_offer(name)}" for name in taken)
        return (
            f"taken as findings of their own, which no taxonomy has, because both files have them, with labels and "
            f"scores: {named}. Leave one out with --not-finding NAME."
        )

    def why_not(self, column: str) -> str:
        """Why a column is no finding, and what to do; to follow the words that say so."""
        why = next((why for name, why in self.left if plain(name) == plain(column)), None)
        reason = "" if why is None else f": {why}"
        return f"{reason}.{did_you_mean(column, self.findings)} --not-finding {column!r} passes it over."


def declared_names(words: Iterable[str]) -> tuple[str, ...]:
    """Names that a user gives to findings of their own, each once. Raises WrongInput for one that is no name."""
    try:
        names = [finding_of(word) or finding_name(word) for word in words]
    except NoName as error:
        raise WrongInput(f"--finding: {error}.") from error
    return tuple({plain(name): name for name in reversed(names)}.values())[::-1]


def shared_columns(
    labels: Path, scores: Path, apart: Sequence[str], declared: Declared, *, logits: bool = False
) -> OwnColumns:
    """The findings of their own of two files; `apart` are the columns of image ids, in both, and of
    centers and the like, in the labels.

    Raises WrongInput where a file cannot be read, or one that is declared is in neither.
    """
    named = declared_names(declared.findings)
    ids = list(apart[:1])
    headers = [_unknown(labels, apart, declared.others), _unknown(scores, ids, [*apart, *declared.others])]
    for name in named:
        if finding_of(name) is None and not any(plain(name) in header for header in headers):
            raise WrongInput(f"--finding: neither {labels.name} nor {scores.name} has a column {name!r}.")
    taken = {plain(name): name for name in named}
    left = []
    for bare, name in headers[0].items():
        if bare in headers[1] and bare not in taken:
            number = logit if logits else score
            why = _why_not(labels, name, label, apart) or _why_not(scores, headers[1][bare], number, ids)
            if why is None:
                taken[bare] = finding_name(name)
            else:
                left.append((name, why))
    return OwnColumns(tuple(taken.values()), named, tuple(left), tuple(declared.others))


def _unknown(path: Path, apart: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    """Columns that could be findings and name no known one, by what they are compared by."""
    passed = {*map(plain, apart), *map(plain, others)}
    found: dict[str, str] = {}
    with csv_rows(path, apart, Notes()) as (names, _):
        for name in names:
            if finding_of(name) is None and plain(name) not in passed and _is_name(name):
                found.setdefault(plain(name), name)
    return found


def _why_not(path: Path, column: str, cell: Callable[[str], float], apart: Sequence[str]) -> str | None:
    """The first cell of the column that is not what it would have to be, however it is written; None where all are."""
    with csv_rows(path, apart, Notes()) as (names, _):
        place = names.index(column)
    why = _first_wrong(path, place, cell, apart, CellWords())
    if why is None:
        return None
    if cell is label:
        words = label_words(path, apart, {place: column}, Notes())
    else:
        words = decimal_commas(path, apart, [place], Notes())
    return _first_wrong(path, place, cell, apart, words) if words else why


def _first_wrong(
    path: Path, place: int, cell: Callable[[str], float], apart: Sequence[str], words: CellWords
) -> str | None:
    with csv_rows(path, apart, Notes()) as (_, rows):
        for line, row in rows:
            try:
                cell(words.plainly(row)[place] if place < len(row) else "")
            except ValueError as error:
                return f"{path.name}, line {line}: {error}"
    return None


def _is_name(text: str) -> bool:
    try:
        finding_name(text)
    except NoName:
        return False
    return True


def _offer(name: str) -> str:
    offered = did_you_mean(name)
    return f" ({offered.strip()})" if offered else ""

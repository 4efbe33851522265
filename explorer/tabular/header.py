"""Identifies the columns of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.core.finding_names import match_finding
from explorer.core.finding_words import plain
from explorer.tabular.problems import Problems, WrongInput
from explorer.tabular.separator import SEPARATOR_NAMES, HeaderNames
from explorer.tabular.unnamed_columns import unnamed

MAX_NAMED = 8  # columns in a sentence
ID_COLUMN_ADVICE = (
    " --id-column names the image column of all files; if one file calls it something else, rename it there."
)


@dataclass(frozen=True, slots=True)
class TableHeader:
    """Column indices of a table."""

    width: int
    image: int
    texts: tuple[int, ...]  # columns requested by name
    findings: dict[str, int]
    unknown: tuple[str, ...]  # names of all other columns


def read_header(
    path: Path,
    names: Sequence[str],
    image: str,
    texts: Sequence[str],
    problems: Problems,
    own: Iterable[str] = (),
    others: Iterable[str] = (),
) -> TableHeader:
    """Find the image column, the columns requested by name, and the findings: known ones and those in `own`.

    Columns in `others` are skipped. Two columns for one finding are a problem. Raises WrongInput if a requested column
    is missing, or if there is no finding.
    """
    id_place = column_place(path, names, image, ID_COLUMN_ADVICE)
    text_places = tuple(column_place(path, names, text) for text in texts)
    findings: dict[str, int] = {}
    unknown = []
    named, passed = tuple(own), set(map(plain, others))
    for place, name in enumerate(names):
        requested = place == id_place or place in text_places
        if requested or plain(name) in passed or unnamed(name):
            continue
        finding = match_finding(name, named)
        if finding is None:
            unknown.append(name)
        elif finding in findings:
            first = names[findings[finding]]
            both = f"the columns {first!r} and {name!r} are both {finding}"
            problems.add(f"{both}: columns {findings[finding] + 1} and {place + 1}. Remove one", path, 1)
        else:
            findings[finding] = place
    if not findings:
        raise WrongInput(
            f"{path} has no column named after a finding. {_columns(names)} Rename the columns of findings, "
            "or name them with --finding."
        )
    return TableHeader(len(names), id_place, text_places, findings, tuple(unknown))


def column_place(path: Path, names: Sequence[str], name: str, remedy: str = "") -> int:
    """Return the index of the only column with this name; raises WrongInput, whose text ends with `remedy`."""
    places = [place for place, given in enumerate(names) if given.strip() == name]
    if len(places) != 1:
        count = "no column" if not places else f"{len(places)} columns"
        bare = " Its first column has no name: give it one in the header." if names and unnamed(names[0]) else ""
        raise WrongInput(f"{path} has {count} {name!r}. {_columns(names)} Name one of these.{bare}{remedy}")
    return places[0]


def _columns(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    shown = ", ".join(repr(name) for name in names[:MAX_NAMED])
    marks = SEPARATOR_NAMES[names.separator if isinstance(names, HeaderNames) else ","]
    return f"Its columns, separated by {marks}, are {shown}{more}."

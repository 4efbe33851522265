"""Which column of a file is what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.core.finding_names import named_among
from explorer.core.finding_words import plain
from explorer.tabular.problems import Problems, WrongInput
from explorer.tabular.separator import WORDS, HeaderNames
from explorer.tabular.unnamed_columns import unnamed

SHOWN = 8  # columns named in a sentence
IMAGES = " --id-column names that of the images, in all files alike: where one calls it otherwise, rename it there."


@dataclass(frozen=True, slots=True)
class TableHeader:
    """Places of columns in a row."""

    width: int
    image: int
    texts: tuple[int, ...]  # of the columns asked for by name
    findings: dict[str, int]
    unknown: tuple[str, ...]  # names of the columns that are none of these


def read_header(
    path: Path,
    names: Sequence[str],
    image: str,
    texts: Sequence[str],
    problems: Problems,
    own: Iterable[str] = (),
    others: Iterable[str] = (),
) -> TableHeader:
    """Find the column of image ids, those asked for by name, and those of findings: known ones, and `own` names.

    Columns `others` are passed over. Two columns for one finding are a problem. Raises WrongInput where a column asked
    for, or any finding, is not there.
    """
    id_place = column_place(path, names, image, IMAGES)
    text_places = tuple(column_place(path, names, text) for text in texts)
    findings: dict[str, int] = {}
    unknown = []
    named, passed = tuple(own), set(map(plain, others))
    for place, name in enumerate(names):
        apart = place == id_place or place in text_places
        if apart or plain(name) in passed or unnamed(name):
            continue
        finding = named_among(name, named)
        if finding is None:
            unknown.append(name)
        elif finding in findings:
            first = names[findings[finding]]
            both = f"the columns {first!r} and {name!r} both are {finding}"
            problems.add(f"{both}: columns {findings[finding] + 1} and {place + 1}. Take one out", path, 1)
        else:
            findings[finding] = place
    if not findings:
        raise WrongInput(
            f"{path} has no column with the name of a finding. {_columns(names)} Rename those that are, or name "
            "them with --finding."
        )
    return TableHeader(len(names), id_place, text_places, findings, tuple(unknown))


def column_place(path: Path, names: Sequence[str], name: str, remedy: str = "") -> int:
    """Where the one column of this name is; raises WrongInput, which ends with `remedy`."""
    places = [place for place, given in enumerate(names) if given.strip() == name]
    if len(places) != 1:
        count = "no column" if not places else f"{len(places)} columns"
        bare = " Its first column has no name: give it one in the header." if names and unnamed(names[0]) else ""
        raise WrongInput(f"{path} has {count} {name!r}. {_columns(names)} Name one of these.{bare}{remedy}")
    return places[0]


def _columns(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    shown = ", ".join(repr(name) for name in names[:SHOWN])
    marks = WORDS[names.separator if isinstance(names, HeaderNames) else ","]
    return f"Its columns, separated by {marks}, are {shown}{more}."

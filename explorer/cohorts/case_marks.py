"""What somebody marks on this machine: a star, tags and a note of a case, and named lists of cases.

They are one JSON file for each cohort, beside its folder among the own cohorts: a cohort that is shipped, lies on a
disk that cannot be written to, or is ingested again keeps its marks. Whoever changes them holds a lock, reads what is
there and puts a whole file in its place, so that of two pages that mark at once neither loses what the other did.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

from explorer.cohorts.layout import CACHE, Folder, own_cohorts
from explorer.cohorts.typed import WrongKind, typed
from models.cards.known_file import file_state, is_settled
from models.refusal import Refusal
from models.whole_file import atomic_write

MOST_MARKED = 50_000  # cases of a cohort
MOST_LISTS, MOST_LISTED = 200, 10_000  # lists of a cohort, cases of one
_KEPT = 64  # files that need not be read again while they stay the same


class WrongMark(Refusal):
    """A mark that cannot be made: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What is marked of a case: tags in the order of the alphabet, a note of plain text."""

    starred: bool = False
    tags: tuple[str, ...] = ()
    note: str = ""

    @property
    def is_empty(self) -> bool:
        return self == Mark()


@dataclass(frozen=True, slots=True)
class ListedCase:
    """A case of a list; `finding` is the one that it was put there for, None for the film as a whole."""

    case: str
    finding: str | None = None


@dataclass(frozen=True, slots=True)
class CaseMarks:
    """The marks of a cohort by the name of the case, none of them empty, and its lists by name, in their order."""

    cases: Mapping[str, Mark] = field(default_factory=dict)
    lists: Mapping[str, tuple[ListedCase, ...]] = field(default_factory=dict)

    def of(self, case: str) -> Mark:
        """What is marked of a case."""
        return self.cases.get(case, Mark())

    def tags(self) -> tuple[str, ...]:
        """Every tag, in the order of the alphabet."""
        return tuple(sorted({tag for mark in self.cases.values() for tag in mark.tags}))

    def lists_of(self, case: str) -> tuple[str, ...]:
        """The lists that a case is in."""
        return tuple(name for name, listed in self.lists.items() if any(each.case == case for each in listed))


def marks_file(folder: Folder) -> Path:
    """Where the marks of a cohort lie."""
    place = folder.places()[-1]
    if place.parent == CACHE:  # a shipped cohort that hides one of the same name
        place = own_cohorts() / folder.name
    return place.with_name(f"{folder.name}.marks.json")


def kept_marks(folder: Folder) -> CaseMarks:
    """The marks of a cohort; none where the file cannot be read, see `unreadable_marks`."""
    try:
        return _looked(marks_file(folder))
    except (WrongMark, OSError):
        return CaseMarks()


def unreadable_marks(folder: Folder) -> str | None:
    """Why the marks of a cohort are not shown, in a sentence; None where they are."""
    try:
        _looked(marks_file(folder))
    except WrongMark as wrong:
        return f"{wrong.title}. {wrong.detail}"
    except OSError as error:
        return f"The marks of {folder.name} cannot be read: {error.strerror}."
    return None


def change_marks(folder: Folder, edit: Callable[[CaseMarks], CaseMarks]) -> CaseMarks:
    """Put what `edit` makes of the marks in their place, and give it; nobody changes them meanwhile.

    Raises OSError, WrongMark where the file cannot be read or would hold too much, and what `edit` raises.
    """
    path = marks_file(folder)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(path.with_name(f".{path.name}.lock")):
        found = edit(_read(path))
        _check(found)
        with atomic_write(path) as partial:
            partial.touch(mode=0o600)
            partial.write_text(json.dumps(asdict(found), ensure_ascii=False, indent=1), encoding="utf-8")
        return found


def _check(marks: CaseMarks) -> None:
    narrow = "Take some away first, or export a list and delete it here."
    if len(marks.cases) > MOST_MARKED:
        raise WrongMark(f"More than {MOST_MARKED:,} cases of a cohort cannot be marked", narrow)
    if len(marks.lists) > MOST_LISTS:
        raise WrongMark(f"A cohort has up to {MOST_LISTS} lists", narrow)
    if any(len(listed) > MOST_LISTED for listed in marks.lists.values()):
        raise WrongMark(f"A list holds up to {MOST_LISTED:,} cases", narrow)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait for the lock, which goes with the process, however that ends."""
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _looked(path: Path) -> CaseMarks:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return CaseMarks()
    return _once(path, file_state(stat)) if is_settled(stat) else _read(path)


@lru_cache(maxsize=_KEPT)
def _once(path: Path, _state: tuple[int, ...]) -> CaseMarks:
    return _read(path)


def _read(path: Path) -> CaseMarks:
    try:
        return marks_in(json.loads(path.read_bytes()))
    except FileNotFoundError:
        return CaseMarks()
    except (ValueError, RecursionError) as error:
        raise WrongMark(
            f"The marks in {path.name} cannot be read", "Mend or remove that file, which lies beside your cohorts."
        ) from error


def marks_in(table: object) -> CaseMarks:
    """The marks that JSON holds. Raises WrongKind."""
    if not isinstance(table, dict) or not all(isinstance(table.get(name), dict) for name in ("cases", "lists")):
        raise WrongKind("there are no marks")
    if not all(isinstance(listed, list) for listed in table["lists"].values()):
        raise WrongKind("a list is none")
    return CaseMarks(
        {case: typed(Mark, mark) for case, mark in table["cases"].items()},
        {name: tuple(typed(ListedCase, each) for each in listed) for name, listed in table["lists"].items()},
    )

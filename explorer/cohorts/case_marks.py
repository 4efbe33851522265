"""The user's marks on this machine: a star, tags and a note per case, and named lists of cases.

Each cohort has one JSON file, beside its folder among the user's cohorts, so marks survive if the cohort is shipped, on
a read-only disk, or imported again. A change takes a lock, reads the current file and replaces it as a whole, so that
two pages can change marks at the same time without losing any.
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

MAX_MARKED = 50_000  # cases per cohort
MAX_LISTS, MAX_CASES_PER_LIST = 200, 10_000
_CACHE_SIZE = 64  # files


class WrongMark(Refusal):
    """A mark that cannot be made: `title` says why, `detail` says what to do."""


@dataclass(frozen=True, slots=True)
class CaseMark:
    """The marks of a case: star, sorted tags, and a plain-text note."""

    starred: bool = False
    tags: tuple[str, ...] = ()
    note: str = ""

    @property
    def is_empty(self) -> bool:
        return self == CaseMark()


@dataclass(frozen=True, slots=True)
class ListedCase:
    """A case in a list; `finding` is the one it was added for, None for the film as a whole."""

    case: str
    finding: str | None = None


@dataclass(frozen=True, slots=True)
class CaseMarks:
    """A cohort's marks by case name (empty ones are dropped), and its lists by name, in order."""

    cases: Mapping[str, CaseMark] = field(default_factory=dict)
    lists: Mapping[str, tuple[ListedCase, ...]] = field(default_factory=dict)

    def of(self, case: str) -> CaseMark:
        """Return the marks of a case."""
        return self.cases.get(case, CaseMark())

    def tags(self) -> tuple[str, ...]:
        """Return all tags, sorted."""
        return tuple(sorted({tag for mark in self.cases.values() for tag in mark.tags}))

    def lists_of(self, case: str) -> tuple[str, ...]:
        """Return the names of the lists that contain a case."""
        return tuple(name for name, listed in self.lists.items() if any(each.case == case for each in listed))


def marks_file(folder: Folder) -> Path:
    """Return the path of a cohort's marks."""
    place = folder.places()[-1]
    if place.parent == CACHE:  # a shipped cohort hides a user's cohort of the same name
        place = own_cohorts() / folder.name
    return place.with_name(f"{folder.name}.marks.json")


def saved_marks(folder: Folder) -> CaseMarks:
    """Return a cohort's marks; empty if the file cannot be read, see `unreadable_marks`."""
    try:
        return _current_marks(marks_file(folder))
    except (WrongMark, OSError):
        return CaseMarks()


def unreadable_marks(folder: Folder) -> str | None:
    """Return a sentence on why a cohort's marks are not shown; None if they are."""
    try:
        _current_marks(marks_file(folder))
    except WrongMark as wrong:
        return f"{wrong.title}. {wrong.detail}"
    except OSError as error:
        return f"The marks of {folder.name} cannot be read: {error.strerror}."
    return None


def change_marks(folder: Folder, edit: Callable[[CaseMarks], CaseMarks]) -> CaseMarks:
    """Replace the marks with the result of `edit`, under a lock; returns the new marks.

    Raises OSError, WrongMark if the file cannot be read or would get too large, and whatever `edit` raises.
    """
    path = marks_file(folder)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(path.with_name(f".{path.name}.lock")):
        found = edit(_read(path))
        _check(found)
        with atomic_write(path) as partial:
            partial.touch(mode=0o600)
            partial.write_text(json.dumps(asdict(found), ensure_ascii=False, indent=1), encoding="utf-8")
        return found


def _check(marks: CaseMarks) -> None:
    narrow = "Remove some first, or export a list and delete it here."
    if len(marks.cases) > MAX_MARKED:
        raise WrongMark(f"A cohort can have up to {MAX_MARKED:,} marked cases", narrow)
    if len(marks.lists) > MAX_LISTS:
        raise WrongMark(f"A cohort can have up to {MAX_LISTS} lists", narrow)
    if any(len(listed) > MAX_CASES_PER_LIST for listed in marks.lists.values()):
        raise WrongMark(f"A list can hold up to {MAX_CASES_PER_LIST:,} cases", narrow)


@contextmanager
def _locked(lock: Path) -> Iterator[None]:
    """Wait for the lock, which the system releases if the process dies."""
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _current_marks(path: Path) -> CaseMarks:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return CaseMarks()
    return _cached(path, file_state(stat)) if is_settled(stat) else _read(path)


@lru_cache(maxsize=_CACHE_SIZE)
def _cached(path: Path, _state: tuple[int, ...]) -> CaseMarks:
    return _read(path)


def _read(path: Path) -> CaseMarks:
    try:
        return marks_in(json.loads(path.read_bytes()))
    except FileNotFoundError:
        return CaseMarks()
    except (ValueError, RecursionError) as error:
        raise WrongMark(
            f"The marks in {path.name} cannot be read", "Repair or remove that file, which is beside your cohorts."
        ) from error


def marks_in(table: object) -> CaseMarks:
    """Parse marks from JSON. Raises WrongKind."""
    if not isinstance(table, dict) or not all(isinstance(table.get(name), dict) for name in ("cases", "lists")):
        raise WrongKind("there are no marks")
    if not all(isinstance(listed, list) for listed in table["lists"].values()):
        raise WrongKind("a list of cases is not a list")
    return CaseMarks(
        {case: typed(CaseMark, mark) for case, mark in table["cases"].items()},
        {name: tuple(typed(ListedCase, each) for each in listed) for name, listed in table["lists"].items()},
    )

"""Lists, reads and deletes saved classes on disk. A class that was cut off is treated like any other."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from explorer.school.classroom.class_files import class_paths, classes_folder, exclusive_class, is_class_id
from explorer.school.classroom.refusal import ClassRefusal

ClassStage = Literal["running", "ended", "broken off"]  # cut off: its Tailscope process was killed

_FACTS = """
SELECT title, begun, ended, own_pace, (SELECT count(*) FROM films), (SELECT count(*) FROM learners),
    (SELECT count(*) FROM answers)
FROM class
"""


@dataclass(frozen=True, slots=True)
class KeptClass:
    """A class on disk; `begun` and `ended` are UTC times, the latter empty if the class never ended."""

    id: str
    title: str
    begun: str
    ended: str
    own_pace: bool
    films: int
    learners: int
    answers: int
    stage: ClassStage


@dataclass(frozen=True, slots=True)
class DeletedClass:
    """The files of a class that were deleted."""

    id: str
    files: tuple[str, ...]


def kept_classes(folder: Path | None = None) -> tuple[KeptClass | str, ...]:
    """Return all classes, oldest first; for an unreadable one only its id."""
    return tuple(_facts_or_id(folder, each) for each in class_ids(folder))


def class_ids(folder: Path | None = None) -> list[str]:
    """Return the ids of all classes on disk, oldest first."""
    place = folder or classes_folder()
    return sorted(path.stem for path in place.glob("*.sqlite") if is_class_id(path.stem))


def kept_class(name: str, folder: Path | None = None) -> KeptClass:
    """Return a saved class. Raises ClassRefusal if it does not exist or is unreadable."""
    place = _place(name, folder)
    with class_database(name, folder) as database:
        title, begun, ended, own_pace, films, learners, answers = database.execute(_FACTS).fetchone()
    with exclusive_class(place, name) as is_free:
        stage: ClassStage = "ended" if ended else "broken off" if is_free else "running"
    return KeptClass(name, title, begun, ended or "", bool(own_pace), films, learners, answers, stage)


@contextmanager
def class_database(name: str, folder: Path | None = None) -> Iterator[sqlite3.Connection]:
    """Yield a class's database for reading, including what a killed process left in its WAL. Raises ClassRefusal."""
    file = _place(name, folder) / f"{name}.sqlite"
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
        ) as database:
            database.execute("PRAGMA busy_timeout = 5000")
            yield database
    except (sqlite3.Error, TypeError) as error:  # TypeError: a required row is missing
        raise ClassRefusal(
            f"The class {name} cannot be read", f"{error}. Put back a copy of {file}, or delete it."
        ) from error


def has_table(database: sqlite3.Connection, name: str) -> bool:
    """Return whether a class has a table: those of earlier versions lack some."""
    found = database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,))
    return found.fetchone() is not None


def delete_class(name: str, folder: Path | None = None) -> DeletedClass:
    """Delete all files of a class. Raises ClassRefusal if it does not exist or is running."""
    place = _place(name, folder)
    with exclusive_class(place, name) as is_free:
        if not is_free:
            raise ClassRefusal(f"The class {name} is running", "End it first, then delete it.")
        files = class_paths(place, name)
        for each in files:
            each.unlink(missing_ok=True)
    return DeletedClass(name, tuple(each.name for each in files))


def _place(name: str, folder: Path | None) -> Path:
    place = folder or classes_folder()
    if not is_class_id(name) or not (place / f"{name}.sqlite").is_file():
        raise ClassRefusal(f"There is no class {name!r}", "`python -m explorer class list` lists all classes.")
    return place


def _facts_or_id(folder: Path | None, name: str) -> KeptClass | str:
    try:
        return kept_class(name, folder)
    except ClassRefusal:
        return name

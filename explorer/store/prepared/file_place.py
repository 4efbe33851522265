"""Prepared files on disk: their names, and how they are written. Deleting them costs time and nothing else."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Lock

import explorer.store.prepared
from explorer.cohorts.layout import Folder
from explorer.core.uncertainty import Policy
from explorer.store.cursor import Cursor
from explorer.store.prepared.film_tables import COMPUTED, LOOKS, Progress, no_progress, write_films
from explorer.store.prepared.pair_tables import write_pairs
from explorer.store.prepared.signatures import SHARDS, score_files
from models.whole_file import PARTIAL_SUFFIX, atomic_write, remove_abandoned

ORIGIN = "cohort.txt"  # path of the cohort that a folder of prepared files belongs to
VERSION_DIGITS = 16
SORTING_SUFFIX = ".sorting"  # of the folder beside a file that is written
# Opens a new file, and others beside it: a cursor, and the names of their schemas.
WrittenFile = Callable[..., AbstractContextManager[tuple[Cursor, str, list[str]]]]


class PreparedFiles:
    """The prepared files below `place`: one of a cohort's films, and one of each model's pairs.

    `written` opens a new database file, see `explorer.store.database.written_file`.
    """

    def __init__(self, place: Path, written: WrittenFile) -> None:
        self.place = place
        self._written = written

    def films(self, folder: Folder, version: str) -> Path:
        """Return the file of a cohort's films in this version, which may have to be written."""
        return self._of(folder) / f"films-{_with_layout(version)}.duckdb"

    def pairs(self, folder: Folder, model: str, version: str, uncertain: Policy = "ignore") -> Path:
        """Return the file of a model's pairs in this version, which may have to be written."""
        return self._of(folder) / f"{_pair_kind(model, uncertain)}-{_with_layout(version)}.duckdb"

    def write_films(self, folder: Folder, version: str, on_progress: Progress = no_progress) -> None:
        """Write the file of a cohort's films. Raises DamagedCohort, StoreError and OSError."""
        with self._new(folder, self.films(folder, version), "films") as (cursor, schema, _):
            write_films(cursor, schema, folder, on_progress)

    def write_pairs(
        self,
        folder: Folder,
        model: str,
        films: str,
        version: str,
        uncertain: Policy = "ignore",
        on_progress: Progress = no_progress,
    ) -> None:
        """Write the file of a model's pairs, next to that of the films. Raises the same errors."""
        target, shards = self.pairs(folder, model, version, uncertain), score_files(folder, model)[SHARDS]
        with self._new(folder, target, _pair_kind(model, uncertain), self.films(folder, films)) as opened:
            cursor, schema, others = opened
            write_pairs(cursor, schema, others[0], folder, model, shards, uncertain, on_progress)

    def forget(self, folder: Folder) -> None:
        """Delete a cohort's prepared files."""
        shutil.rmtree(self._of(folder), ignore_errors=True)

    @contextmanager
    def _new(self, folder: Folder, target: Path, kind: str, *beside: Path) -> Iterator[tuple[Cursor, str, list[str]]]:
        """Yield an empty file that replaces earlier ones of its kind, which open connections keep until they close."""
        self._remove_orphans()
        _remove_leftovers(target.parent)
        origin = target.parent / ORIGIN
        if not origin.exists():
            with atomic_write(origin) as partial:
                partial.write_text(str(folder.path), encoding="utf-8")
        with atomic_write(target) as partial:
            with self._written(partial, *beside) as opened:
                yield opened
        for other in target.parent.glob(f"{kind}-{'[0-9a-f]' * VERSION_DIGITS}.duckdb"):
            if other != target:
                other.unlink(missing_ok=True)

    def _remove_orphans(self) -> None:
        """Delete prepared files of cohorts that are gone."""
        for origin in self.place.glob(f"*/{ORIGIN}"):
            with suppress(OSError):
                if not Path(origin.read_text(encoding="utf-8")).is_dir():
                    shutil.rmtree(origin.parent, ignore_errors=True)

    def _of(self, folder: Folder) -> Path:
        return self.place / f"{folder.name}-{hashlib.sha256(str(folder.path).encode()).hexdigest()[:8]}"


def _remove_leftovers(place: Path) -> None:
    """Delete what killed processes left: unfinished files, and what they sorted on disk."""
    remove_abandoned(place, f".*{PARTIAL_SUFFIX}")
    for sorted_rows in place.glob(f".*{SORTING_SUFFIX}"):
        if not sorted_rows.with_name(sorted_rows.name.removesuffix(SORTING_SUFFIX)).exists():
            shutil.rmtree(sorted_rows, ignore_errors=True)


@contextmanager
def one_writer(file: Path) -> Iterator[None]:
    """Let one thread of this process at a time write a file: its partial files have one name."""
    with _lock:
        lock = _writers.setdefault(file, Lock())
    with lock:
        yield


_writers: dict[Path, Lock] = {}
_lock = Lock()


def _pair_kind(model: str, uncertain: Policy) -> str:
    """Return how names of files of a model's pairs begin. Models' names have no plus sign."""
    return f"model-{model}" if uncertain == "ignore" else f"model-{model}+{uncertain}"


def _with_layout(version: str) -> str:
    return hashlib.sha256(f"{version} {_layout()}".encode()).hexdigest()[:VERSION_DIGITS]


@cache
def _layout() -> str:
    """Return a hash of the code that writes prepared files: those of other versions of Tailscope are made anew."""
    digest = hashlib.sha256(f"{COMPUTED}{LOOKS}".encode())
    for module in sorted(Path(explorer.store.prepared.__path__[0]).glob("*.py")):
        digest.update(module.read_bytes())
    return digest.hexdigest()

"""The answers of a class on disk: SQLite in WAL mode, with one writing thread; answers are acknowledged once durable.

Rows that arrive during a commit go into the next one, so a whole class answering at once needs few commits. Rows of one
kind share one statement, because each statement makes the writer wait for the interpreter lock.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import chain, groupby
from pathlib import Path
from queue import Empty, SimpleQueue

from explorer.school.classroom.refusal import ClassRefusal

MAX_BATCH = 500  # waiting items in one commit
CLOSE_TIMEOUT_S = 20.0  # s; an unresponsive disk must not block the teacher's page
WRITE_ERRORS = (sqlite3.Error, ValueError, OverflowError)  # ValueError: lone surrogate; OverflowError: huge number

TABLES_SQL = """
CREATE TABLE class (
    id TEXT NOT NULL, title TEXT NOT NULL, own_pace INTEGER NOT NULL, begun TEXT NOT NULL, ended TEXT,
    version TEXT NOT NULL
);
CREATE TABLE films (
    film INTEGER PRIMARY KEY, cohort TEXT NOT NULL, "case" TEXT NOT NULL, simulated INTEGER NOT NULL,
    question TEXT NOT NULL
);
CREATE TABLE learners (learner INTEGER PRIMARY KEY, nickname TEXT NOT NULL UNIQUE);
CREATE TABLE answers (
    learner INTEGER NOT NULL REFERENCES learners, film INTEGER NOT NULL REFERENCES films, at TEXT NOT NULL,
    answer TEXT NOT NULL, words TEXT NOT NULL, judged TEXT NOT NULL,
    UNIQUE (learner, film)
);
CREATE TABLE second_answers (
    learner INTEGER NOT NULL REFERENCES learners, film INTEGER NOT NULL REFERENCES films, at TEXT NOT NULL,
    answer TEXT NOT NULL, words TEXT NOT NULL, judged TEXT NOT NULL,
    UNIQUE (learner, film)
);
CREATE TABLE model_calls (
    film INTEGER NOT NULL REFERENCES films, model TEXT NOT NULL, shown INTEGER NOT NULL, calls TEXT NOT NULL,
    UNIQUE (film, model)
);
"""

SqlRow = tuple[str, tuple[object, ...]]
_Waiting = tuple[tuple[SqlRow, ...], "Future[None]"]


class AnswerDatabase:
    """A class's database and its only writing thread. `add` may be called from any thread."""

    def __init__(self, file: Path, first: Sequence[SqlRow]) -> None:
        """Create a database with its first rows. Raises ClassRefusal if that fails."""
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._closed = False
        self.trouble = ""  # why the last commit failed
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # its WAL gets the same file mode
            self._database = _open_database(file)
            self._database.executescript(TABLES_SQL)
            self._commit(first)
            _make_durable(file.parent)
        except (OSError, *WRITE_ERRORS) as error:
            raise cannot_save(error) from error
        self._thread = threading.Thread(target=self._write, name="class-answers", daemon=True)
        self._thread.start()

    def add(self, *rows: SqlRow) -> Future[None]:
        """Write rows, all or none; the future is done once they are durable; it raises ClassRefusal if that fails."""
        kept: Future[None] = Future()
        kept.set_running_or_notify_cancel()  # a caller that stops waiting must not cancel the write
        if self._closed:
            kept.set_exception(ClassRefusal("The class has ended", "Nothing more is saved."))
            return kept
        self._queue.put((rows, kept))
        return kept

    def close(self) -> None:
        """Write what is waiting, checkpoint it into one file, and close the file. Nothing may be added afterwards."""
        self._closed = True
        self._queue.put(None)
        self._thread.join(CLOSE_TIMEOUT_S)

    def _write(self) -> None:
        while (waiting := self._queue.get()) is not None:
            batch, last = [waiting], False
            with suppress(Empty):
                while len(batch) < MAX_BATCH and not last:
                    if (more := self._queue.get_nowait()) is None:
                        last = True
                    else:
                        batch.append(more)
            self._save(batch)
            if last:
                break
        with suppress(sqlite3.Error):  # the answers are durable in the WAL anyway
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._database.close()

    def _save(self, batch: Sequence[_Waiting]) -> None:
        try:
            self._commit([row for rows, _ in batch for row in rows])
        except WRITE_ERRORS as error:
            if len(batch) > 1:  # a bad item must not block the others
                for each in batch:
                    self._save([each])
                return
            self.trouble = str(error)
            batch[0][1].set_exception(_not_saved(error))
            return
        self.trouble = ""
        for _, kept in batch:
            kept.set_result(None)

    def _commit(self, rows: Sequence[SqlRow]) -> None:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            for statement, values in merged_statements(rows):
                self._database.execute(statement, values)
            self._database.execute("COMMIT")
        except WRITE_ERRORS:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise


def merged_statements(rows: Sequence[SqlRow]) -> Iterator[SqlRow]:
    """Yield the same rows in order, with consecutive rows of one INSERT merged into one statement."""
    for statement, same in groupby(rows, key=lambda row: row[0]):
        values = [each for _, each in same]
        if statement.startswith("INSERT"):
            marks = statement[statement.rindex("(") :]
            yield statement + f", {marks}" * (len(values) - 1), tuple(chain.from_iterable(values))
        else:
            yield from ((statement, each) for each in values)


def cannot_save(error: Exception) -> ClassRefusal:
    """Return the refusal for a class that cannot begin because nothing can be written."""
    return ClassRefusal(
        "The class cannot be saved", f"{error}. Free some disk space, or make TAILSCOPE_HOME writable.", 507
    )


def _open_database(file: Path) -> sqlite3.Connection:
    # Created by the thread that begins the class and used by the writing thread, never by both at once.
    database = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    # COMMIT returns once the data is on disk, not only in the system's cache
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA fullfsync = ON")  # macOS: flush the disk's own cache too
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("PRAGMA secure_delete = ON")  # overwrite the data of a learner who is removed
    return database


def _make_durable(folder: Path) -> None:
    """Make the names of new files survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _not_saved(error: Exception) -> ClassRefusal:
    return ClassRefusal(
        "This could not be saved", f"The teacher's machine reports: {error}. Try again, and tell the teacher.", 507
    )

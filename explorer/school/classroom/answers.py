"""The answers of a class on disk: SQLite in WAL mode, written by one thread, acknowledged once they are durable.

What waits while a commit is made durable goes into the next one: a class that answers at once costs few commits.
Rows of one kind are one statement, since at each the writer waits until the thread that answers lets it go on.
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

MOST_AT_ONCE = 500  # of what waits, in a commit
CLOSED_WITHIN = 20.0  # s; a disk that does not answer must not keep the teacher's page
UNWRITTEN = (sqlite3.Error, ValueError, OverflowError)  # ValueError: half a character, OverflowError: a huge number

SCHEMA = """
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
"""

Row = tuple[str, tuple[object, ...]]
_Waiting = tuple[tuple[Row, ...], "Future[None]"]


class Answers:
    """A class's database and the one thread that writes to it. `add` may be called from any thread."""

    def __init__(self, file: Path, first: Sequence[Row]) -> None:
        """A new database with its first rows. Raises ClassRefusal where it cannot be made."""
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._closed = False
        self.trouble = ""  # why the last commit was not kept
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # its WAL takes the same mode
            self._database = _opened(file)
            self._database.executescript(SCHEMA)
            self._commit(first)
            _make_durable(file.parent)
        except (OSError, *UNWRITTEN) as error:
            raise unkept(error) from error
        self._thread = threading.Thread(target=self._write, name="class-answers", daemon=True)
        self._thread.start()

    def add(self, *rows: Row) -> Future[None]:
        """Rows to write, all or none: done when they are durable; raises ClassRefusal where they could not be kept."""
        kept: Future[None] = Future()
        kept.set_running_or_notify_cancel()  # who gives up waiting does not undo it
        if self._closed:
            kept.set_exception(ClassRefusal("The class has ended", "Nothing more is kept of it."))
            return kept
        self._queue.put((rows, kept))
        return kept

    def close(self) -> None:
        """Write what waits, put all into the one file and let go of it. Nothing may be added from now on."""
        self._closed = True
        self._queue.put(None)
        self._thread.join(CLOSED_WITHIN)

    def _write(self) -> None:
        while (waiting := self._queue.get()) is not None:
            batch, last = [waiting], False
            with suppress(Empty):
                while len(batch) < MOST_AT_ONCE and not last:
                    if (more := self._queue.get_nowait()) is None:
                        last = True
                    else:
                        batch.append(more)
            self._keep(batch)
            if last:
                break
        with suppress(sqlite3.Error):  # the answers are durable in the WAL, too
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._database.close()

    def _keep(self, batch: Sequence[_Waiting]) -> None:
        try:
            self._commit([row for rows, _ in batch for row in rows])
        except UNWRITTEN as error:
            if len(batch) > 1:  # one of them is in the way of the others
                for each in batch:
                    self._keep([each])
                return
            self.trouble = str(error)
            batch[0][1].set_exception(_not_kept(error))
            return
        self.trouble = ""
        for _, kept in batch:
            kept.set_result(None)

    def _commit(self, rows: Sequence[Row]) -> None:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            for statement, values in together(rows):
                self._database.execute(statement, values)
            self._database.execute("COMMIT")
        except UNWRITTEN:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise


def together(rows: Sequence[Row]) -> Iterator[Row]:
    """The same rows in their order, those of one INSERT in one statement."""
    for statement, same in groupby(rows, key=lambda row: row[0]):
        values = [each for _, each in same]
        if statement.startswith("INSERT"):
            marks = statement[statement.rindex("(") :]
            yield statement + f", {marks}" * (len(values) - 1), tuple(chain.from_iterable(values))
        else:
            yield from ((statement, each) for each in values)


def unkept(error: Exception) -> ClassRefusal:
    """Why a class cannot begin."""
    return ClassRefusal(
        "The class cannot be kept", f"{error}. Make room or a way for TAILSCOPE_HOME to be written.", 507
    )


def _opened(file: Path) -> sqlite3.Connection:
    # Made by the thread that begins the class, used by the one that writes, never by both at once.
    database = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")  # a commit has reached the disk, not only the system, when it returns
    database.execute("PRAGMA fullfsync = ON")  # macOS: the disk itself, too
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("PRAGMA secure_delete = ON")  # of a learner who is removed nothing stays in a corner of the file
    return database


def _make_durable(folder: Path) -> None:
    """The names of new files, too, outlive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _not_kept(error: Exception) -> ClassRefusal:
    return ClassRefusal(
        "This could not be kept", f"The teacher's machine says: {error}. Try again, and tell the teacher.", 507
    )

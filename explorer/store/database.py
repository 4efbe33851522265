"""The only importer of duckdb: the database that answers, prepared files, and DuckDB's exceptions as sentences.

Parquet files are read by pyarrow. DuckDB itself may access one folder only, that of the prepared files, which it opens
read-only; its configuration is locked.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from explorer.store.cursors import Cursors, Watchdog, ending
from explorer.store.prepared.file_place import SORTING_SUFFIX
from explorer.store.prepared.parquet_batches import Stream
from explorer.store.results import ClosedStore, DamagedFile, SlowQuestion, StoreError, no_room
from explorer.store.sql_literals import literal

WRITING_MB = 512  # memory for writing one file; what it sorts beyond that goes to disk, beside the file
_DAMAGED = (
    "Corrupt database file",
    "Could not read enough bytes",
    "not a valid DuckDB database",
    "Failed to deserialize",
)


class Database:
    """DuckDB for queries from many threads. Queries that take more than `timeout_s` are canceled.

    `files` is the folder of the prepared files.
    """

    def __init__(self, memory_mb: int, timeout_s: float, files: Path) -> None:
        self._cursors = Cursors(_locked(memory_mb, files))
        self._watchdog = Watchdog()
        self._timeout = timeout_s
        self._numbers = itertools.count()

    def close(self) -> None:
        """Cancel running queries and refuse new ones."""
        self._cursors.close()

    @contextmanager
    def asking(self) -> Iterator[DuckCursor]:
        """Yield a cursor for one query, which is interrupted after the time limit."""
        with self._cursors.one() as cursor, self._watchdog.interrupting(cursor, self._timeout) as late:
            try:
                yield DuckCursor(cursor)
            except duckdb.InterruptException as error:
                if not late.is_set():
                    raise ending() from error
                raise SlowQuestion(
                    f"The query took longer than {self._timeout:g} seconds", "Narrow the slice, or try again later."
                ) from error
            except duckdb.Error as error:
                raise _translated(error) from error

    @contextmanager
    def loading(self) -> Iterator[DuckCursor]:
        """Yield a cursor without a time limit."""
        with self._cursors.one() as cursor:
            try:
                yield DuckCursor(cursor)
            except duckdb.Error as error:
                raise _translated(error) from error

    def attach(self, file: Path | None) -> str:
        """Open a prepared file read-only, or a new database in memory if None; returns the name of its schema.

        Raises DamagedFile.
        """
        name = f"p{next(self._numbers)}"
        with self.loading() as cursor:
            what = "':memory:'" if file is None else literal(str(file))
            cursor.execute(f"ATTACH {what} AS {name}{'' if file is None else ' (READ_ONLY)'}")
        return f"{name}.main"

    def detach(self, schema: str) -> None:
        """Close what `attach` opened. A closed database has already closed everything."""
        with suppress(ClosedStore), self.loading() as cursor:
            cursor.execute(f"DETACH {schema.removesuffix('.main')}")


@contextmanager
def written_file(file: Path, *others: Path) -> Iterator[tuple[DuckCursor, str, list[str]]]:
    """Yield a cursor, the schema of a new database file, and those of other files, opened read-only.

    The file is complete when the block ends. Raises StoreError, also without room on the disk.
    """
    try:
        with duckdb.connect() as database:
            places = [str(file.parent), *(str(other.parent) for other in others)]
            for statement in (
                "SET enable_progress_bar = false",  # it would be printed
                f"SET GLOBAL memory_limit = '{WRITING_MB} MiB'",
                f"SET GLOBAL temp_directory = {literal(f'{file}{SORTING_SUFFIX}')}",
                f"ATTACH {literal(str(file))} AS written",
                *(f"ATTACH {literal(str(other))} AS other{number} (READ_ONLY)" for number, other in enumerate(others)),
                f"SET GLOBAL allowed_directories = {literal(tuple(places))}",
                *_LOCKS,
            ):
                database.execute(statement)
            yield DuckCursor(database), "written.main", [f"other{number}.main" for number in range(len(others))]
            database.execute("CHECKPOINT written")
    except duckdb.Error as error:
        if "No space left" in str(error):
            raise no_room(file.parent.parent) from error
        raise _translated(error) from error


class DuckCursor:
    """`explorer.store.cursor.Cursor`."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor

    @contextmanager
    def beside(self) -> Iterator[DuckCursor]:
        with self._cursor.cursor() as other:
            yield DuckCursor(other)

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> None:
        self._cursor.execute(statement, parameters)

    def rows(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._cursor.execute(statement, parameters).fetchall()

    def row(self, statement: str, parameters: Sequence[object] = ()) -> Any:  # noqa: ANN401 - a tuple or None
        return next(iter(self.rows(statement, parameters)), None)

    def arrow(self, statement: str, parameters: Sequence[object] = ()) -> pa.Table:
        return self._cursor.sql(statement, params=parameters).to_arrow_table()

    def batches(self, statement: str, parameters: Sequence[object] = (), rows: int = 2**15) -> Iterator[pa.RecordBatch]:
        yield from self._cursor.sql(statement, params=parameters).to_arrow_reader(rows)

    def load(
        self, statement: str, stream: Stream | pa.Table | pa.RecordBatchReader, parameters: Sequence[object] = ()
    ) -> None:
        self._cursor.register("stream", stream.reader if isinstance(stream, Stream) else stream)
        try:
            self._cursor.execute(statement, parameters)
        except duckdb.Error as error:
            failure = stream.failure if isinstance(stream, Stream) else None
            raise (failure or error) from error
        finally:
            self._cursor.unregister("stream")


_LOCKS = (
    "SET GLOBAL python_enable_replacements = false",
    "SET GLOBAL enable_external_access = false",
    "SET GLOBAL lock_configuration = true",
)


def _locked(memory_mb: int, files: Path) -> duckdb.DuckDBPyConnection:
    """Open an in-memory database without access to other files, networks or extensions, and lock these settings."""
    database = duckdb.connect()
    # GLOBAL, because other settings apply to one session only, and each cursor is its own session.
    for statement in (
        f"SET GLOBAL memory_limit = '{memory_mb} MiB'",
        "SET GLOBAL temp_directory = ''",  # never spill a cohort's data to disk
        "SET GLOBAL perfect_ht_threshold = 22",  # film numbers are dense: count in arrays rather than hash tables
        f"SET GLOBAL allowed_directories = {literal((f'{files}/',))}",
        *_LOCKS,
    ):
        database.execute(statement)
    return database


def _translated(error: duckdb.Error) -> StoreError:
    text = str(error)
    if any(sign in text for sign in _DAMAGED):
        return DamagedFile("A prepared file is damaged", "It is made anew. Ask again.")
    if isinstance(error, duckdb.OutOfMemoryException):
        return StoreError("The query needs more memory than the store may use", "Narrow the slice.")
    return StoreError("The store could not answer", text.splitlines()[0])

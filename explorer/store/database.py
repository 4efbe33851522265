"""The only importer of duckdb: an in-memory database, its cursors, and its exceptions as sentences.

Parquet files are read by pyarrow, so DuckDB itself gets no file access, and its configuration is locked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
import pyarrow as pa

from explorer.store.queries.cursors import Cursors, Watchdog, ending
from explorer.store.queries.files import Stream
from explorer.store.results import SlowQuestion, StoreError


class Database:
    """DuckDB for queries from many threads. Queries that take more than `timeout_s` are canceled."""

    def __init__(self, memory_mb: int, timeout_s: float) -> None:
        self._cursors = Cursors(_locked(memory_mb))
        self._watchdog = Watchdog()
        self._timeout = timeout_s

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


class DuckCursor:
    """`explorer.store.queries.cursor.Cursor`."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> None:
        self._cursor.execute(statement, parameters)

    def rows(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._cursor.execute(statement, parameters).fetchall()

    def row(self, statement: str, parameters: Sequence[object] = ()) -> Any:  # noqa: ANN401 - a tuple or None
        return next(iter(self.rows(statement, parameters)), None)

    def arrow(self, statement: str, parameters: Sequence[object] = ()) -> pa.Table:
        return self._cursor.sql(statement, params=parameters).to_arrow_table()

    def load_table(self, statement: str, stream: pa.Table, parameters: Sequence[object] = ()) -> None:
        self._cursor.register("stream", stream)
        self._cursor.execute(statement, parameters)
        self._cursor.unregister("stream")

    def load(self, statement: str, stream: Stream, parameters: Sequence[object] = ()) -> None:
        self._cursor.register("stream", stream.reader)
        try:
            self._cursor.execute(statement, parameters)
        except duckdb.Error as error:
            raise (stream.failure or error) from error
        finally:
            self._cursor.unregister("stream")


def _locked(memory_mb: int) -> duckdb.DuckDBPyConnection:
    """Open an in-memory database without access to files, networks or extensions, and lock these settings."""
    database = duckdb.connect()
    # GLOBAL, because other settings apply to one session only, and each cursor is its own session.
    for statement in (
        f"SET GLOBAL memory_limit = '{memory_mb} MiB'",
        "SET GLOBAL temp_directory = ''",  # never spill a cohort's data to disk
        "SET GLOBAL python_enable_replacements = false",
        "ATTACH ':memory:' AS tailscope",
        "SET GLOBAL perfect_ht_threshold = 22",  # film numbers are dense: count in arrays rather than hash tables
        "SET GLOBAL enable_external_access = false",
        "SET GLOBAL lock_configuration = true",
    ):
        database.execute(statement)
    return database


def _translated(error: duckdb.Error) -> StoreError:
    if isinstance(error, duckdb.OutOfMemoryException):
        return StoreError("The query needs more memory than the store may use", "Narrow the slice.")
    return StoreError("The store could not answer", str(error).splitlines()[0])

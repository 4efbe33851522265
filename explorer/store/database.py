"""The one importer of duckdb: a database in memory, its cursors, and its exceptions in words.

The Parquet files are read by pyarrow, so DuckDB itself is cut off from files altogether and its configuration locked.
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
    """DuckDB, asked by many threads at once. A question of more than `timeout_s` is given up."""

    def __init__(self, memory_mb: int, timeout_s: float) -> None:
        self._cursors = Cursors(_locked(memory_mb))
        self._watchdog = Watchdog()
        self._timeout = timeout_s

    def close(self) -> None:
        """Break off what is being asked; questions are refused from then on."""
        self._cursors.close()

    @contextmanager
    def asking(self) -> Iterator[DuckCursor]:
        """A cursor for one question: what takes longer than the limit is interrupted."""
        with self._cursors.one() as cursor, self._watchdog.interrupting(cursor, self._timeout) as late:
            try:
                yield DuckCursor(cursor)
            except duckdb.InterruptException as error:
                if not late.is_set():
                    raise ending() from error
                raise SlowQuestion(
                    f"The question took longer than {self._timeout:g} seconds", "Narrow the slice, or ask again later."
                ) from error
            except duckdb.Error as error:
                raise _translated(error) from error

    @contextmanager
    def loading(self) -> Iterator[DuckCursor]:
        """A cursor without a limit of time."""
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
    """A database in memory, without access to files, networks or extensions; nobody can change that."""
    database = duckdb.connect()
    # GLOBAL: else a setting is of this session, and cursors are sessions of their own.
    for statement in (
        f"SET GLOBAL memory_limit = '{memory_mb} MiB'",
        "SET GLOBAL temp_directory = ''",  # nothing of a cohort is spilled to the disk
        "SET GLOBAL python_enable_replacements = false",
        "ATTACH ':memory:' AS tailscope",
        "SET GLOBAL perfect_ht_threshold = 22",  # films are dense numbers: counted in arrays, not in hash tables
        "SET GLOBAL enable_external_access = false",
        "SET GLOBAL lock_configuration = true",
    ):
        database.execute(statement)
    return database


def _translated(error: duckdb.Error) -> StoreError:
    if isinstance(error, duckdb.OutOfMemoryException):
        return StoreError("The question needs more memory than the store may use", "Narrow the slice.")
    return StoreError("The store could not answer", str(error).splitlines()[0])

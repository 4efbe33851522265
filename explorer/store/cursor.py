"""The part of a DuckDB cursor that queries use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import pyarrow as pa

from explorer.store.prepared.parquet_batches import Stream


class Cursor(Protocol):
    """A cursor. Values are always bound; only names made by the store are inserted into statements."""

    def beside(self) -> AbstractContextManager[Cursor]:
        """Open another cursor on the same database, for use while this one executes a statement."""
        ...

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> None: ...

    def rows(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]: ...

    def row(self, statement: str, parameters: Sequence[object] = ()) -> Any:  # noqa: ANN401 - a tuple or None
        """Return the first row; None if there is none."""
        ...

    def arrow(self, statement: str, parameters: Sequence[object] = ()) -> pa.Table: ...

    def batches(self, statement: str, parameters: Sequence[object] = (), rows: int = 2**15) -> Iterator[pa.RecordBatch]:
        """Yield the answer in batches of about so many rows, so that it is never in memory as a whole."""
        ...

    def load(
        self, statement: str, stream: Stream | pa.Table | pa.RecordBatchReader, parameters: Sequence[object] = ()
    ) -> None:
        """Execute a statement that reads a table or stream by the name `stream`; raises DamagedCohort."""
        ...

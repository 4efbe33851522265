"""The part of a DuckDB cursor that queries use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import pyarrow as pa

from explorer.store.queries.files import Stream


class Cursor(Protocol):
    """A cursor. Values are always bound; only names made by the store are inserted into statements."""

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> None: ...

    def rows(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]: ...

    def row(self, statement: str, parameters: Sequence[object] = ()) -> Any:  # noqa: ANN401 - a tuple or None
        """Return the first row; None if there is none."""
        ...

    def arrow(self, statement: str, parameters: Sequence[object] = ()) -> pa.Table: ...

    def load_table(self, statement: str, stream: pa.Table, parameters: Sequence[object] = ()) -> None:
        """Execute a statement that reads a table by the name `stream`."""
        ...

    def load(self, statement: str, stream: Stream, parameters: Sequence[object] = ()) -> None:
        """Execute a statement that reads the stream by the name `stream`; raises DamagedCohort."""
        ...

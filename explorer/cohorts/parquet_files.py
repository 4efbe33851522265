"""Parquet files of a cohort, each there whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.cohorts.layout import DamagedCohort
from explorer.runtime.too_little_memory import too_little_memory
from models.whole_file import atomic_write

# Every page has a checksum: what is damaged between two looks at the whole file is found when it is read.
WRITING: dict[str, Any] = {"compression": "zstd", "compression_level": 9, "write_page_checksum": True}


def read_table(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Columns of a Parquet file, by default all; raises DamagedCohort."""
    with readable(path):
        return pq.read_table(path, columns=None if columns is None else list(columns), page_checksum_verification=True)


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Reading a file of a cohort; raises DamagedCohort, with its name, where that cannot be done.

    Where memory runs out the file is not to blame: that error stays as it is.
    """
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        if too_little_memory(error):
            raise
        raise DamagedCohort(
            f"{named(path)} cannot be read", f"{error}. Ingest or score the cohort again, or put back a copy."
        ) from error


def named(path: Path) -> str:
    """The file below its cohort's folder: shards say nothing by their own name."""
    return "/".join(path.parts[-3:])


def write_table(target: Path, table: pa.Table, before: Callable[[Path], object] | None = None) -> None:
    """Write a Parquet file whole; `table` is cast to what its schema says by the caller.

    `before` is given the file before that takes its name.
    """
    with atomic_write(target) as partial:
        pq.write_table(table, partial, **WRITING)
        if before is not None:
            before(partial)


def write_batches(target: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write a Parquet file whole, a row group for each batch, with no more than one of them in memory."""
    with atomic_write(target) as partial:
        with pq.ParquetWriter(partial, schema, **WRITING) as writer:
            for batch in batches:
                writer.write_batch(batch)

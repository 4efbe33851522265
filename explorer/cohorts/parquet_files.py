"""Reads and writes the Parquet files of a cohort, each atomically."""

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

# Page checksums detect damage that occurs after the whole file was verified.
WRITING: dict[str, Any] = {"compression": "zstd", "compression_level": 9, "write_page_checksum": True}


def read_table(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Return columns of a Parquet file, by default all; raises DamagedCohort."""
    with reading_parquet(path):
        return pq.read_table(path, columns=None if columns is None else list(columns), page_checksum_verification=True)


@contextmanager
def reading_parquet(path: Path) -> Iterator[None]:
    """Turn errors of reading a cohort's file into DamagedCohort, with its name.

    Running out of memory is not the file's fault, so that error passes through.
    """
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        if too_little_memory(error):
            raise
        raise DamagedCohort(
            f"{short_path(path)} cannot be read", f"{error}. Ingest or score the cohort again, or put back a copy."
        ) from error


def short_path(path: Path) -> str:
    """Return a file's path within its cohort, because shards' names alone are not distinctive."""
    return "/".join(path.parts[-3:])


def write_table(target: Path, table: pa.Table, before: Callable[[Path], object] | None = None) -> None:
    """Write a Parquet file atomically; the caller casts `table` to its schema.

    `before` is called with the finished file before it gets its final name.
    """
    with atomic_write(target) as partial:
        pq.write_table(table, partial, **WRITING)
        if before is not None:
            before(partial)


def write_batches(target: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write a Parquet file atomically, one row group per batch, with at most one batch in memory."""
    with atomic_write(target) as partial:
        with pq.ParquetWriter(partial, schema, **WRITING) as writer:
            for batch in batches:
                writer.write_batch(batch)

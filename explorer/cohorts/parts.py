"""Parquet files of a cohort, each there whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.cohorts.whole_file import replaced

LEVEL = 9  # of zstd


def write_table(target: Path, table: pa.Table) -> None:
    """Write a Parquet file whole; `table` is cast to what its schema says by the caller."""
    with replaced(target) as partial:
        pq.write_table(table, partial, compression="zstd", compression_level=LEVEL)


def write_batches(target: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write a Parquet file whole, a row group for each batch, with no more than one of them in memory."""
    with replaced(target) as partial:
        with pq.ParquetWriter(partial, schema, compression="zstd", compression_level=LEVEL) as writer:
            for batch in batches:
                writer.write_batch(batch)

"""Reads a cohort's Parquet files as Arrow batches of a given schema. A damaged file is refused by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.cohorts.layout import DamagedCohort
from explorer.cohorts.parquet_files import reading_parquet, short_path
from explorer.cohorts.schema import OPTIONAL

ROWS = 2**20  # maximum per batch


def batches(path: Path, schema: pa.Schema, *, once: tuple[str, ...] = ()) -> Iterator[pa.RecordBatch]:
    """Yield the file's rows in batches of the schema, none if there is no file; raises DamagedCohort.

    Text columns in `once` are returned as dictionaries, which hold each text once per batch.
    """
    if not path.exists():
        return
    wanted = pa.schema([pa.field(field.name, _DICTIONARY) if field.name in once else field for field in schema])
    with (
        reading_parquet(path),
        pq.ParquetFile(
            path,
            read_dictionary=[field.name for field in wanted if field.type == _DICTIONARY],
            page_checksum_verification=True,
        ) as file,
    ):
        for batch in file.iter_batches(ROWS, columns=schema.names):
            batch = _checked(path, batch, schema).cast(wanted)
            batch.validate(full=True)  # unlisted files may hold invalid text or dictionary indices
            yield batch


class Stream:
    """Batches for DuckDB to read once. `failure` keeps an exception, because DuckDB passes on only its text."""

    def __init__(
        self, path: Path, schema: pa.Schema, *, once: tuple[str, ...] = (), change: Change = lambda batch: batch
    ) -> None:
        self.failure: DamagedCohort | None = None
        self._batches = (change(batch) for batch in batches(path, schema, once=once))
        shape = change(pa.RecordBatch.from_pylist([], schema=schema))
        self.reader = pa.RecordBatchReader.from_batches(shape.schema, self._watched())

    def _watched(self) -> Iterator[pa.RecordBatch]:
        try:
            yield from self._batches
        except DamagedCohort as damaged:
            self.failure = damaged
            raise


def words(paths: Iterable[Path], column: pa.Field) -> list[str]:
    """Return the distinct texts of a dictionary column, sorted; raises DamagedCohort."""
    found: set[str] = set()
    for path in paths:
        for batch in batches(path, pa.schema([column])):
            found.update(batch.column(0).dictionary.to_pylist())
    return sorted(found)


_DICTIONARY = pa.dictionary(pa.int32(), pa.string())
Change = Callable[[pa.RecordBatch], pa.RecordBatch]


def _checked(path: Path, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    for name in OPTIONAL.intersection(schema.names).difference(batch.schema.names):
        batch = batch.append_column(schema.field(name), pa.nulls(len(batch), schema.field(name).type))
    missing = [name for name in schema.names if name not in batch.schema.names]
    if missing:
        raise DamagedCohort(
            f"{short_path(path)} has no column {', '.join(missing)}", "Import or score the cohort again."
        )
    batch = batch.select(schema.names)
    empty = [field.name for field in schema if not field.nullable and batch.column(field.name).null_count]
    if empty:
        raise DamagedCohort(
            f"{short_path(path)} has missing values in {', '.join(empty)}", "Import or score the cohort again."
        )
    return batch

"""Tables that are written whole: at once, or in batches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from explorer.cohorts.parquet_files import write_batches, write_table

SCHEMA = pa.schema([pa.field("n", pa.int32(), nullable=False)])


def test_a_table_is_written_as_the_same_bytes(tmp_path: Path) -> None:
    table = pa.table({"n": [3, 1, 2]}, schema=SCHEMA)
    for name in ("a", "b"):
        write_table(tmp_path / name, table)
    assert pq.read_table(tmp_path / "a").equals(table)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def batches(*sizes: int) -> Iterator[pa.RecordBatch]:
    for size in sizes:
        yield pa.RecordBatch.from_arrays([pa.array(range(size), pa.int32())], schema=SCHEMA)


@pytest.mark.parametrize("sizes", [(), (1,), (5, 2, 7)])
def test_batches_are_written_as_row_groups(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    write_batches(tmp_path / "a", SCHEMA, batches(*sizes))
    assert pq.read_schema(tmp_path / "a").equals(SCHEMA)
    about = pq.read_metadata(tmp_path / "a")
    assert [about.row_group(place).num_rows for place in range(about.num_row_groups)] == list(sizes)
    assert pq.read_table(tmp_path / "a")["n"].to_pylist() == [n for size in sizes for n in range(size)]


def test_batches_that_fail_leave_what_was_there(tmp_path: Path) -> None:
    write_batches(tmp_path / "a", SCHEMA, batches(3))

    def failing() -> Iterator[pa.RecordBatch]:
        yield from batches(1)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_batches(tmp_path / "a", SCHEMA, failing())
    assert pq.read_table(tmp_path / "a").num_rows == 3
    assert [path.name for path in tmp_path.iterdir()] == ["a"]

"""What ships beside what is made again: exact in what was read, within a tolerance in what was computed.

Networks, products and fits end in other digits on other processors (torch picks kernels by `ATEN_CPU_CAPABILITY`, NumPy
and OpenBLAS by what they find): computed bytes and their hashes are equal on the machine that made them alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

RELATIVE, ABSOLUTE = 1e-4, 1e-5  # of numbers: fits differ in the sixth digit
HALF = 2e-3  # of features in half precision: two steps of their last digit
DECIMAL = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


def assert_same_folder(made: Path, shipped: Path, *, read: Sequence[str] = ()) -> None:
    """Compare all files below two folders: those named `read` to the byte, Parquet and JSON by their values."""
    names = _files(made)
    assert names == _files(shipped)
    for name in names:
        one, other = made / name, shipped / name
        if name in read:
            assert one.read_bytes() == other.read_bytes(), name
        elif one.suffix == ".parquet":
            assert_same_table(pq.read_table(one), pq.read_table(other), name)
        else:
            assert_same_facts(_facts(one), _facts(other), name)


def _facts(manifest: Path) -> dict[str, Any]:
    """A manifest without the hashes over computed files."""
    facts: dict[str, Any] = json.loads(manifest.read_bytes())
    del facts["checksum"]
    for file in facts["files"].values():
        del file["sha256"]
    return facts


def _files(folder: Path) -> list[str]:
    """Everything but what other commands make from films: thumbnails, and scores of films that were changed."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in paths if path.parts[0] not in ("thumbnails", "perturbed", "inserted"))


def assert_same_table(made: pa.Table, shipped: pa.Table, name: str) -> None:
    """Floats and half-precision features within the tolerance, every other column exactly, in the same order."""
    assert made.schema.equals(shipped.schema), name
    assert made.num_rows == shipped.num_rows, name
    for column in made.column_names:
        one, other, where = made[column], shipped[column], f"{name}, column {column}"
        if pa.types.is_floating(one.type):
            assert_same_numbers(one.to_numpy(), other.to_numpy(), where)
        elif pa.types.is_binary(one.type):  # a row of features
            assert_same_numbers(_halves(one), _halves(other), where, relative=HALF, absolute=HALF)
        else:
            assert one.equals(other), where


def _halves(column: pa.ChunkedArray) -> np.ndarray:
    return np.stack([np.frombuffer(row, "<f2") for row in column.to_pylist()])


def assert_same_numbers(
    made: Any,  # noqa: ANN401 - an array, or what becomes one
    shipped: Any,  # noqa: ANN401
    where: str,
    *,
    relative: float = RELATIVE,
    absolute: float = ABSOLUTE,
) -> None:
    """Floats within the tolerance, NaN where there is NaN; whole numbers, words and truths exactly."""
    one, other = np.asarray(made), np.asarray(shipped)
    assert one.dtype == other.dtype, where
    if np.issubdtype(one.dtype, np.floating):
        one, other = one.astype(np.float64), other.astype(np.float64)
        np.testing.assert_allclose(one, other, rtol=relative, atol=absolute, err_msg=where)
    else:
        np.testing.assert_array_equal(one, other, err_msg=where)


def assert_same_facts(made: Any, shipped: Any, where: str) -> None:  # noqa: ANN401 - what JSON and TOML hold
    """Nested tables: floats within the tolerance, the rest exactly."""
    if isinstance(made, dict):
        assert made.keys() == shipped.keys(), where
        for key in made:
            assert_same_facts(made[key], shipped[key], f"{where}: {key}")
    elif isinstance(made, list):
        assert len(made) == len(shipped), where
        for row, (one, other) in enumerate(zip(made, shipped, strict=True)):
            assert_same_facts(one, other, f"{where}, row {row}")
    elif isinstance(made, float):
        assert_same_numbers(made, shipped, where)
    else:
        assert made == shipped, where


def assert_same_text(made: str, shipped: str, where: str) -> None:
    """Words and whole numbers exactly; each decimal within the tolerance and one step of its last digit."""
    assert DECIMAL.sub("#", made) == DECIMAL.sub("#", shipped), where
    for one, other in zip(DECIMAL.findall(made), DECIMAL.findall(shipped), strict=True):
        step = 10.0 ** -len(other.partition("e")[0].partition(".")[2])
        assert_same_numbers(float(one), float(other), f"{where}: {one}, shipped {other}", absolute=1.5 * step)

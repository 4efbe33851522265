"""A store over a small cohort that each test may change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from explorer.cohorts.layout import Folder
from explorer.store.store import Store
from tests.explorer.store.made_up import rows_of
from tests.support.brute_force import Rows


@pytest.fixture
def rows() -> Rows:
    return rows_of()


@pytest.fixture
def folder(tmp_path: Path, rows: Rows) -> Folder:
    return rows.write(tmp_path)


@pytest.fixture
def store(folder: Folder) -> Store:
    return Store(lambda: [folder])


@pytest.fixture(scope="module")
def plainly() -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB itself, which takes as long to start as to answer; it keeps nothing of files, whose names come again."""
    with duckdb.connect(config={"enable_external_file_cache": False}) as connection:
        yield connection

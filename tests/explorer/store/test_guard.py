"""What the store keeps out: statements that reach beyond it, values taken for SQL, questions without an end."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from explorer.cohorts.layout import Folder
from explorer.store.queries import slice_rows as export
from explorer.store.results import Count, SlowQuestion, StoreError, TooManyRows
from explorer.store.store import Store
from tests.explorer.store.made_up import ONE
from tests.support.brute_force import NAME


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_csv('{file}')",
        "SELECT * FROM read_parquet('{file}')",
        "SELECT * FROM read_text('{file}')",
        "SELECT * FROM glob('{place}/*')",
        "SELECT * FROM '{file}'",
        "COPY (SELECT 1) TO '{place}/out.csv'",
        "ATTACH '{place}/other.duckdb'",
        "EXPORT DATABASE '{place}/out'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "RESET memory_limit",
        "SELECT * FROM read_csv('https://example.org/a.csv')",
    ],
)
def test_a_statement_reaches_no_file_and_no_setting(store: Store, folder: Folder, statement: str) -> None:
    before = {path for path in folder.path.parent.rglob("*")}
    with pytest.raises(StoreError), store._database.asking() as cursor:
        cursor.execute(statement.format(file=folder.cases, place=folder.path.parent))
    assert {path for path in folder.path.parent.rglob("*")} == before


def test_variables_of_the_program_are_no_tables(store: Store) -> None:
    secret = pa.table({"a": [1]})
    with pytest.raises(StoreError), store._database.asking() as cursor:
        cursor.execute("SELECT * FROM secret")
    assert secret.num_rows == 1


@pytest.mark.parametrize("text", ["' OR true --", "Mass'; DROP TABLE pairs; --", '"', "\\", "?", "%", "\x00", "$1", ""])
def test_a_value_is_never_taken_for_sql(store: Store, text: str) -> None:
    for chosen in (
        replace(ONE, finding=text),
        replace(ONE, center=text),
        replace(ONE, label_source=text),
        replace(ONE, view=text),
        replace(ONE, sex=text),
    ):
        assert store.count(chosen) == Count(0, 0)
        assert store.page(chosen) == store.tally(chosen) == ()
    assert store.case(NAME, text) is None
    assert store.case_named(NAME, text) is None
    assert store.cases(NAME, [text]) == ()
    assert len(store.column(ONE, text).case) == 0
    assert store.count(ONE) == Count(10, 5)


def test_a_question_that_takes_too_long_is_given_up(folder: Folder) -> None:
    store = Store(lambda: [folder], timeout_s=0.2)
    with pytest.raises(SlowQuestion, match=r"longer than 0\.2 seconds"), store._database.asking() as cursor:
        cursor.rows("SELECT count(*) FROM range(1000000000000) a WHERE hash(a.range) = 1")
    assert store.count(ONE).films == 5  # and the store goes on


def test_a_slice_too_large_for_a_file_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "MOST", 9)
    with pytest.raises(TooManyRows, match="This slice has 10 pairs"):
        store.rows(ONE)

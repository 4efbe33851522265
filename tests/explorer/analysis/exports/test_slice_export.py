"""Exports of a slice: the rows that it counts, what they were made of, and nothing that runs where it is opened."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZipFile

import duckdb
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from explorer.analysis.exports.slice_export import PARQUET_METADATA_KEY, export_slice
from explorer.cohorts.layout import Folder
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from explorer.store.store import Store, TooManyRows
from tests.support.csv_export import unpacked
from tests.support.wording import Wording
from tests.ui.clinic import NAME, write_clinic

MISSES = Slice(NAME, "first", outcomes=(Outcome.MISS,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return write_clinic(tmp_path_factory.mktemp("cohorts"))


@pytest.fixture(scope="module")
def store(folder: Folder) -> Store:
    return Store(lambda: [folder])


def lines(store: Store, chosen: Slice) -> list[dict[str, str]]:
    return unpacked(export_slice(store, chosen, "csv").data)[0]


def test_csv_has_a_line_for_every_pair_and_says_what_it_was_made_of(store: Store) -> None:
    rows = lines(store, MISSES)
    assert len(rows) == store.count(MISSES).pairs > 0
    assert {row["outcome"] for row in rows} == {"miss"}
    assert all(float(row["score"]) < float(row["threshold"]) for row in rows)
    (manifest,) = store.cohorts()
    assert {row["split"] for row in rows} == {""}  # of the film; what is said of the model has names of its own
    file = export_slice(store, MISSES, "csv")
    facts = unpacked(file.data)[1]
    assert (facts["cohort_version"], facts["model_sha256"]) == (manifest.version, "not known")
    assert not facts.keys() & rows[0].keys()  # once, not in every line
    assert (Path(file.name).suffix, file.media_type) == (".zip", "application/zip")


def test_pandas_reads_the_csv_without_being_told_how(store: Store, tmp_path: Path) -> None:
    with ZipFile(io.BytesIO(export_slice(store, Slice(NAME, "first"), "csv").data)) as archive:
        archive.extractall(tmp_path)
    (file,) = tmp_path.glob("tailscope_explore_*.csv")
    table, rows = pd.read_csv(file), store.rows(Slice(NAME, "first"))
    assert table.columns.tolist() == rows.column_names
    assert table.finding.tolist() == rows.column("finding").to_pylist()
    np.testing.assert_array_equal(table.score.astype(np.float32), rows.column("score").to_numpy())


def test_no_cell_of_the_csv_starts_a_formula(tmp_path: Path) -> None:
    folder = write_clinic(tmp_path, run="=cmd|' /C calc'!A0")
    cells = [cell for row in lines(Store(lambda: [folder]), Slice(NAME, "first")) for cell in row.values()]
    assert any("calc" in cell for cell in cells)
    texts = [cell for cell in cells if not cell.lstrip("-").replace(".", "").replace("e-", "").isdigit()]
    assert not [cell for cell in texts if cell.lstrip().startswith(("=", "+", "-", "@"))]


def test_parquet_holds_the_same_and_its_facts_apart(store: Store) -> None:
    table = pq.read_table(io.BytesIO(export_slice(store, MISSES, "parquet").data))
    assert table.column("case").to_pylist() == [row["case"] for row in lines(store, MISSES)]
    facts = json.loads(table.schema.metadata[PARQUET_METADATA_KEY])
    assert (facts["cohort"], facts["model"], facts["use"]) == (NAME, "first", "Not for medical use")


def test_the_sql_finds_the_same_cases(store: Store, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.path / "slice.sql").write_bytes(export_slice(store, MISSES, "sql").data)
    monkeypatch.chdir(folder.path)
    found = duckdb.sql(Path("slice.sql").read_text()).fetchall()
    assert [row[:2] for row in found] == [(row["case"], row["finding"]) for row in lines(store, MISSES)]


def test_a_csv_too_long_for_a_browser_is_refused_in_words(
    store: Store, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr("explorer.analysis.exports.slice_export.MAX_CSV_ROWS", 1)
    with pytest.raises(TooManyRows) as refused:
        export_slice(store, MISSES, "csv")
    wording(refused.value, "5 pairs", "1", "Parquet")


def test_another_kind_is_no_kind(store: Store) -> None:
    with pytest.raises(KeyError):
        export_slice(store, MISSES, "xlsx")

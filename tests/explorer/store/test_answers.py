"""Single answers of the store: what is not there, a case whole, the order of a shuffle, features."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.schema import EMBEDDINGS
from explorer.core.findings import Outcome
from explorer.store.results import Count
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.explorer.store.made_up import ONE, rows_of
from tests.support.brute_force import NAME, Rows
from tests.support.wording import Wording


def test_what_is_not_there_is_said(store: Store, wording: Wording) -> None:
    with pytest.raises(NoCohort) as caught:
        store.count(Slice("elsewhere", "one"))
    wording(caught.value, "'elsewhere'")
    with pytest.raises(NoCohort) as caught:
        store.count(Slice(NAME, "third"))
    wording(caught.value, "third", "rows")
    with pytest.raises(NoCohort) as caught:
        store.count(replace(ONE, against="third", relation="disagree"))
    wording(caught.value, "third", "rows")


def test_a_cohort_without_labels_and_thresholds_has_scores(
    store: Store, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.labels.unlink()
    folder.operating_points("one").unlink()
    assert store.count(ONE) == Count(10, 5)
    assert store.count(replace(ONE, outcomes=(Outcome.MISS,))) == Count(0, 0)
    assert [(film.label, film.threshold, film.outcome) for film in store.page(ONE)] == [("unknown", None, None)] * 5
    assert store.called(ONE, "Mass") == ()
    monkeypatch.chdir(folder.path)
    statement, parameters = store.sql(ONE)
    assert duckdb.connect().sql(statement, params=parameters).fetchall() == [
        tuple(row.values()) for row in store.rows(ONE).to_pylist()
    ]


def test_a_case_is_told_whole(store: Store, rows: Rows) -> None:
    found = store.case(NAME, "film 3")
    assert found is not None
    assert (found.case, found.id, found.age) == ("film 3", opaque_id(NAME, "case", "film 3"), 43)
    assert store.case_named(NAME, found.id) == "film 3"
    assert store.case_named(NAME, found.id.upper()) is None
    assert [(said.finding, said.label, said.source) for said in found.labels] == [
        ("Mass", "absent", "reports"),
        ("Nodule", "absent", "reports"),
    ]
    assert [(row.model, row.finding, row.threshold, row.outcome) for row in found.scores] == [
        (model, finding, 0.5, Outcome.FALSE_ALARM) for model in ("one", "other") for finding in ("Mass", "Nodule")
    ]
    assert [line.case for line in store.cases(NAME, ["film 2", "nobody", "film 0"])] == ["film 2", "film 0"]


def test_cases_are_scored_together_as_each_alone(store: Store) -> None:
    names = ["film 3", "nobody", "film 0"]
    found = store.scored(NAME, "other", names)
    assert set(found) == {"film 3", "film 0"}
    for name, scored in found.items():
        alone = store.case(NAME, name)
        assert alone is not None
        assert list(scored.values()) == [row for row in alone.scores if row.model == "other"]
        assert list(scored) == ["Mass", "Nodule"]


def test_a_shuffle_is_the_same_on_every_machine_and_another_for_another_seed(tmp_path: Path) -> None:
    folder = rows_of(30).write(tmp_path)
    store = Store(lambda: [folder])
    orders = {seed: [film.case for film in store.page(ONE, size=30, shuffle=seed)] for seed in (1, 2)}
    assert sorted(orders[1]) == sorted(orders[2]) == sorted(row["case"] for row in rows_of(30).cases)
    assert orders[1] != orders[2]
    assert orders[1][:4] == ["film 20", "film 2", "film 9", "film 4"]


def test_features_are_read_and_kept(store: Store, folder: Folder) -> None:
    assert store.features(NAME, "one").cases == ()
    vectors = np.arange(6, dtype="<f2").reshape(2, 3)
    path = folder.embeddings("one") / "part-00000.parquet"
    write_table(
        path, pa.table({"case": ["film 0", "film 1"], "features": [row.tobytes() for row in vectors]}, EMBEDDINGS)
    )
    store.look(NAME)
    found = store.features(NAME, "one")
    assert found.cases == ("film 0", "film 1")
    np.testing.assert_array_equal(found.vectors, vectors.astype(np.float32))
    assert store.features(NAME, "one") is found

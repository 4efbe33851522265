"""Files that come, change and go while the store runs, and tables that are prepared once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from explorer.cohorts import layout
from explorer.cohorts.layout import Folder
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import PREDICTIONS
from explorer.core.findings import Outcome
from explorer.store.prepared import file_place
from explorer.store.results import Count
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.explorer.store.made_up import ONE, rows_of
from tests.support.brute_force import NAME, Rows, chosen_pairs


def test_new_shards_are_seen_without_a_restart(store: Store, folder: Folder) -> None:
    assert store.count(ONE) == Count(10, 5)
    version = store.version(NAME, "one")
    shard = pa.table(
        {"case": ["film 0"], "finding": ["Hernia"], "score": pa.array([0.9], pa.float32())}, schema=PREDICTIONS
    )
    write_table(folder.predictions("one") / "part-00007.parquet", shard)
    store.look(NAME)
    assert store.version(NAME, "one") != version
    assert store.count(ONE) == Count(11, 5)
    assert store.count(replace(ONE, finding="Hernia")) == Count(1, 1)
    assert "Hernia" in store.facets(NAME, "one").findings


def test_new_cohorts_are_seen_without_a_restart(tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(layout.HOME_VARIABLE, str(tmp_path))
    store = Store()
    assert NAME not in {cohort.name for cohort in store.cohorts()}
    rows.write(tmp_path / "cohorts")
    assert NAME in {cohort.name for cohort in store.cohorts()}
    assert store.count(ONE).films == 5


def test_a_cohort_made_anew_is_answered_from_its_new_files_alone(store: Store, folder: Folder) -> None:
    assert store.count(ONE) == Count(10, 5)
    assert store.page(ONE)[0].case == "film 0"
    rows_of(3, ("Hernia",)).write(folder.path.parent)
    store.look(NAME)
    assert store.count(ONE) == Count(3, 3)
    assert store.case(NAME, "film 4") is None


def test_files_that_change_while_they_are_read_are_read_again(
    store: Store, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, written = file_place.write_pairs, []

    def write_and_change(*arguments: object) -> None:
        write(*arguments)  # type: ignore[arg-type]
        if not written:
            written.append(rows_of(5, ("Hernia", "Mass")).write(folder.path.parent))

    monkeypatch.setattr(file_place, "write_pairs", write_and_change)
    assert set(store.facets(NAME, "one").findings) == {"Hernia", "Mass"}


def test_a_change_is_noticed_without_a_question(store: Store, folder: Folder) -> None:
    assert store.count(ONE) == Count(10, 5)
    rows_of(3, ("Hernia",)).write(folder.path.parent)
    until = time.monotonic() + 10
    while store.count(ONE) == Count(10, 5) and time.monotonic() < until:
        time.sleep(0.05)
    assert store.count(ONE) == Count(3, 3)


def test_many_ask_at_once_and_each_file_is_written_once(
    folder: Folder, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    write = file_place.write_pairs
    monkeypatch.setattr(
        file_place, "write_pairs", lambda *arguments: (written.append(arguments[4]), write(*arguments))[1]
    )
    store = Store(lambda: [folder])
    asked = [
        replace(ONE, finding=finding, outcomes=(outcome,)) for finding in ("Mass", "Nodule") for outcome in Outcome
    ]
    asked += [replace(each, against="other", relation="disagree") for each in asked]

    def answers(chosen: Slice) -> tuple[object, ...]:
        return store.count(chosen), store.page(chosen), store.tally(chosen), store.rows(chosen).num_rows

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(answers, asked * 4))
    for chosen, (count, page, _, exported) in zip(asked * 4, found, strict=True):
        expected = chosen_pairs(rows, chosen)
        assert (count.pairs, exported, len(page)) == (len(expected), len(expected), count.films)
    assert sorted(written) == ["one", "other"]

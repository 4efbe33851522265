"""Files that cannot be right are refused with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import APPEARANCES, EMBEDDINGS, PREDICTIONS
from explorer.store.store import Store
from tests.explorer.store.made_up import ONE
from tests.support.brute_force import NAME
from tests.support.wording import Wording


def shard_of(folder: Folder) -> Path:
    return folder.predictions("one") / "part-00000.parquet"


def with_score(score: float) -> Callable[[Folder], None]:
    def write(folder: Folder) -> None:
        table = pa.table(
            {"case": ["film 0"], "finding": ["Hernia"], "score": pa.array([score], pa.float32())}, schema=PREDICTIONS
        )
        write_table(folder.predictions("one") / "part-00009.parquet", table)

    return write


def twice(folder: Folder) -> None:
    write_table(folder.predictions("one") / "part-00009.parquet", pq.read_table(shard_of(folder)))


def cut_off(folder: Folder) -> None:
    shard_of(folder).write_bytes(shard_of(folder).read_bytes()[:-20])


def overwritten(folder: Folder) -> None:
    content = bytearray(shard_of(folder).read_bytes())
    content[4:60] = b"\xff" * 56
    shard_of(folder).write_bytes(bytes(content))


def without_scores(folder: Folder) -> None:
    pq.write_table(pq.read_table(shard_of(folder)).drop_columns("score"), shard_of(folder))


def with_texts(folder: Folder) -> None:
    table = pq.read_table(shard_of(folder)).to_pandas().assign(score="high")
    pq.write_table(pa.Table.from_pandas(table), shard_of(folder))


def with_gap(folder: Folder) -> None:
    table = pq.read_table(shard_of(folder)).to_pandas().assign(case=None)
    pq.write_table(pa.Table.from_pandas(table), shard_of(folder))


def no_cases(folder: Folder) -> None:
    folder.cases.write_bytes(b"no Parquet at all")


def doubled_case(folder: Folder) -> None:
    table = pq.read_table(folder.cases)
    pq.write_table(pa.concat_tables([table, table.slice(0, 1)]), folder.cases)


def odd_label(folder: Folder) -> None:
    table = pq.read_table(folder.labels).to_pandas().astype({"label": str}).assign(label="maybe")
    pq.write_table(pa.Table.from_pandas(table), folder.labels)


def endless_threshold(folder: Folder) -> None:
    table = pq.read_table(folder.operating_points("one")).to_pandas().assign(threshold=np.inf)
    pq.write_table(pa.Table.from_pandas(table), folder.operating_points("one"))


def with_look(severity: float = 0.5, side: str = "left", area: float = 0.1, times: int = 1) -> Callable[[Folder], None]:
    def write(folder: Folder) -> None:
        row = {"case": "film 0", "finding": "Hernia", "severity": severity, "side": side, "area": area}
        write_table(folder.appearances, pa.Table.from_pylist([row] * times, schema=APPEARANCES))

    return write


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (with_score(float("nan")), "Scores of one in rows"),
        (with_score(float("inf")), "Scores of one in rows"),
        (twice, "several scores"),
        (cut_off, "predictions/one/part-00000.parquet"),
        (overwritten, "predictions/one/part-00000.parquet"),
        (without_scores, "column score"),
        (with_texts, "predictions/one/part-00000.parquet"),
        (with_gap, "predictions/one/part-00000.parquet"),
        (no_cases, "cases.parquet"),
        (doubled_case, "case 'film 0' twice"),
        (odd_label, "has the label 'maybe'"),
        (with_look(severity=1.01), "Hernia"),
        (with_look(severity=float("nan")), "Hernia"),
        (with_look(area=-0.1), "Hernia"),
        (with_look(side="upper"), "Hernia"),
        (with_look(times=2), "Hernia"),
        (endless_threshold, "thresholds in rows"),
    ],
)
def test_what_cannot_be_right_is_refused_with_a_sentence(
    store: Store, folder: Folder, damage: Callable[[Folder], None], sentence: str, wording: Wording
) -> None:
    damage(folder)
    for ask in (store.count, store.page, store.rows):  # and again: a refusal leaves nothing behind
        with pytest.raises(DamagedCohort) as refused:
            ask(ONE)
        assert sentence in refused.value.title
        wording(refused.value.title)
        assert refused.value.detail.endswith(".")
    with store._database.asking() as cursor:
        assert not cursor.rows("SELECT * FROM duckdb_tables() WHERE table_name = 'pairs'")


@pytest.mark.parametrize("blobs", [[b"\0\0", b"\0\0\0\0"], [b"\0"], [np.array([np.nan], "<f2").tobytes()]])
def test_features_that_cannot_be_right_are_refused(store: Store, folder: Folder, blobs: list[bytes]) -> None:
    cases = [f"film {i}" for i in range(len(blobs))]
    write_table(
        folder.embeddings("one") / "part-00000.parquet", pa.table({"case": cases, "features": blobs}, EMBEDDINGS)
    )
    with pytest.raises(DamagedCohort, match="one in rows"):
        store.features(NAME, "one")

"""What the store does beside answering: it keeps out, sees new files, refuses damaged ones, and is asked by many."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from explorer.answers import Count, DamagedCohort, SlowQuestion, StoreError, TooManyRows
from explorer.cohorts import layout
from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.opaque import opaque
from explorer.cohorts.parts import write_table
from explorer.cohorts.schema import CASES, EMBEDDINGS, PREDICTIONS
from explorer.questions import export, loaded
from explorer.slices import Slice
from explorer.store import Store
from explorer.vocabulary import Outcome
from tests.explorer.brute_force import NAME, Rows, chosen_pairs

ONE = Slice(NAME, "one")


def rows_of(n: int = 5, findings: tuple[str, ...] = ("Mass", "Nodule")) -> Rows:
    """`n` films, labelled present and absent in turn, scored by two models."""
    cases = [
        dict.fromkeys(CASES.names) | {"case": f"film {i}", "center": "North", "view": "PA", "sex": "F", "age": 40 + i}
        for i in range(n)
    ]
    pairs = [(f"film {i}", finding, i) for i in range(n) for finding in findings]
    labels = [
        {"case": case, "finding": finding, "label": ("present", "absent")[i % 2], "source": "reports"}
        for case, finding, i in pairs
    ]
    scores = [{"case": case, "finding": finding, "score": i / n} for case, finding, i in pairs]
    cuts = [{"finding": finding, "split": None, "threshold": 0.5, "rule": "made up"} for finding in findings]
    return Rows(cases, labels, {"one": scores, "other": scores[::-1]}, {"one": cuts, "other": cuts})


@pytest.fixture
def rows() -> Rows:
    return rows_of()


@pytest.fixture
def folder(tmp_path: Path, rows: Rows) -> Folder:
    return rows.write(tmp_path)


@pytest.fixture
def store(folder: Folder) -> Store:
    return Store(lambda: [folder])


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
    with pytest.raises(StoreError), store._asking() as cursor:
        cursor.execute(statement.format(file=folder.cases, place=folder.path.parent))
    assert {path for path in folder.path.parent.rglob("*")} == before


def test_variables_of_the_program_are_no_tables(store: Store) -> None:
    secret = pa.table({"a": [1]})
    with pytest.raises(StoreError), store._asking() as cursor:
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
    with pytest.raises(SlowQuestion, match=r"longer than 0\.2 seconds"), store._asking() as cursor:
        cursor.rows("SELECT count(*) FROM range(1000000000000) a WHERE hash(a.range) = 1")
    assert store.count(ONE).films == 5  # and the store goes on


def test_new_shards_are_seen_without_a_restart(store: Store, folder: Folder) -> None:
    assert store.count(ONE) == Count(10, 5)
    version = store.version(NAME, "one")
    shard = pa.table(
        {"case": ["film 0"], "finding": ["Hernia"], "score": pa.array([0.9], pa.float32())}, schema=PREDICTIONS
    )
    write_table(folder.predictions("one") / "part-00007.parquet", shard)
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
    assert store.count(ONE) == Count(3, 3)
    assert store.case(NAME, "film 4") is None


def test_files_that_change_while_they_are_read_are_read_again(
    store: Store, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    load, written = loaded.load_model, []

    def load_and_write(*arguments: object) -> tuple[str, ...]:
        found = load(*arguments)
        if not written:
            written.append(rows_of(5, ("Hernia", "Mass")).write(folder.path.parent))
        return found

    monkeypatch.setattr(loaded, "load_model", load_and_write)
    assert set(store.facets(NAME, "one").findings) == {"Hernia", "Mass"}


def test_many_ask_at_once_and_tables_are_loaded_once(
    folder: Folder, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = []
    load = loaded.load_model
    monkeypatch.setattr(loaded, "load_model", lambda *arguments: (loads.append(arguments[4]), load(*arguments))[1])
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
    assert loads == ["one"]


def test_tables_make_room_and_come_back(tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded, "PAIR_BYTES", 2**20)  # each model takes ten megabytes
    folder = rows.write(tmp_path)
    store = Store(lambda: [folder], memory_mb=16)
    for model in ("one", "other", "one"):
        assert store.count(Slice(NAME, model)) == Count(10, 5)
        with store._asking() as cursor:
            tables = cursor.rows("SELECT schema_name FROM duckdb_tables() WHERE table_name = 'pairs'")
        assert len(tables) == 1


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


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (with_score(float("nan")), "Scores of one in rows are no numbers"),
        (with_score(float("inf")), "Scores of one in rows are no numbers"),
        (twice, "several scores for a finding of one film"),
        (cut_off, "predictions/one/part-00000.parquet cannot be read"),
        (overwritten, "predictions/one/part-00000.parquet cannot be read"),
        (without_scores, "predictions/one/part-00000.parquet has no column score"),
        (with_texts, "predictions/one/part-00000.parquet cannot be read"),
        (with_gap, "predictions/one/part-00000.parquet leaves case empty"),
        (no_cases, "cases.parquet cannot be read"),
        (doubled_case, "has the case 'film 0' twice"),
        (odd_label, "has the label 'maybe'"),
        (endless_threshold, "no single threshold for each finding"),
    ],
)
def test_what_cannot_be_right_is_refused_with_a_sentence(
    store: Store, folder: Folder, damage: Callable[[Folder], None], sentence: str
) -> None:
    damage(folder)
    for ask in (store.count, store.page, store.rows):  # and again: a refusal leaves nothing behind
        with pytest.raises(DamagedCohort) as refused:
            ask(ONE)
        assert sentence in refused.value.title
        assert refused.value.detail.endswith(".")
    with store._asking() as cursor:
        assert not cursor.rows("SELECT * FROM duckdb_tables() WHERE table_name = 'pairs'")


def test_what_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(NoCohort, match="There is no cohort 'elsewhere'"):
        store.count(Slice("elsewhere", "one"))
    with pytest.raises(NoCohort, match="third has not scored rows"):
        store.count(Slice(NAME, "third"))
    with pytest.raises(NoCohort, match="third has not scored rows"):
        store.count(replace(ONE, against="third", relation="disagree"))


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
    assert duckdb.sql(statement, params=parameters).fetchall() == [
        tuple(row.values()) for row in store.rows(ONE).to_pylist()
    ]


def test_a_slice_too_large_for_a_file_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "MOST", 9)
    with pytest.raises(TooManyRows, match="This slice has 10 pairs"):
        store.rows(ONE)


def test_a_case_is_told_whole(store: Store, rows: Rows) -> None:
    found = store.case(NAME, "film 3")
    assert found is not None
    assert (found.case, found.id, found.age) == ("film 3", opaque(NAME, "case", "film 3"), 43)
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
    found = store.features(NAME, "one")
    assert found.cases == ("film 0", "film 1")
    np.testing.assert_array_equal(found.vectors, vectors.astype(np.float32))
    assert store.features(NAME, "one") is found


@pytest.mark.parametrize("blobs", [[b"\0\0", b"\0\0\0\0"], [b"\0"], [np.array([np.nan], "<f2").tobytes()]])
def test_features_that_cannot_be_right_are_refused(store: Store, folder: Folder, blobs: list[bytes]) -> None:
    cases = [f"film {i}" for i in range(len(blobs))]
    write_table(
        folder.embeddings("one") / "part-00000.parquet", pa.table({"case": cases, "features": blobs}, EMBEDDINGS)
    )
    with pytest.raises(DamagedCohort, match="one in rows"):
        store.features(NAME, "one")

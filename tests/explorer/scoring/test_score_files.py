"""Parts on disk: whole, counted once, of one maker, and tidied up after a process that was killed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.schema import EMBEDDINGS, PREDICTIONS
from explorer.scoring.batches import ScoredBatch
from explorer.scoring.score_files import ScoreOrigin, ScoreShards
from tests.support.wording import Wording

MAKER = ScoreOrigin("abc", "film pipeline 1, letterbox 64 px")
FINDINGS = ("Mass", "Normal")


def some(*cases: str) -> ScoredBatch:
    scores = np.arange(2 * len(cases), dtype=np.float32).reshape(-1, 2) / 10
    return ScoredBatch(list(cases), scores, np.ones((len(cases), 3), dtype=np.float32), {})


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "own")


@pytest.fixture
def parts(folder: Folder) -> ScoreShards:
    return ScoreShards(folder, "m", MAKER)


def test_a_part_is_long_and_its_features_are_half_precision(folder: Folder, parts: ScoreShards) -> None:
    with parts.exclusive():
        parts.write(FINDINGS, some("a", "b"))
    scores = pq.read_table(folder.predictions("m") / "part-00000.parquet")
    assert scores.schema.equals(PREDICTIONS)
    assert scores.to_pydict() == {
        "case": ["a", "b", "a", "b"],
        "finding": ["Mass", "Mass", "Normal", "Normal"],
        "score": pytest.approx([0.0, 0.2, 0.1, 0.3]),
    }
    features = pq.read_table(folder.embeddings("m") / "part-00000.parquet")
    assert features.schema.equals(EMBEDDINGS)
    assert np.frombuffer(features["features"][0].as_py(), "<f2").tolist() == [1, 1, 1]


def test_parts_add_up_and_an_empty_one_is_none(parts: ScoreShards) -> None:
    with parts.exclusive():
        for scored in (some("a", "b"), some(), some("c")):
            parts.write(FINDINGS, scored)
    assert parts.done() == {"a", "b", "c"}


def test_what_a_killed_process_left_half_done_does_not_count_and_goes(folder: Folder, parts: ScoreShards) -> None:
    with parts.exclusive():
        parts.write(FINDINGS, some("a"))
        parts.write(FINDINGS, some("b"))
    (folder.predictions("m") / "part-00001.parquet").unlink()  # it ended between the two files of the part
    halves = [
        folder.predictions("m") / ".part-00001.parquet.123.partial",
        folder.embeddings("m") / ".part-00001.parquet.123.partial",
        folder.failures("m").parent / ".m.csv.123.partial",
        folder.model("m").parent / ".m.json.123.partial",
    ]
    others = folder.failures("m").parent / ".another.csv.124.partial"
    for half in (*halves, others):
        half.parent.mkdir(exist_ok=True)
        half.write_bytes(b"PAR1")
    assert parts.done() == {"a"}
    with parts.exclusive():
        assert [path.name for path in folder.embeddings("m").iterdir()] == ["part-00000.parquet"]
        assert [half for half in (*halves, others) if half.exists()] == [others], "another model's may be in use"
        parts.write(FINDINGS, some("b"))
    assert parts.done() == {"a", "b"}


@pytest.mark.parametrize("other", [ScoreOrigin("def", MAKER.preprocessing), ScoreOrigin("abc", "film pipeline 2")])
def test_scores_of_another_maker_are_not_added_to(
    folder: Folder, parts: ScoreShards, other: ScoreOrigin, wording: Wording
) -> None:
    with parts.exclusive():
        parts.write(FINDINGS, some("a"))
    with pytest.raises(NoCohort) as caught, ScoreShards(folder, "m", other).exclusive():
        pass
    wording(caught.value, "other weights")
    assert parts.done() == {"a"}


def test_one_process_at_a_time(folder: Folder, parts: ScoreShards, wording: Wording) -> None:
    with parts.exclusive():
        with pytest.raises(NoCohort) as caught, ScoreShards(folder, "m", MAKER).exclusive():
            pass
        wording(caught.value, "already")
        with ScoreShards(folder, "another", MAKER).exclusive():
            pass
    with parts.exclusive():
        pass


def test_failures_are_listed_and_go_when_there_are_none(folder: Folder, parts: ScoreShards) -> None:
    assert parts.failed() == {}
    parts.write_failed({"a,b": 'No "film". Bring one.', "c": "x"})
    assert folder.failures("m").read_text().startswith('case,reason\n"a,b","No ""film"". Bring one."\n')
    assert parts.failed() == {"a,b": 'No "film". Bring one.', "c": "x"}
    parts.write_failed({})
    assert parts.failed() == {}
    assert not folder.failures("m").exists()

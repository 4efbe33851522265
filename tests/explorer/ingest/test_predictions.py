"""Scores made elsewhere: into own cohorts, beside shipped ones, and as cohorts of their own."""

from __future__ import annotations

import csv
import dataclasses
import hashlib
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.leaderboard.means import leaderboard
from explorer.analysis.leaderboard.report import board_notes, board_report
from explorer.cohorts import layout
from explorer.cohorts.layout import CACHE, NoCohort
from explorer.cohorts.manifest import ModelManifest, read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import OPERATING_POINTS, PREDICTIONS
from explorer.ingest.columns import ColumnMap
from explorer.ingest.given_thresholds import GivenThresholds, read_thresholds, uniform_thresholds
from explorer.ingest.make_cohort import make_cohort
from explorer.ingest.predictions import GivenScores, ImportedScores, read_scores_file
from explorer.ingest.scored_cohort import add_scores, make_scored_cohort
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.tabular.problems import FailedChecks, WrongInput
from tests.explorer.ingest.brought import cases, labels, source_of, written
from tests.support.shipped_models import OF_NIH_OOF
from tests.support.wording import Wording, line_with

SCORES = "image_id,Mass,Effusion,mood\n007,0.7,0.25,1\n7,0,1,2\nstranger,0.5,0.5,3\n"
LABELS = "image_id,center,Mass,Effusion\n7,Köln,0,1\n007,Jos,1,\nleft,Jos,1,-1\n"


def given_scores(
    folder: Path, text: str = SCORES, model: str = "ours", thresholds: GivenThresholds | None = None
) -> GivenScores:
    sheet = read_scores_file(written(folder / "S.csv", text), "image_id")
    return GivenScores(sheet, thresholds or uniform_thresholds(list(sheet.columns), 0.5), model)


@pytest.fixture
def mine(home: Path, tmp_path: Path) -> layout.Folder:
    """An own cohort of three cases at two centers."""
    text = "id,Mass,where\n7,0,Jos\n007,1,Köln\nleft,1,Jos\n"
    return make_cohort(lambda: source_of(tmp_path, text, center="where"), "mine").folder


def scores(folder: layout.Folder, model: str = "ours") -> dict[tuple[str, str], float]:
    (part,) = folder.predictions(model).iterdir()
    table = pq.read_table(part)
    assert pq.read_schema(part).equals(PREDICTIONS)
    said = {(row["case"], row["finding"]): row["score"] for row in table.to_pylist()}
    assert len(said) == table.num_rows
    return said


def points(folder: layout.Folder, model: str = "ours") -> list[tuple[str, str | None, float, str]]:
    assert pq.read_schema(folder.operating_points(model)).equals(OPERATING_POINTS)
    rows = pq.read_table(folder.operating_points(model)).to_pylist()
    return [(row["finding"], row["split"], row["threshold"], row["rule"]) for row in rows]


def failures(scored: ImportedScores) -> list[list[str]]:
    with scored.failures.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_scores_go_into_an_own_cohort(mine: layout.Folder, tmp_path: Path, wording: Wording) -> None:
    given = dataclasses.replace(given_scores(tmp_path), origins={"Jos": "in-sample"})
    scored = add_scores(given, "mine", replace=False)
    assert scores(mine) == {
        ("007", "Mass"): pytest.approx(0.7),
        ("007", "Pleural Effusion"): 0.25,
        ("7", "Mass"): 0,
        ("7", "Pleural Effusion"): 1,
    }
    assert points(mine) == [("Mass", None, 0.5, "fixed at 0.5"), ("Pleural Effusion", None, 0.5, "fixed at 0.5")]
    manifest = read_model_manifest(mine.model("ours"))
    assert manifest == scored.manifest
    assert manifest.sha256 is None and manifest.origins == {"Jos": "in-sample"}
    assert (manifest.findings, manifest.scored, manifest.failed) == (("Mass", "Pleural Effusion"), 2, 1)
    wording(manifest.thresholds, "0.5")
    assert "elsewhere" in manifest.preprocessing and "not stated" in manifest.split
    header, (left, no_scores), (stranger, no_case) = failures(scored)
    assert (header, left, stranger) == (["case", "reason"], "left", "stranger")
    wording(no_scores, "S.csv")
    wording(no_case, "cohort")
    assert mine.models() == ("ours",)


def digest(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_scores_of_a_shipped_cohort_lie_beside_it(home: Path, tmp_path: Path, wording: Wording) -> None:
    before = digest(CACHE)
    case = cases(layout.cohort_folder("nih-oof"))[0]["case"]
    add_scores(given_scores(tmp_path, f"image_id,Mass\n{case},0.5\n"), "nih-oof", replace=False)
    folder = layout.cohort_folder("nih-oof")
    assert folder.path == CACHE / "nih-oof" and digest(CACHE) == before
    assert folder.models() == (*OF_NIH_OOF, "ours")
    assert scores(folder) == {(case, "Mass"): 0.5}
    assert folder.predictions("ours").is_relative_to(home) and folder.predictions("nih-mini").is_relative_to(CACHE)
    assert [each.name for each in layout.cohort_folders()].count("nih-oof") == 1
    with pytest.raises(WrongInput) as caught:
        add_scores(given_scores(tmp_path, model="nih-mini"), "nih-oof", replace=True)
    wording(caught.value, "Tailscope", "'nih-mini'")


def test_a_cohort_of_labels_and_scores_alone(home: Path, tmp_path: Path) -> None:
    columns = ColumnMap(image_id="image_id", center="center")
    path = written(tmp_path / "L.csv", LABELS)
    report, scored = make_scored_cohort(given_scores(tmp_path), path, columns, "unknown", "new", replace=False)
    folder = layout.cohort_folder("new")
    assert [(case["case"], case["center"]) for case in cases(folder)] == [
        ("7", "Köln"),
        ("007", "Jos"),
        ("left", "Jos"),
    ]
    assert labels(folder)[("left", "Pleural Effusion")] == "uncertain"
    assert ("007", "Pleural Effusion") not in labels(folder)
    assert len(scores(folder)) == 4 and folder.models() == ("ours",)
    assert scored.failures == folder.failures("ours") and scored.failures.is_file()
    assert report.manifest.cases == 3


def test_scores_that_fit_nothing_leave_no_cohort(home: Path, tmp_path: Path, wording: Wording) -> None:
    path = written(tmp_path / "L.csv", "image_id,Mass\n07,1\n")
    with pytest.raises(WrongInput) as refused:
        make_scored_cohort(
            given_scores(tmp_path), path, ColumnMap(image_id="image_id"), "unknown", "new", replace=False
        )
    wording(refused.value, "3 images", "S.csv")
    wording(refused.value, "'007'", "'stranger'")
    with pytest.raises(NoCohort):
        layout.cohort_folder("new")
    one = given_scores(tmp_path, "image_id,Mass\n8,0.5\n")
    with pytest.raises(WrongInput) as caught:
        make_scored_cohort(one, path, ColumnMap(image_id="image_id"), "unknown", "new", replace=False)
    wording(caught.value, "S.csv", "'8'")


def test_a_center_that_is_not_there_is_refused(mine: layout.Folder, tmp_path: Path, wording: Wording) -> None:
    given = dataclasses.replace(given_scores(tmp_path), origins={"Jos": "in-sample", "Koeln": "internal"})
    with pytest.raises(WrongInput) as caught:
        add_scores(given, "mine", replace=False)
    wording(caught.value, "'Koeln'", "'Jos'", "'Köln'")
    assert mine.models() == ()


def test_scores_are_replaced_only_when_that_is_asked_for(mine: layout.Folder, tmp_path: Path, wording: Wording) -> None:
    add_scores(given_scores(tmp_path), "mine", replace=False)
    other = given_scores(tmp_path, "image_id,Nodule\nleft,1\n", thresholds=GivenThresholds({}, "", "none"))
    with pytest.raises(WrongInput) as caught:
        add_scores(other, "mine", replace=False)
    wording(caught.value, "'ours'")
    assert len(scores(mine)) == 4
    scored = add_scores(other, "mine", replace=True)
    assert scores(mine) == {("left", "Nodule"): 1}
    assert points(mine) == [] and scored.without_threshold == ("Nodule",)


def test_a_model_that_was_scored_here_is_never_overwritten(mine: layout.Folder, tmp_path: Path) -> None:
    write_manifest(mine.model("ours"), ModelManifest("ours", "", "ab12", "", "", (), {}, 0, 0, ""))
    with pytest.raises(WrongInput, match="that Tailscope made"):
        add_scores(given_scores(tmp_path), "mine", replace=True)


def test_scores_of_a_run_that_was_broken_off_are_not_overwritten(mine: layout.Folder, tmp_path: Path) -> None:
    part = mine.predictions("ours") / "part-00000.parquet"
    write_table(part, PREDICTIONS.empty_table().replace_schema_metadata({"sha256": "ab12", "preprocessing": "any"}))
    with pytest.raises(WrongInput, match="that Tailscope made"):
        add_scores(given_scores(tmp_path), "mine", replace=True)
    assert part.is_file()


@pytest.mark.parametrize("model", ["../ours", "Ours", ""])
def test_a_model_is_called_as_a_folder_may_be(
    mine: layout.Folder, tmp_path: Path, model: str, wording: Wording
) -> None:
    with pytest.raises(NoCohort) as caught:
        add_scores(given_scores(tmp_path, model=model), "mine", replace=False)
    wording(caught.value, "valid name")


def test_a_cohort_that_is_not_there_is_refused(home: Path, tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(NoCohort) as caught:
        add_scores(given_scores(tmp_path), "none", replace=False)
    wording(caught.value, "'none'", "nih-oof")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("image_id,Mass\na,\n", "no score"),
        ("image_id,Mass\na,1.2\n", "is not from 0 to 1"),
        ("image_id,Mass\na,nan\n", "no score: 'nan'"),
        ("image_id,Mass\na,0.1\na,0.2\n", "line 2"),
        ("image_id,Mass,mass\na,0.1,0.2\n", "'Mass' and 'mass'"),
    ],
)
def test_scores_that_are_none_are_told_with_their_line(tmp_path: Path, text: str, words: str, wording: Wording) -> None:
    with pytest.raises(FailedChecks, match=words) as caught:
        given_scores(tmp_path, text)
    wording(caught.value)


def test_operating_points_of_a_file(mine: layout.Folder, tmp_path: Path, wording: Wording) -> None:
    thresholds = read_thresholds(written(tmp_path / "P.csv", "threshold,finding\n0.7,Mass\n0.1,Hernia\n"))
    scored = add_scores(given_scores(tmp_path, thresholds=thresholds), "mine", replace=False)
    ((finding, split, threshold, rule),) = points(mine)
    assert (finding, split, rule) == ("Mass", None, "given with the scores")
    assert scores(mine)[("007", "Mass")] >= threshold  # a score of 0.7 reaches a threshold of 0.7
    wording(scored.manifest.thresholds, "P.csv")
    assert scored.without_threshold == ("Pleural Effusion",)


@given(st.floats(0, 1))
def test_a_score_reaches_a_threshold_that_is_the_same_number(value: float) -> None:
    assert float(np.float32(value)) >= float(np.float32(uniform_thresholds(["Mass"], value).values["Mass"]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("finding,threshold\nelephant,0.5\n", "'elephant'"),
        ("finding,threshold\nMass,2\n", "Mass: the score 2"),
        ("finding,threshold\nMass,\n", "Mass: no score"),
        ("finding,threshold\nEffusion,0.1\nPleural Effusion,0.2\n", "Pleural Effusion already"),
        ("finding,threshold\nMass\n", "1 cells"),
    ],
)
def test_operating_points_that_are_none(tmp_path: Path, text: str, words: str, wording: Wording) -> None:
    with pytest.raises(FailedChecks, match=words) as caught:
        read_thresholds(written(tmp_path / "P.csv", text))
    wording(caught.value)


def test_operating_points_need_their_columns(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match="no column 'threshold'"):
        read_thresholds(written(tmp_path / "P.csv", "finding,value\nMass,0.1\n"))


def test_scores_upside_down_and_calls_are_told_beside_the_cohorts_labels(
    home: Path, tmp_path: Path, wording: Wording
) -> None:
    """Where two sources differ nothing counts; the films of one source that counts decide."""
    rows = "".join(f"f{k:02},{k % 2},{k % 2}\n" for k in range(40))
    make_cohort(lambda: source_of(tmp_path, f"id,Mass,Nodule\n{rows}"), "twenty")
    given = "".join(f"f{k:02},{0.9 - 0.5 * (k % 2) - k / 1000},{k % 3 // 2}\n" for k in range(40))
    scored = add_scores(given_scores(tmp_path, f"image_id,Mass,Nodule\n{given}"), "twenty", replace=False)
    told = [str(note) for note in scored.notes]
    wording(line_with(told, "AUROC", "Mass 0.00", "20"))
    wording(line_with(told, "Nodule", "0", "1"))


def test_a_board_of_a_cohort_tells_of_odd_scores_too(home: Path, tmp_path: Path, wording: Wording) -> None:
    rows = "".join(f"f{k:02},{k % 2},{k % 2},{k % 2}\n" for k in range(40))
    make_cohort(lambda: source_of(tmp_path, f"id,Mass,Nodule,Fracture\n{rows}"), "forty")
    given = "".join(f"f{k:02},{0.9 - 0.5 * (k % 2) - k / 1000},{k % 3 // 2},0.4\n" for k in range(40))
    add_scores(given_scores(tmp_path, f"image_id,Mass,Nodule,Fracture\n{given}"), "forty", replace=False)
    with closing(Store()) as store:
        (model,) = (each.model for each in store.models("forty"))
        chosen = Slice("forty", model)
        report = board_report(store, leaderboard(store, chosen, [model]), chosen, 0, natural=False)
        told = report.odd
        assert len(told) == 3 and set(told) <= set(board_notes(report))
        wording(told[0], model, "Fracture")
        wording(told[1], model, "Nodule", "0", "1")
        wording(told[2], model, "AUROC", "Mass 0.00", "20")

"""Corrected labels keep films and scores."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import Result

from explorer.cohorts import layout
from explorer.cohorts.layout import HOME_VARIABLE, own_cohorts
from explorer.cohorts.manifest import read_manifest
from explorer.store.store import Store
from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import cases, film, labels, written
from tests.support.wording import Wording, line_with

TABLE = "id,Mass,Hernia\na,1,0\nb,0,0\nc,0,1\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))


def ingested(tmp_path: Path, text: str, *more: str) -> Result:
    table, columns = written(tmp_path / "T.csv", text), written(tmp_path / "map.toml", 'image_id = "id"\n')
    return run("ingest", "csv", "--table", str(table), "--columns", str(columns), "--out", "mine", *more)


def test_one_corrected_label_keeps_the_scores(tmp_path: Path, wording: Wording) -> None:
    assert ingested(tmp_path, TABLE).exit_code == 0
    scores = written(tmp_path / "S.csv", "id,Mass\na,.9\nb,.8\nc,.1\n")
    given = ("--model", "ours", "--cohort", "mine", "--id-column", "id")
    assert run("ingest", "predictions", str(scores), *given).exit_code == 0
    folder, before = layout.cohort_folder("mine"), cases(layout.cohort_folder("mine"))
    version = read_manifest(folder.manifest).version
    done = ingested(tmp_path, TABLE.replace("b,0", "b,1") + "d,1,1\n", "--replace-labels")
    assert done.exit_code == 0, done.stderr
    assert "scores kept of 1 model" in done.stdout
    wording(line_with(done.stdout, "not used: 1"))
    assert labels(folder)["b", "Mass"] == "present" and cases(folder) == before
    assert read_manifest(folder.manifest).version != version and folder.models() == ("ours",)
    store = Store()
    assert store.model("mine", "ours").scored == 3
    store.close()
    assert [path.name for path in own_cohorts().iterdir()] == ["mine"]


def test_a_table_that_lacks_a_film_changes_nothing(tmp_path: Path, wording: Wording) -> None:
    ingested(tmp_path, TABLE)
    before = labels(layout.cohort_folder("mine"))
    done = ingested(tmp_path, "id,Mass\na,0\n", "--replace-labels")
    assert done.exit_code == 2
    wording(" ".join(done.stderr.split()), "2 of the 3 films", "'b'", "'c'")
    assert labels(layout.cohort_folder("mine")) == before


def test_a_row_that_cannot_be_read_is_named_with_its_reason(tmp_path: Path, wording: Wording) -> None:
    ingested(tmp_path, TABLE)
    done = ingested(tmp_path, "id,Normal,Mass\na,1,1\nb,0,1\nc,0,1\n", "--replace-labels")
    assert done.exit_code == 2
    wording(" ".join(done.stderr.split()), "'a'")


def test_other_files_than_the_films_that_were_scored_are_refused(tmp_path: Path, wording: Wording) -> None:
    table, columns = tmp_path / "T.csv", written(tmp_path / "map.toml", 'image_id = "id"\nfile = "file"\n')
    given = ("ingest", "csv", "--table", str(table), "--columns", str(columns), "--out", "mine")
    written(table, "id,file,Mass\na,x/1.png,1\nb,x/2.png,0\n")
    assert run(*given).exit_code == 0
    written(table, "id,file,Mass\na,y/1.dcm,1\nb,3.png,0\n")
    done = run(*given, "--replace-labels")
    assert done.exit_code == 2
    wording(" ".join(done.stderr.split()), "'b is x/2.png, not 3.png'")
    written(table, "id,file,Mass\na,1.png,0\nb,2.png,1\n")
    assert run(*given, "--replace-labels").exit_code == 0
    assert labels(layout.cohort_folder("mine")) == {("a", "Mass"): "absent", ("b", "Mass"): "present"}


def test_a_folder_of_films_gets_labels_later(tmp_path: Path) -> None:
    for seed, name in enumerate("abc"):
        written(tmp_path / "films" / "ward" / f"{name}.png", film(seed))
    assert run("ingest", "folder", str(tmp_path / "films"), "--out", "mine").exit_code == 0
    done = ingested(tmp_path, TABLE, "--replace-labels")
    assert done.exit_code == 0, done.stderr
    assert "images are compared" in done.stdout
    assert labels(layout.cohort_folder("mine"))["ward/a.png", "Mass"] == "present"


def test_a_cohort_of_nih_is_relabeled(tmp_path: Path) -> None:
    table = written(tmp_path / "nih" / "labels.csv", "image_id,findings,file\na,Mass,a.png\nb,No Finding,b.png\n")
    for seed, name in enumerate("ab"):
        written(table.parent / f"{name}.png", film(seed))
    nih = ("ingest", "nih", "--root", str(table.parent), "--out", "mine")
    assert run(*nih).exit_code == 0
    written(table, "image_id,findings,file\na,Hernia,a.png\nb,No Finding,b.png\n")
    assert run(*nih).exit_code == 2
    assert run(*nih, "--replace", "--replace-labels").exit_code == 2
    assert run(*nih, "--replace-labels").exit_code == 0
    assert labels(layout.cohort_folder("mine"))["a", "Hernia"] == "present"


def test_it_needs_a_cohort(tmp_path: Path, wording: Wording) -> None:
    done = ingested(tmp_path, TABLE, "--replace-labels")
    assert done.exit_code == 2
    wording(line_with(done.stderr, "'mine'"))

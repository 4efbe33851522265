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
from tests.explorer.ingest.brought import cases, labels, written

TABLE = "id,Mass,Hernia\na,1,0\nb,0,0\nc,0,1\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))


def ingested(tmp_path: Path, text: str, *more: str) -> Result:
    table, columns = written(tmp_path / "T.csv", text), written(tmp_path / "map.toml", 'image_id = "id"\n')
    return run("ingest", "csv", "--table", str(table), "--columns", str(columns), "--out", "mine", *more)


def test_one_corrected_label_keeps_the_scores(tmp_path: Path) -> None:
    assert ingested(tmp_path, TABLE).exit_code == 0
    scores = written(tmp_path / "S.csv", "id,Mass\na,.9\nb,.8\nc,.1\n")
    given = ("--model", "ours", "--cohort", "mine", "--id-column", "id")
    assert run("ingest", "predictions", str(scores), *given).exit_code == 0
    folder, before = layout.folder("mine"), cases(layout.folder("mine"))
    version = read_manifest(folder.manifest).version
    done = ingested(tmp_path, TABLE.replace("b,0", "b,1") + "d,1,1\n", "--replace-labels")
    assert done.exit_code == 0, done.stderr
    assert "scores kept of 1 model" in done.stdout and "does not have, not used: 1" in done.stdout
    assert labels(folder)["b", "Mass"] == "present" and cases(folder) == before
    assert read_manifest(folder.manifest).version != version and folder.models() == ("ours",)
    store = Store()
    assert store.model("mine", "ours").scored == 3
    store.close()
    assert [path.name for path in own_cohorts().iterdir()] == ["mine"]


def test_a_table_that_lacks_a_film_changes_nothing(tmp_path: Path) -> None:
    ingested(tmp_path, TABLE)
    before = labels(layout.folder("mine"))
    done = ingested(tmp_path, "id,Mass\na,0\n", "--replace-labels")
    assert done.exit_code == 2 and "no usable row for 2 of the 3 films of mine: 'b', 'c'" in " ".join(
        done.stderr.split()
    )
    assert labels(layout.folder("mine")) == before


def test_it_needs_a_cohort(tmp_path: Path) -> None:
    done = ingested(tmp_path, TABLE, "--replace-labels")
    assert done.exit_code == 2 and "There is no cohort 'mine' of yours" in done.stderr

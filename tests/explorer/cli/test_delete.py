"""`delete`: own cohorts and a model's scores go whole, shipped ones stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts import layout
from explorer.cohorts.folder_lock import locked_folder
from explorer.cohorts.layout import HOME_VARIABLE, own_cohorts
from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import written
from tests.support.wording import Wording, line_with


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cohort with the scores of two models."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    labels = written(tmp_path / "L.csv", "image_id,Mass\na,1\nb,0\n")
    scores = written(tmp_path / "S.csv", "image_id,Mass\na,.9\nb,.2\n")
    assert (
        run("ingest", "predictions", str(scores), "--model", "ours", "--labels", str(labels), "--out", "mine").exit_code
        == 0
    )
    assert run("ingest", "predictions", str(scores), "--model", "theirs", "--cohort", "mine").exit_code == 0
    assert run("thresholds", "--cohort", "mine", "--model", "ours", "--rule", "youden").exit_code == 0
    return own_cohorts() / "mine"


def test_a_models_scores_go_alone(mine: Path, wording: Wording) -> None:
    done = run("delete", "--cohort", "mine", "--model", "ours")
    assert done.exit_code == 0, done.stderr
    wording(line_with(done.stdout, "models/ours.json", "predictions/ours"))
    assert layout.cohort_folder("mine").models() == ("theirs",)
    assert not [path for path in mine.rglob("*") if "ours" in path.name]
    again = run("delete", "--cohort", "mine", "--model", "ours")
    assert again.exit_code == 2
    wording(again.stderr, "mine", "'ours'", "theirs")


def test_a_cohort_goes_whole(mine: Path) -> None:
    done = run("delete", "--cohort", "mine")
    assert done.exit_code == 0 and "Deleted the cohort mine" in done.stdout
    assert list(mine.parent.iterdir()) == []
    assert run("delete", "--cohort", "mine").exit_code == 2


def test_one_that_is_scored_stays(mine: Path) -> None:
    with locked_folder(mine, exclusive=False):
        for words in (("--model", "ours"), ()):
            done = run("delete", "--cohort", "mine", *words)
            assert done.exit_code == 2 and "is being scored" in done.stderr
    assert layout.cohort_folder("mine").models() == ("ours", "theirs")


def test_what_ships_stays(mine: Path, wording: Wording) -> None:
    assert "is a shipped cohort" in run("delete", "--cohort", "phantom").stderr
    shipped = run("delete", "--cohort", "phantom", "--model", "phantom")
    assert shipped.exit_code == 2
    wording(shipped.stderr, "'phantom'", "none")
    assert "phantom" in layout.cohort_folder("phantom").models()

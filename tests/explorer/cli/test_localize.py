"""`localize` on the shipped phantom: figures on standard output, every line as CSV, and words for what cannot be."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.tabular.problems import WrongInput
from explorer.workshop.localization.command import _check_place
from tests.explorer.cli.command import run
from tests.support.full_disk import full_disk
from tests.support.wording import Wording

pytestmark = pytest.mark.slow
ORDER = ("localize", "--cohort", "phantom", "--model", "phantom")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is measured lies beside the cohort: of a shipped one, among the visitor's own."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))


def test_it_measures_what_was_asked_for(tmp_path: Path) -> None:
    method = "HiResCAM@blocks.2+blocks.4:192:contrastive"
    done = run(
        *ORDER, "--films", "12", "--methods", method, "--randomization", "2", "--out", str(tmp_path / "maps.csv")
    )
    assert done.exit_code == 0, done.stderr
    assert method in done.stdout
    assert "mean mask" in done.stdout
    assert "classifier" in done.stdout, "the layer that forgets first"
    rows = list(csv.DictReader((tmp_path / "maps.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["by"] for row in rows} >= {"all", "center", "finding"}
    assert all(0 <= float(row["pointing"]) <= 1 for row in rows)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--methods", "MagicCAM@last"), "MagicCAM"),
        (("--films", "2", "--methods", "GradCAM@blocks.99"), "stage 'blocks.99'"),
    ],
)
def test_what_cannot_be_measured_is_refused(words: tuple[str, ...], why: str, wording: Wording) -> None:
    done = run(*ORDER, *words)
    assert done.exit_code == 2
    assert why in " ".join(done.stderr.split())
    wording(" ".join(done.stderr.split()))


def test_a_place_that_cannot_be_written_is_told_before_anything_is_computed(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "closed").write_text("a file, where a folder would have to be made")
    with pytest.raises(WrongInput) as caught:
        _check_place(tmp_path / "closed" / "localization")
    wording(caught.value, "closed")
    with full_disk(), pytest.raises(WrongInput) as caught:
        _check_place(tmp_path / "there")
    wording(caught.value, "there")

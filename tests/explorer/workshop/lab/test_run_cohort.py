"""A run knows its cohort: what is left out on the command line is not taken for the phantom."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.workshop.lab.run_cohort import COHORT_FILE, cohort_of_run
from explorer.workshop.lab.trained import SHIPPED_RUNS
from models.training.lab_recipe import WrongRecipe
from tests.support.full_disk import full_disk
from tests.support.wording import Wording


def test_a_run_keeps_the_cohort_it_began_with(tmp_path: Path, wording: Wording) -> None:
    run = tmp_path / "run"
    assert cohort_of_run(run, "mine") == "mine" == cohort_of_run(run, None) == cohort_of_run(run, "mine")
    with pytest.raises(WrongRecipe) as caught:
        cohort_of_run(run, "phantom")
    wording(caught.value, "mine", "phantom")
    assert cohort_of_run(tmp_path / "new", None) == "phantom"


def test_a_run_that_stands_on_disk_says_it_by_its_trainings(tmp_path: Path, wording: Wording) -> None:
    made = sorted(SHIPPED_RUNS.glob("*/said.npz"))[0]
    (tmp_path / "bce-0").mkdir()
    (tmp_path / "bce-0" / "said.npz").write_bytes(made.read_bytes())
    with pytest.raises(WrongRecipe) as caught:
        cohort_of_run(tmp_path, "mine")
    wording(caught.value, "phantom")
    assert not (tmp_path / COHORT_FILE).exists() and cohort_of_run(tmp_path, None) == "phantom"


def test_a_folder_that_can_keep_nothing_is_refused_also_when_a_run_goes_on(tmp_path: Path) -> None:
    cohort_of_run(tmp_path, "mine")
    with full_disk(), pytest.raises(WrongRecipe, match="cannot be stored in"):
        cohort_of_run(tmp_path, None)

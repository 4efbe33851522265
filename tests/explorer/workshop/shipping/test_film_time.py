"""What a film costs by a recipe is measured side by side, and written where the trainings that ship are kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from explorer.cohorts.layout import Folder, cohort_folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.workshop.lab.run import training_folder
from explorer.workshop.lab.trained import SHIPPED_RUNS, read_trained
from explorer.workshop.shipping.film_time import time_recipes, write_times


@pytest.mark.training
def test_two_passes_cost_twice_as_much() -> None:
    took = time_recipes(["bce", "mirror"], rounds=2)
    assert 1.5 < took["mirror"] / took["bce"] < 3


def test_it_is_written_into_training_and_cohort_and_nothing_else_changes(tmp_path: Path) -> None:
    made, shipped = read_trained(training_folder(SHIPPED_RUNS, "crt", 0)), cohort_folder("phantom")
    copy = Folder(tmp_path / "phantom")
    copy.model("lab-crt-0").parent.mkdir(parents=True)
    shutil.copy(shipped.model("lab-crt-0"), copy.model("lab-crt-0"))
    training_folder(tmp_path, "crt", 0).mkdir()
    write_times({"crt": 12.5}, [made], copy, tmp_path)
    again, said = read_trained(training_folder(tmp_path, "crt", 0)), read_model_manifest(copy.model("lab-crt-0"))
    assert again.cost.milliseconds == 12.5 and again.cost.seconds == made.cost.seconds
    assert (again.test.logits == made.test.logits).all() and again.sha256 == made.sha256
    assert said.training is not None and said.training.milliseconds == 12.5
    assert said.files == read_model_manifest(shipped.model("lab-crt-0")).files


def test_what_ships_was_timed_in_one_run() -> None:
    """The same network by other losses costs the same."""
    alike = [cohort_folder("phantom").model(f"lab-{name}-0") for name in ("bce", "focal", "ldam", "crt", "class-aware")]
    took = [training.milliseconds for path in alike if (training := read_model_manifest(path).training)]
    assert len(took) == len(alike) and max(took) == min(took)

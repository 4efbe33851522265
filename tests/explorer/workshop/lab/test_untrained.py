"""Which systems need training, and how many epochs each would take."""

from __future__ import annotations

from pathlib import Path

from explorer.workshop.lab.trained import SCORES_FILE
from explorer.workshop.lab.untrained import untrained_systems


def finish(place: Path, *trainings: str) -> None:
    for name in trainings:
        (place / name).mkdir(parents=True)
        (place / name / SCORES_FILE).touch()


def epochs(run: Path, shipped: Path, seed: int = 0) -> dict[str, int]:
    return {recipe.name: count for recipe, count in untrained_systems(run, seed, shipped)}


def test_a_system_costs_the_epochs_of_every_recipe_that_it_builds_on(tmp_path: Path) -> None:
    found = epochs(tmp_path / "run", tmp_path / "shipped")
    assert found["2026-task1-a"] == 6  # three epochs of one network
    assert found["2026-task1-f"] == 12  # two networks
    assert found["2023-t1"] == 3 + 6 + 6  # its second stage, its student, and the teacher
    assert found["2026-task1-e"] == 6 + 6 + 3  # LDAM, the smaller one, and LDAM's retrained last layer
    assert list(found.values()) == sorted(found.values())


def test_what_the_run_has_costs_nothing_and_what_has_results_is_left_out(tmp_path: Path) -> None:
    run, shipped = tmp_path / "run", tmp_path / "shipped"
    finish(run, "ldam-0", "2026-task1-a-0")
    finish(shipped, "2026-task1-d-0", "2026-task1-c-1")
    found = epochs(run, shipped)
    assert found["2026-task1-e"] == 6 + 3
    assert not {"2026-task1-a", "2026-task1-d"} & found.keys()
    assert "2026-task1-c" in found  # another seed
    assert "2026-task1-c" not in epochs(run, shipped, seed=1) and epochs(run, shipped, seed=1)["2026-task1-e"] == 15

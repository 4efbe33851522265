"""The lab from the command line: every step on a few films, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE, cohort_folder
from explorer.workshop.lab import phantom_splits as splits
from models.training import lab_recipe
from models.training.lab_recipe import recipe_names
from tests.explorer.cli.command import run
from tests.support.wording import Wording, line_with


def test_the_recipes_are_listed_with_who_proposed_them() -> None:
    said = run("lab", "list").stdout
    for name in recipe_names():
        assert f"{name}: " in said
    assert "Cao et al." in said and "Used by 2026 Task 1 E." in said


def test_a_recipe_that_is_not_there_is_refused(tmp_path: Path, wording: Wording) -> None:
    done = run("lab", "train", "magic", "--run", str(tmp_path))
    assert done.exit_code == 2
    wording(line_with(done.stderr, "'magic'").split("The recipes are:")[0])


def test_a_training_is_of_one_recipe_or_of_all_systems(tmp_path: Path) -> None:
    for names in ((), ("bce", "--systems")):
        done = run("lab", "train", *names, "--run", str(tmp_path / "run"))
        assert done.exit_code == 2 and "either a recipe or --systems" in done.stderr
    assert not (tmp_path / "run").exists()


def test_systems_are_listed_with_what_they_need(tmp_path: Path, wording: Wording) -> None:
    assert "2026-task1-a: 2026 Task 1 A (CVMAIL x MIHL): whole; needs a GPU" in run("lab", "systems").stdout
    one = run("lab", "systems", "2026-task1-a").stdout
    assert "ConvNeXtV2-Base" in one and "lab train 2026-task1-a --run RUN" in one
    written = run("lab", "systems", "2026-task1-a", "--write", str(tmp_path)).stdout
    files = {path.name for path in tmp_path.iterdir()}
    assert files == {"2026-task1-a-full.toml", "2026-task1-a-network-full.toml"}
    assert (
        "Wrote" in written
        and "exists and is kept" in run("lab", "systems", "2026-task1-a", "--write", str(tmp_path)).stdout
    )
    refused = run("lab", "systems", "2026-task1-z")
    assert refused.exit_code == 2
    wording(line_with(refused.stderr, "'2026-task1-z'").split("The systems are:")[0])


def test_a_recipe_of_ones_own_is_checked_before_films_are_read(tmp_path: Path) -> None:
    mine, place = tmp_path / "mine.toml", tmp_path / "run"
    for text, why in (
        ('start = "theirs.pth"\n[[stages]]\n', "The start of mine is missing"),
        ('architecture = "vit_small_patch16_224"\nsize = 40\n[[stages]]\nmixup = "much"\n', "mixup of a stage"),
        ("[[stages]\n", "is not a TOML file"),
    ):
        mine.write_text(text)
        done = run("lab", "train", str(mine), "--run", str(place))
        assert done.exit_code == 2 and why in " ".join(done.stderr.split()) and not place.exists()


@pytest.mark.slow
def test_starts_are_compared_with_the_one_that_is_named(wording: Wording) -> None:
    usual, turned = (run("lab", "starts", *words).stdout.splitlines() for words in ((), ("--against", "phantom-20000")))
    assert len(usual) == len(turned) and usual[2].startswith("| `imagenet` | 0 |") and ";" not in usual[2]
    assert turned[2].startswith("| `phantom-20000` | 20,000 | yes |") and ";" not in turned[2]
    assert all(";" in line for line in (*usual[3:], *turned[3:]) if line)
    refused = run("lab", "starts", "--against", "phantom-600")
    assert refused.exit_code == 2
    wording(line_with(refused.stderr, "'phantom-600'"))


@pytest.mark.training
def test_a_few_films_are_rendered_trained_on_and_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setattr(lab_recipe, "DEFAULT_EPOCHS", 2)
    for size in ("FILM_SIZE", "TRAINING_SIZE"):  # small films: how they look is no matter
        monkeypatch.setattr(splits, size, 96)
    few = ("--run", str(tmp_path / "run"), "--few", "40", "--processes", "1")
    trained = run("lab", "train", "bce", *few, "--threads", "1")
    assert trained.exit_code == 0, trained.stderr
    assert "on 20 validation films" in trained.stdout
    scored = run("lab", "score", "bce", *few)
    assert scored.exit_code == 0
    wording(line_with(scored.stdout, "own-bce-0", "20 films", "30 findings"))
    assert {"own-bce-0", "lab-bce-0"} <= set(cohort_folder("phantom").models())
    mine = tmp_path / "mine.toml"
    mine.write_text('architecture = "resnet18"\nstart = "none"\n[[stages]]\nepochs = 1\nloss = { name = "focal" }\n')
    scored = run("lab", "score", str(mine), *few)
    assert scored.exit_code == 0 and "own-mine-0" in scored.stdout, scored.stderr
    compared = run("lab", "compare", "--run", str(tmp_path / "run"))
    assert "| mine | 1 |" in compared.stdout
    assert compared.exit_code == 0 and "| bce | 1 |" in compared.stdout, compared.stderr


def test_a_cohort_that_is_not_there_is_refused_and_not_remembered(tmp_path: Path, wording: Wording) -> None:
    done = run("lab", "train", "bce", "--run", str(tmp_path / "run"), "--cohort", "nowhere")
    assert done.exit_code == 2
    wording(line_with(done.stderr, "'nowhere'"))
    assert not (tmp_path / "run").exists()

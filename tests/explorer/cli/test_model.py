"""`model`: from a weights file to a name that everything else takes."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest
import timm
import torch

from explorer.cohorts.layout import Folder, own_cohorts
from models import load
from models.cards.classifier_card import classifier_card
from models.cards.home import downloads, own_models
from models.cards.registry import own_names, registered_names
from tests.explorer.cli.command import run
from tests.explorer.scoring.cohorts import write_cohort
from tests.explorer.scoring.films import write_films
from tests.support.model_builders import random_film
from tests.support.torchxrayvision_files import write_published
from tests.support.wording import Wording, line_with


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(load, "_classifiers", {})
    return tmp_path / "home"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    model = timm.create_model("resnet18", num_classes=3, in_chans=1)
    file = tmp_path_factory.mktemp("saved") / "r.pth"
    torch.save({"state_dict": {f"module.{name}": each for name, each in model.state_dict().items()}}, file)
    return file


SIGMOID = ("--size", "64", "--function", "sigmoid")


@pytest.fixture
def weights(saved: Path, tmp_path: Path) -> Path:
    """The test's own, to take away."""
    os.link(saved, tmp_path / "r.pth")
    return tmp_path / "r.pth"


def test_a_file_becomes_a_name(weights: Path, wording: Wording) -> None:
    done = run("model", "new", str(weights), "--findings", "Lung Lesion,ILD,Mass", "--name", "mine", *SIGMOID)
    assert done.exit_code == 0, done.stderr
    for words in (
        "mine: resnet18, 64 px, 1 channel, 3 findings",
        "assumed: Architecture resnet18",
        "mean 0.449",
        "No threshold is known for its findings",
        "  python app.py --model mine\n",
        "  python -m explorer score --cohort COHORT --model mine\n",
    ):
        assert words in done.stdout, words
    about = classifier_card("mine")
    assert about.findings == ("Lung Lesion", "ILD", "Mass") and about.title == "resnet18 of r.pth"
    assert own_names() == ("mine",) and "mine" not in registered_names()
    weights.unlink()  # the copy counts
    assert load.classifier("mine", "cpu").score([random_film(90, 90)]).shape == (1, 3)
    checked = run("model", "check", "mine")
    assert checked.exit_code == 0 and "It can be used" in checked.stdout
    wording(line_with(checked.stdout, "in-sample"))
    listed = run("model", "list").stdout
    assert "mine" in listed and "yours" in listed and "downloaded when chosen, 28 MB" in listed


def test_scores_of_the_copy_are_those_of_the_file(weights: Path) -> None:
    assert run("model", "new", str(weights), "--findings", "a,,c", "--name", "mine", *SIGMOID).exit_code == 0
    film = random_film(90, 70)
    by_address = load.classifier(f"{weights}?findings=a,,c&size=64&function=sigmoid", "cpu").score([film])
    np.testing.assert_array_equal(load.classifier("mine", "cpu").score([film]), by_address)
    assert classifier_card("mine").findings == ("a", "c")


def test_a_name_is_not_taken_twice(weights: Path, wording: Wording) -> None:
    words = ("model", "new", str(weights), "--findings", "a,b,c", *SIGMOID)
    assert run(*words, "--name", "mine").exit_code == 0
    again = run(*words, "--name", "mine")
    assert again.exit_code == 2
    wording(again.stderr, "--name", "--replace")
    assert run(*words, "--name", "mine", "--replace").exit_code == 0
    assert "already" in run(*words, "--name", "nih-mini", "--replace").stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "3 outputs"),
        (("--findings", "a,b"), "2 findings are named"),
        (
            ("--findings", "a,b,c", "--architecture", "resnet34", *SIGMOID),
            "resnet18 or",
        ),
        (("--findings", "a,b,c", "--architecture", "resnt18"), "architecture 'resnt18'"),
        (("--findings", "a,b,c"), "--function"),
        (("--findings", "a,b,c", "--mean", "grey"), "'grey'"),
    ],
)
def test_what_is_missing_is_said_and_nothing_is_kept(
    options: tuple[str, ...], words: str, weights: Path, wording: Wording
) -> None:
    done = run("model", "new", str(weights), "--name", "mine", *options)
    assert done.exit_code == 2 and words in done.stderr
    wording(line_with(done.stderr, words))
    assert own_names() == () and not list(own_models().glob("*"))


def test_findings_may_come_from_a_file(weights: Path, tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "labels.txt").write_text("COVID-19\n\nLung Opacity\n", encoding="utf-8")
    done = run("model", "new", str(weights), "--findings", str(tmp_path / "labels.txt"), "--name", "m", *SIGMOID)
    assert done.exit_code == 0, done.stderr
    assert classifier_card("m").findings == ("COVID-19", "Lung Opacity")
    wording(line_with(done.stdout, "2 findings", "1"))


def test_a_hidden_program_is_refused(tmp_path: Path, wording: Wording) -> None:
    class Program:
        def __reduce__(self) -> object:
            return os.system, (f"touch {tmp_path / 'run'}",)

    torch.save({"state_dict": Program()}, tmp_path / "bad.pth")
    done = run("model", "new", str(tmp_path / "bad.pth"), "--findings", "a")
    assert done.exit_code == 2
    wording(line_with(done.stderr, "none of"))
    assert not (tmp_path / "run").exists()


def test_a_file_of_torchxrayvision_is_known_by_its_name(tmp_path: Path, wording: Wording) -> None:
    file = write_published("xrv-rsna", tmp_path / "down")
    done = run("model", "new", str(file))
    assert done.exit_code == 0, done.stderr
    wording(line_with(done.stdout, "xrv-rsna"))
    assert (downloads() / file.name).read_bytes() == file.read_bytes() and own_names() == ()


def test_a_model_without_thresholds_scores_a_cohort_and_takes_chosen_ones(weights: Path, tmp_path: Path) -> None:
    assert run("model", "new", str(weights), "--findings", "Mass,ILD,Nodule", "--name", "m", *SIGMOID).exit_code == 0
    films = write_films(tmp_path / "films", 4)
    write_cohort(Folder(own_cohorts() / "own"), [("north", name) for name in films], tmp_path / "films")
    scored = run("score", "--cohort", "own", "--model", "m", "--device", "cpu")
    assert scored.exit_code == 0, scored.stderr
    before = run("thresholds", "--cohort", "own", "--model", "m")
    assert "Thresholds: none." in before.stdout
    assert re.search(r"^Mass +0 +none", before.stdout, re.MULTILINE)
    chosen = run("thresholds", "--cohort", "own", "--model", "m", "--by-hand", "Mass=0.4, ILD=0.6")
    assert chosen.exit_code == 0, chosen.stderr
    assert "0.4" in chosen.stdout and "ILD" in chosen.stdout


def test_an_own_card_that_is_damaged_is_listed_as_such(weights: Path) -> None:
    own_models().mkdir(parents=True)
    (own_models() / "broken.toml").write_text("kind = ")
    listed = run("model", "list")
    assert listed.exit_code == 0 and "broken" in listed.stdout
    assert "TOML" in line_with(listed.stdout, "broken")

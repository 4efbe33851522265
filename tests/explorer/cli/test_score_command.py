"""`score` and `demo` as commands: what they say, and how they end."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from explorer.cohorts import layout
from explorer.cohorts.layout import Folder, own_cohorts
from explorer.cohorts.manifest import read_manifest
from explorer.cohorts.perturbed_scores import known_levels
from tests.explorer.cli.command import run
from tests.explorer.scoring.cohorts import write_cohort
from tests.explorer.scoring.films import write_films
from tests.support.model_builders import write_model
from tests.support.wording import Wording, line_with


@pytest.fixture
def card(tmp_path: Path) -> str:
    return str(write_model(tmp_path, "resnet10t", name="tiny"))


@pytest.fixture
def cohort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """An own cohort of five films of one center, one of them damaged."""
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))
    names = write_films(tmp_path / "films", 5)
    (tmp_path / "films" / names[3]).write_text("Dear colleague")
    return write_cohort(Folder(own_cohorts() / "own"), [("north", name) for name in names], tmp_path / "films")


def test_it_says_what_was_scored_what_failed_and_what_was_trained_on(
    cohort: Folder, card: str, wording: Wording
) -> None:
    result = run("score", "--cohort", "own", "--model", card, "--device", "cpu")
    assert result.exit_code == 0, result.stderr
    assert len(result.stdout.splitlines()) == 3
    wording(result.stdout.splitlines(), "5", "4 scored", "1 failed", cohort.failures("tiny"))
    assert "5 of 5 films" in result.stderr
    assert "text" in cohort.failures("tiny").read_text()


def test_films_that_moved_are_found_where_images_says(
    cohort: Folder, card: str, tmp_path: Path, wording: Wording
) -> None:
    (tmp_path / "films").rename(tmp_path / "moved")
    words = ("score", "--cohort", "own", "--model", card, "--device", "cpu")
    refused = run(*words)
    assert (refused.exit_code, refused.stdout) == (2, "")
    wording(refused.stderr, "films of own", "--images own=DIR")
    assert run(*words, "--images", f"own={tmp_path / 'moved'}").exit_code == 0


def test_perturbed_films_are_scored_apart_and_the_next_command_is_named(cohort: Folder, card: str) -> None:
    words = ("score", "--cohort", "own", "--model", card, "--device", "cpu", "--perturb")
    result = run(*words, "flip, jpeg")
    assert result.exit_code == 0, result.stderr
    assert "5 films tried at 6 levels, and unchanged" in result.stdout and "1 film failed" in result.stdout
    assert "python -m explorer robustness --cohort own" in result.stdout
    assert run(*words, "jpeg", "--scale", "medmnist-c").exit_code == 0
    assert not cohort.models()
    assert len(known_levels(cohort, "tiny")) == 1 + 6 + 1 + 5


@pytest.mark.parametrize(
    ("words", "sentences"),
    [
        (("sneeze",), ("'sneeze' is no perturbation", "rotation")),
        (("flip", "--scale", "medmnist-c"), ("has no severities of flip", "jpeg")),
        (("dose", "--scale", "medmnist-c"), ("has no severities of dose", "jpeg")),
        (("jpeg,dose",), ("own has films that are not simulated", "dose need a simulated cohort")),
        (("physical",), ("own has films that are not simulated", "projection")),
    ],
)
def test_what_is_no_perturbation_is_refused(
    cohort: Folder, card: str, words: tuple[str, ...], sentences: tuple[str, ...]
) -> None:
    result = run("score", "--cohort", "own", "--model", card, "--perturb", *words)
    assert result.exit_code == 2 and all(sentence in result.stderr for sentence in sentences)


def test_findings_are_inserted_into_films_that_are_labeled_and_have_none(cohort: Folder, card: str) -> None:
    result = run("score", "--cohort", "own", "--model", card, "--device", "cpu", "--insert")
    assert result.exit_code == 2 and "own has no frontal film that is labeled and without findings" in result.stderr


def test_detectability_says_what_is_flagged_or_which_command_scores_it() -> None:
    result = run("detectability", "--cohort", "phantom", "--model", "phantom", "--where", "center=A")
    assert result.exit_code == 0, result.stderr
    assert "Mass, severity 0.6: phantom flags" in result.stdout and "SIMULATED FINDINGS" in result.stdout
    refused = run("detectability", "--cohort", "nih-oof", "--model", "nih-mini")
    assert refused.exit_code == 2 and "score --cohort nih-oof --model nih-mini --insert" in refused.stderr


def test_robustness_of_films_that_were_not_perturbed_is_refused() -> None:
    result = run("robustness", "--cohort", "nih-oof", "--model", "nih-mini", "--resamples", "0")
    assert result.exit_code == 2 and "score --cohort nih-oof --model nih-mini --perturb all" in result.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--cohort", "none", "--model", "nih-mini"), "cohort 'none'"),
        (("--cohort", "own", "--model", "none"), "model 'none'"),
        (("--cohort", "own", "--model", "nih-mini", "--images", "own"), "'own'"),
        (("--cohort", "own", "--model", "nih-mini", "--images", "own=/no/such"), "'/no/such'"),
        (("--cohort", "own", "--model", "nih-mini", "--device", "tpu"), "'tpu'"),
        (("--cohort", "nih-oof", "--model", "nih-mini"), "scores of nih-mini"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_words(
    cohort: Folder, words: tuple[str, ...], sentence: str, wording: Wording
) -> None:
    result = run("score", *words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    wording(line_with(result.stderr, sentence))
    assert not cohort.model("nih-mini").exists()


def test_scores_of_other_weights_are_not_mixed(cohort: Folder, card: str, tmp_path: Path, wording: Wording) -> None:
    assert run("score", "--cohort", "own", "--model", card).exit_code == 0
    (tmp_path / "other").mkdir()
    other = str(write_model(tmp_path / "other", "resnet10t", name="tiny", seed=1))
    result = run("score", "--cohort", "own", "--model", other)
    assert result.exit_code == 2
    wording(line_with(result.stderr, "other scores"))


@pytest.mark.parametrize(
    "name", ["predictions/tiny/part-00000.parquet", "embeddings/tiny/part-00000.parquet", "cases.parquet"]
)
def test_a_damaged_file_is_named(cohort: Folder, card: str, name: str, wording: Wording) -> None:
    assert run("score", "--cohort", "own", "--model", card).exit_code == 0
    file = cohort.path / name
    file.write_bytes(file.read_bytes()[:-20])
    result = run("score", "--cohort", "own", "--model", card)
    assert result.exit_code == 2
    assert f"{name} cannot be read. " in result.stderr
    wording(result.stderr.rpartition(". ")[2], "score the cohort again")


def test_demo_makes_the_shipped_cohort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "CACHE", tmp_path)
    result = run("demo")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "nih-oof: 1,650 cases.")
    assert read_manifest(tmp_path / "nih-oof" / "manifest.json").cases == 1650


def test_demo_says_how_the_other_shipped_cohort_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "CACHE", tmp_path)
    command = "python -m explorer.workshop.shipping.phantom_cohort --run RUN"
    assert command in run("demo").stdout
    assert command in " ".join(run("demo", "--help").stdout.split())
    module, *options = command.removeprefix("python -m ").split()
    source = Path(str(importlib.util.find_spec(module).origin)).read_text(encoding="utf-8")  # type: ignore[union-attr]
    assert f'"{options[0]}"' in source

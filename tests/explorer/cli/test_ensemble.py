"""`ensemble`: a model of the cohort is made, known to `evaluate`, and deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE, Folder
from tests.explorer.cli.command import run
from tests.support.several_models import write_several
from tests.support.small_cohort import NAME
from tests.support.wording import Wording, line_with

KEEP = ("ensemble", "--cohort", NAME, "--name", "pair")
MEMBERS = ("--model", "one", "--model", "two")


@pytest.fixture
def cohort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return write_several(tmp_path / "cohorts", 3, 60).folder


def test_it_is_kept_evaluated_and_deleted(cohort: Folder, wording: Wording) -> None:
    made = run(*KEEP, *MEMBERS, "--mean", "ranks")
    assert made.exit_code == 0
    wording(line_with(made.stdout, "equal weight"))
    assert "Thresholds: Youden's J" in made.stdout
    board = run("evaluate", "--cohort", NAME, "--model", "pair", "--model", "one", "--resamples", "5")
    assert board.exit_code == 0 and "pair" in board.stdout
    gone = run(*KEEP, "--delete")
    assert gone.exit_code == 0 and "pair" not in cohort.models()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--model", "one"), "needs two"),
        ((*MEMBERS, "--delete"), "--delete takes no --model"),
        (("--delete",), "has no ensemble 'pair'"),
        (("--model", "one", "--model", "nobody"), "'nobody' has not scored"),
    ],
)
def test_wrong_words_end_with_2_and_a_sentence(cohort: Folder, words: tuple[str, ...], says: str) -> None:
    done = run(*KEEP, *words)
    assert done.exit_code == 2 and says in " ".join(done.stderr.replace("│", " ").split())
    assert "pair" not in cohort.models()

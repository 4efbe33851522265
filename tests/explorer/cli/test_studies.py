"""`studies`: a study cohort is made, evaluated, renewed and deleted like a cohort; it takes nothing of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE, Folder
from tests.explorer.analysis.studies.test_study_cohort import CUTS, FILMS, STUDIES
from tests.explorer.cli.command import run
from tests.support.small_cohort import MODEL, NAME, write_small
from tests.support.wording import Wording


@pytest.fixture
def cohort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return write_small(tmp_path / "cohorts", FILMS, CUTS)


def test_it_is_made_evaluated_renewed_and_deleted(cohort: Folder, wording: Wording) -> None:
    made = run("studies", NAME)
    assert made.exit_code == 0
    wording(made.stdout)
    board = run("evaluate", "--cohort", STUDIES, "--model", MODEL, "--resamples", "5", "--format", "csv")
    assert board.exit_code == 0 and f"\n{STUDIES}," in board.stdout
    again = run("studies", NAME, "--model", MODEL)
    wording(again.stdout)
    assert run("delete", "--cohort", STUDIES).exit_code == 0
    mean = run("studies", NAME, "--rule", "mean")
    wording(mean.stdout)


def test_it_takes_no_scores_labels_boxes_or_ensembles_of_its_own(
    cohort: Folder, tmp_path: Path, wording: Wording
) -> None:
    assert run("studies", NAME).exit_code == 0
    (tmp_path / "s.csv").write_text("image_id,Mass\na1,0.5\n", encoding="utf-8")
    (tmp_path / "map.toml").write_text('image_id = "image_id"\n', encoding="utf-8")
    table = str(tmp_path / "s.csv")
    for words in (
        ("score", "--cohort", STUDIES, "--model", "nih-mini"),
        ("ingest", "predictions", table, "--model", "ours", "--cohort", STUDIES),
        (
            "ingest",
            "csv",
            "--table",
            table,
            "--columns",
            str(tmp_path / "map.toml"),
            "--out",
            STUDIES,
            "--replace-labels",
        ),
        ("ingest", "boxes", table, "--cohort", STUDIES),
        ("ensemble", "--cohort", STUDIES, "--model", MODEL, "--model", MODEL, "--name", "pair"),
    ):
        refused = run(*words)
        assert refused.exit_code == 2, words
        wording(refused.stderr)


@pytest.mark.parametrize("words", [("nowhere",), (NAME, "--model", "nobody"), (STUDIES,)])
def test_wrong_words_end_with_2_and_a_sentence(cohort: Folder, words: tuple[str, ...], wording: Wording) -> None:
    run("studies", NAME)
    refused = run("studies", *words)
    assert refused.exit_code == 2
    wording(refused.stderr)

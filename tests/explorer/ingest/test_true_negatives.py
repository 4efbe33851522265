"""A film without any of the findings is a film, whichever importer takes it, as it is for `evaluate`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.cohorts import layout
from explorer.ingest.make_cohort import make_cohort
from explorer.ingest.nih import read_nih
from explorer.ingest.report import report_text
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.explorer.cli.command import evaluated, line, run
from tests.explorer.ingest.brought import cases, rows, source_of, written
from tests.support.wording import Wording, line_with

FINDINGS = ("Normal", "Mass", "Nodule")


@pytest.fixture
def trial(tmp_path: Path) -> tuple[str, str]:
    """Files of labels and of scores: 200 films, 104 of them rows of zeros, 10 with nothing but zeros and a blank."""
    dice = np.random.default_rng(16)
    labels: list[list[object]] = []
    for number in range(200):
        if number < 104:
            cells: list[object] = [0, 0, 0]
        elif number < 114:
            cells = [0, "", 0]
        elif number < 140:
            cells = [1, 0, 0]
        else:
            cells = [0, 1, number % 2]
        labels.append([f"f{number}", *cells])
    scores = [[image, *dice.random(3).round(3)] for image, *_ in labels]
    header = ("image_id", *FINDINGS)
    return (
        str(written(tmp_path / "L.csv", rows(header, *labels))),
        str(written(tmp_path / "S.csv", rows(header, *scores))),
    )


def test_ingest_and_evaluate_count_the_same_films(home: Path, trial: tuple[str, str], wording: Wording) -> None:
    labels, scores = trial
    done = run("ingest", "predictions", scores, "--model", "ours", "--labels", labels, "--out", "trial")
    assert done.exit_code == 0, done.stderr
    assert "Cohort trial: 200 films of 200" in done.stdout
    wording(line_with(done.stdout, "114", "10"))
    table = evaluated("--labels", labels, "--scores", scores)
    store = Store(layout.cohort_folders)
    tallies = {each.finding: each for each in store.tally(Slice("trial", "ours"))}
    for finding in FINDINGS:
        here, there = tallies[finding], line(table, finding)
        assert (here.positives, here.positives + here.negatives) == (there["n_positive"], there["n"])
    assert tallies["Mass"].negatives == 130 and tallies["Mass"].unlabelled == 10  # a blank is about its finding alone


def test_rejection_is_an_option_and_what_is_asked_for_is_no_alarm(
    home: Path, trial: tuple[str, str], wording: Wording
) -> None:
    labels, scores = trial
    words = ("--model", "ours", "--labels", labels, "--out", "trial", "--reject-all-zero")
    done = run("ingest", "predictions", scores, *words)
    assert done.exit_code == 0, done.stderr
    assert "Cohort trial: 96 films of 200" in done.stdout
    wording(line_with(done.stdout, "104"))


def test_a_table_keeps_them(home: Path, tmp_path: Path, wording: Wording) -> None:
    text = "id,Normal,Mass\na,0,0\nb,1,0\nc,0,1\nd,0,-1\n"
    report = make_cohort(lambda: source_of(tmp_path, text), "mine")
    assert (report.label_counts.none, report.label_counts.none_but_blanks) == (1, 0)
    wording(line_with(report_text(report), "1", "Mass 1"))


def test_nih_keeps_a_film_with_another_word(home: Path, tmp_path: Path, wording: Wording) -> None:
    table = "file,image_id,patient_id,findings\na.png,a,1,Mass\nb.png,b,2,Scar\nc.png,c,3,No Finding\n"
    written(tmp_path / "labels.csv", table)
    report = make_cohort(lambda: read_nih(tmp_path), "nih")
    assert [case["case"] for case in cases(report.folder)] == ["a", "b", "c"]
    assert report.label_counts.none == 1
    wording(line_with(report.notes, ": 1"))

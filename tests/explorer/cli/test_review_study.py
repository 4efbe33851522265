"""`readers --review`: from the votes of a review to the table of readers and models."""

from __future__ import annotations

import csv
import io
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.metrics.multireader import multireader, readers_against_model
from explorer.school.reviews.review import Vote
from explorer.school.reviews.review_files import opened_review
from explorer.store.store import Store
from explorer.tabular.reader_study import read_reader_study
from tests.explorer.cli.command import run
from tests.explorer.school.reviews.made_reviews import next_id
from tests.explorer.school.reviews.studied_review import FILMS, FINDING, READERS, new_study, read_study
from tests.support.wording import Wording


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))


def rows_of(*words: str) -> list[dict[str, str]]:
    done = run("readers", *words, "--format", "csv")
    assert done.exit_code == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def test_a_review_leads_to_the_table_of_its_votes(tmp_path: Path, wording: Wording) -> None:
    new_study("study")
    truth, ratings = read_study("study")
    assert 3 < truth.sum() < FILMS - 3
    listed = " ".join(run("readers", "--review", "study").stdout.split())
    assert f"{FINDING} {int(truth.sum())} {FILMS - int(truth.sum())} 3 yes" in listed
    files = {name: tmp_path / f"study.{name}" for name in ("imrmc", "csv")}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    rows = rows_of("--review", "study", "--finding", FINDING, *options)
    study = multireader(truth, ratings[None])
    assert (rows[0]["figure"], rows[0]["name"]) == ("mean", "alone")
    assert float(rows[0]["value"]) == pytest.approx(study.areas.mean(), abs=1e-6)
    assert float(rows[0]["standard_error"]) == pytest.approx(study.mean(0).error, abs=1e-6)
    with closing(opened_review("study")) as database, closing(Store()) as store:
        place = {case: number for number, case in enumerate(store.patients("phantom"))}
        films = np.array([place[film.case] for film in database.review.films])
        scores = store.scores("phantom", "phantom", [FINDING], films)[0]
        codes = database.codes
    less = next(row for row in rows if row["figure"] == "model less readers" and row["name"] == "phantom")
    ours = readers_against_model(truth, ratings, scores)
    assert float(less["value"]) == pytest.approx(ours.value, abs=1e-6)
    assert float(less["p"]) == pytest.approx(ours.p, abs=1e-6)
    assert {row["name"] for row in rows} == {"alone", "phantom"}
    others = rows_of("--review", "study", "--finding", FINDING, "--model", "lab-bce-0", "--model", "lab-crt-0")
    assert {row["name"] for row in others} == {"alone", "lab-bce-0", "lab-crt-0"}
    for path in files.values():  # the files say the same, and no code
        assert not [code for code in codes if code in path.read_text(encoding="utf-8")]
        assert rows_of(str(path))[0] == rows[0]
    assert read_reader_study(files["csv"]).readers == ("R1", "R2", "R3")
    shown = run("readers", "--review", "study", "--finding", FINDING).stdout
    wording(shown.partition("AUROC by")[0], "1, certainly absent")


def test_a_reader_who_skips_films_is_left_out_and_listed() -> None:
    new_study("study", "--suggest", "model")
    with closing(opened_review("study")) as database:
        for reader in range(READERS):
            for each in database.readings_of(reader)[: 2 if reader == 2 else None]:
                database.vote(reader, each.place, next_id(), Vote("agree all"))
    shown = " ".join(run("readers", "--review", "study", "--finding", FINDING).stdout.split())
    assert "Left out: 1 reader with too few answers: R3 (2 of 24)" in shown
    assert "Calls alone, 1 or 0, without certainty on most films: R1, R2 and R3." in shown
    assert "suggestions, phantom above its thresholds" in shown and "with suggestions" in shown


def test_readers_are_not_judged_by_their_own_labels(tmp_path: Path, wording: Wording) -> None:
    new_study("study", "--suggest", "labels")
    with closing(opened_review("study")) as database:
        for reader in range(READERS):
            for each in database.readings_of(reader):
                database.vote(reader, each.place, next_id(), Vote("agree all", certainty=3))
    copied = run("review", "release", "study", "--to", "mine", "--source", "three", "--out", str(tmp_path / "out"))
    assert copied.exit_code == 0, copied.output
    with closing(opened_review("study")) as database:
        assert database.releases() == (("mine", "three"),)
    shown = run("readers", "--review", "study", "--finding", FINDING)  # the shipped cohort has the exact truth alone
    assert shown.exit_code == 0 and "readers look better than they are" in " ".join(shown.stdout.split())
    nobody = run("readers", "--review", "study", "--labels", "nobody")
    assert nobody.exit_code == 2
    wording(nobody.stderr)


def test_a_review_of_a_copy_refuses_the_labels_it_released_there(tmp_path: Path, wording: Wording) -> None:
    new_study("first", "--suggest", "labels")
    agree = Vote("agree all")
    with closing(opened_review("first")) as database:
        for reader in range(READERS):
            for each in database.readings_of(reader):
                database.vote(reader, each.place, next_id(), agree)
    run("review", "release", "first", "--to", "mine", "--out", str(tmp_path / "1"))
    asked = ("--finding", FINDING, "--sample", "12", "--repeats", "0")
    assert run("review", "new", "second", "--cohort", "mine", "--model", "phantom", *asked).exit_code == 0
    read_study("second")
    out = ("--out", str(tmp_path / "2"))
    assert run("review", "release", "second", "--source", "three", *out).exit_code == 0
    own = run("readers", "--review", "second", "--labels", "three")
    assert own.exit_code == 2
    wording(own.stderr, "three")
    assert run("readers", "--review", "second").exit_code == 0  # the exact truth counts there, not all sources together


def test_options_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    new_study("study")
    for words in (
        ("--review", "study", "--class", "20261125-141500-3f9a"),
        ("--review", "study", "--cohort", "phantom"),
        ("--labels", "x", str(tmp_path / "a.csv")),
        ("--review", "none"),
        ("--review", "study", "--finding", "Mass"),
        ("--model", "phantom", str(tmp_path / "a.csv")),
    ):
        assert run("readers", *words).exit_code == 2, words
    with closing(opened_review("study")) as database:
        assert (database.review.model, database.review.by_model) == ("phantom", True)
    read_study("study")
    assert run("readers", "--review", "study", "--finding", FINDING, "--model", "nobody").exit_code == 2
    new_study("unread")
    unread = run("readers", "--review", "unread", "--finding", FINDING)
    assert unread.exit_code == 2 and "There is no reader" in unread.stderr

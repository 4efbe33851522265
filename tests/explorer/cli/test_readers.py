"""`readers` on a published study, and on a class."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.metrics.multireader import multireader
from tests.explorer.cli.command import run
from tests.explorer.school.classroom import studied_class
from tests.support.van_dyke import RATINGS, TRUTH


@pytest.fixture
def study(tmp_path: Path) -> Path:
    rows = ["BEGIN DATA:", *(f"-1,{case},0,{truth}" for case, truth in enumerate(TRUTH))]
    for name, by_reader in zip(("spin echo", "cine"), RATINGS, strict=True):
        for reader, ratings in enumerate(by_reader, 1):
            rows += [f"{reader},{case},{name},{rating}" for case, rating in enumerate(ratings)]
    rows += [f"net,{case},network,{rating}" for case, rating in enumerate(RATINGS[1, 3])]
    (tmp_path / "study.imrmc").write_text("\n".join(rows), encoding="utf-8")
    return tmp_path / "study.imrmc"


def test_the_published_difference_and_its_p_are_shown(study: Path) -> None:
    done = run("readers", str(study), "--difference", "0.05")
    assert done.exit_code == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "5 readers and 114 cases, 45 with the finding." in said
    assert "F = 4.48 with 1 and 15.1 degrees of freedom, p 0.051" in said
    assert "cine spin echo +0.044 [0.000, +0.088] 0.051" in said
    assert "network cine +0.059 [" in said, "0.999 less a mean of 0.941"
    assert "5 213" in said and "3 no number is enough" in said


def test_a_file_has_a_row_for_each_figure_and_imrmc_gets_its_own(study: Path, tmp_path: Path) -> None:
    done = run("readers", str(study), "--format", "csv", "--imrmc", str(tmp_path / "again.imrmc"))
    assert done.exit_code == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["figure"] for row in rows] == ["mean"] * 4 + ["difference"] * 2 + ["model less readers"] * 4
    assert float(rows[4]["p"]) == pytest.approx(0.05123303, abs=1e-6) and rows[5]["degrees_of_freedom"] == ""
    assert run("readers", str(tmp_path / "again.imrmc"), "--format", "csv").stdout == done.stdout


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    done = run("readers", str(tmp_path / "none.csv"))
    assert done.exit_code == 2 and "cannot be read" in done.stderr and not done.stdout


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return studied_class.keep(tmp_path / "home" / "classes")


def test_a_class_leads_to_the_table_of_its_file(held: str, tmp_path: Path) -> None:
    listed = run("readers", "--class", held)
    assert listed.exit_code == 0 and "Mass 12 12 5 yes" in " ".join(listed.stdout.split())
    assert "What seeing the model changed" not in listed.stdout, "nobody saw one"
    kept = tmp_path / "home" / "classes" / f"{held}.sqlite"
    assert run("readers", "--class", str(kept)).stdout == listed.stdout
    written = {name: tmp_path / f"class.{name}" for name in ("imrmc", "csv")}
    options = [word for name, path in written.items() for word in (f"--{name}", str(path))]
    done = run("readers", "--class", held, "--finding", "Mass", "--format", "csv", *options)
    assert done.exit_code == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["figure"], row["name"]) for row in rows] == [("mean", "alone")] * 2 + [
        ("model less readers", "net")
    ] * 2
    study = multireader(studied_class.truths(), studied_class.ratings()[None])
    assert float(rows[0]["value"]) == pytest.approx(study.areas.mean(), abs=1e-6)
    assert float(rows[0]["standard_error"]) == pytest.approx(study.mean(0).error, abs=1e-6)
    for path in written.values():
        assert run("readers", str(path), "--format", "csv").stdout == done.stdout


def test_a_file_and_a_class_are_not_one_study(study: Path, held: str) -> None:
    both = ("--class", held, "--cohort", "phantom")
    for words in ((), (str(study), "--class", held), (str(study), "--finding", "Mass"), both):
        assert run("readers", *words).exit_code == 2


def test_a_class_with_a_model_has_two_modalities_and_its_switches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    name = studied_class.keep_with_model(tmp_path / "home" / "classes")
    listed = " ".join(run("readers", "--class", name).stdout.split())
    assert "What seeing the model changed" in listed and "model wrong" in listed
    done = run("readers", "--class", name, "--finding", "Mass", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    study = multireader(studied_class.truths(), [studied_class.ratings(), studied_class.ratings_with_model()])
    (difference,) = [row for row in rows if row["figure"] == "difference" and row["readers"] == "random"]
    found = study.difference(1, 0)
    assert (difference["name"], difference["less"]) == ("with AI", "alone")
    assert float(difference["value"]) == pytest.approx(found.value, abs=1e-6) and found.value > 0
    assert float(difference["p"]) == pytest.approx(found.p, abs=1e-6)

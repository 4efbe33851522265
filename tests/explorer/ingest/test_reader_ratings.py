"""Readers of a cohort's films from a table: what is added, skipped and refused, and what the curves then show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.one_finding.film_readers import cohort_readers
from explorer.cohorts.layout import Folder, NoCohort, cohort_folder, own_cohorts
from explorer.cohorts.reader_ratings import ratings_files
from explorer.ingest.reader_ratings import add_reader_ratings
from explorer.tabular.problems import FailedChecks, WrongInput
from tests.explorer.cli.command import run
from tests.support.small_cohort import NAME, Film, write_small
from tests.support.wording import Wording

HEADER = "reader,case,finding,call,rating"
ROWS = ("R1,a,Mass,1,5", "R1,b,mass,0,2", "R2,a,Mass,,6", "R2,b,Mass,no,", "R1,a,Nodule,yes,")


@pytest.fixture
def cohort(home: Path) -> Folder:
    labels = {"Mass": "present", "Nodule": "absent"}
    films = [Film(case, labels, dict.fromkeys(labels, 0.5)) for case in ("a", "b", "c")]
    return write_small(own_cohorts(), films, {"Mass": 0.5})


def table(path: Path, *rows: str, header: str = HEADER) -> Path:
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return path


def test_readers_are_added_and_found_by_finding(cohort: Folder, tmp_path: Path) -> None:
    done = add_reader_ratings(table(tmp_path / "r.csv", *ROWS, "R3,zz,Mass,1,"), NAME, "two-readers")
    assert (done.opinions, done.readers, done.films) == (5, ("R1", "R2"), 2)
    assert done.findings == {"Mass": 4, "Nodule": 1}
    assert done.notes[0] == "films that the cohort does not have, skipped: 1 ('zz')"
    one, other = cohort_readers(cohort, "Mass", ["b", "a", "c"])
    assert (one.name, other.name) == ("R1, two-readers", "R2, two-readers")
    np.testing.assert_array_equal(one.calls, [0, 1, np.nan])
    np.testing.assert_array_equal(one.ratings, [2, 5, np.nan])
    np.testing.assert_array_equal(other.calls, [0, np.nan, np.nan])
    assert not list(cohort_readers(cohort, "Mass", ["c"])) and not list(cohort_readers(cohort, "Hernia", ["a"]))


def test_ratings_are_calls_from_a_stated_one_on(cohort: Folder, tmp_path: Path) -> None:
    path = table(tmp_path / "r.csv", "R1,a,5", "R1,b,2", "-1,a,1", header="reader,case,rating")
    add_reader_ratings(path, NAME, "r", finding="Mass", present_from=4)
    (found,) = cohort_readers(cohort, "Mass", ["a", "b"])
    np.testing.assert_array_equal(found.calls, [1, 0])


def test_a_reader_studys_own_csv_is_read_with_its_modalities(cohort: Folder, tmp_path: Path) -> None:
    rows = ("-1,small/a,truth,1", "R1,small/a,alone,5", "R1,small/a,with AI,6", "net,small/a,net,0.5")
    path = table(tmp_path / "r.csv", *rows, header="reader,case,modality,rating")
    done = add_reader_ratings(path, NAME, "study", finding="Mass")
    assert done.readers == ("R1, alone", "R1, with AI") and "skipped: 2" in done.notes[0]


def test_the_command_adds_readers_and_a_shipped_cohort_is_not_written_to(home: Path, tmp_path: Path) -> None:
    path = table(tmp_path / "Two Readers.csv", "R1,A-000006,Mass,1,5")
    done = run("readers", str(path), "--cohort", "phantom")
    assert done.exit_code == 0, done.stderr
    assert "1 opinion of 1 reader on 1 film added as two-readers: Mass 1." in done.stdout
    found = ratings_files(cohort_folder("phantom"))["two-readers"]
    assert found.is_relative_to(home)
    listed = run("readers", "--cohort", "phantom").stdout
    assert "two-readers" in listed and "example" in listed and str(found) in "".join(listed.split())


WRONG = {
    "no column of readers": (("a,Mass,1",), "case,finding,call"),
    "nothing said": (("R1,a,Mass,,",), HEADER),
    "no call": (("R1,a,Mass,maybe,",), HEADER),
    "no rating": (("R1,a,Mass,,high",), HEADER),
    "no reader": ((",a,Mass,1,",), HEADER),
    "twice": (("R1,a,Mass,1,", "R1,a,Mass,0,"), HEADER),
    "twice by another word": (("R1,a,Mass,1,", "R1,a,MASS,0,"), HEADER),
    "no such finding": (("R1,a,Masss,1,",), HEADER),
    "no finding": (("R1,a,,1,",), HEADER),
}


@pytest.mark.parametrize(("rows", "header"), WRONG.values(), ids=WRONG)
def test_a_table_that_cannot_be_used_is_refused(
    cohort: Folder, rows: tuple[str, ...], header: str, tmp_path: Path, wording: Wording
) -> None:
    with pytest.raises(WrongInput) as caught:
        add_reader_ratings(table(tmp_path / "r.csv", *rows, header=header), NAME, "r")
    wording(caught.value)
    assert not ratings_files(cohort)


def test_films_of_another_cohort_and_no_cohort_are_refused(cohort: Folder, tmp_path: Path, wording: Wording) -> None:
    path = table(tmp_path / "r.csv", "R1,zz,Mass,1,")
    with pytest.raises(FailedChecks) as caught:
        add_reader_ratings(path, NAME, "r")
    wording(caught.value)
    with pytest.raises(NoCohort):
        add_reader_ratings(path, "nowhere", "r")

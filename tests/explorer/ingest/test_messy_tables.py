"""Imports of tables as people have them: the cohort of the clean table, what was done in a line, and the totals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.cohorts import layout
from explorer.ingest.totals import totals_of
from explorer.tabular.problems import WrongInput
from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import cases, labels, source_of, written
from tests.support.small_cohort import Film, write_small
from tests.support.wording import Wording, line_with

CLEAN = "id,patient,site,Normal,Mass,Effusion\na,p1,Jos,0,1,0\nb,p1,Jos,1,0,0\nc,p2,Köln,0,,1\nd,,Köln,-1,0,0\n"
TOTALS = "  in all    2 patients and 1 film without one, 4 films, 2 centers, 3 positives of 3 findings\n"
MAP = 'image_id = "id"\npatient = "patient"\ncenter = "site"\n'


def ingested(folder: Path, table: str | bytes, *words: str, columns: str = MAP) -> tuple[int, str, str]:
    path, toml = written(folder / "T.csv", table), written(folder / "map.toml", columns)
    done = run("ingest", "csv", "--table", str(path), "--columns", str(toml), "--out", "mine", "--replace", *words)
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("table", "notes"),
    [
        (CLEAN, []),
        (CLEAN.replace(",", ";"), [("T.csv", "semicolons")]),
        (CLEAN.replace("\n", "\r").encode("utf-16"), [("T.csv", "UTF-16")]),
        (
            CLEAN.replace(",-1", ",uncertain").replace(",,1", ",NA,1"),
            [
                ("T.csv", "'uncertain'", "-1", "'Normal'"),
                ("T.csv", "'na'", "blank", "'Mass'", "1 blank"),
            ],
        ),
        (
            "".join(f"{k - 1 if k else ''},{line},,\n" for k, line in enumerate(CLEAN.splitlines())),
            [
                ("T.csv", "2 empty columns"),
                ("T.csv", "column 1"),
            ],
        ),
        (CLEAN + ",,,,,\n,,,,,\n", [("T.csv", "2 rows")]),
    ],
)
def test_the_cohort_is_that_of_the_clean_table(
    home: Path, tmp_path: Path, table: str | bytes, notes: list[tuple[str, ...]], wording: Wording
) -> None:
    assert ingested(tmp_path, CLEAN)[0] == 0
    clean = cases(layout.cohort_folder("mine")), labels(layout.cohort_folder("mine"))
    code, said, _ = ingested(tmp_path, table)
    assert code == 0
    told = [line for line in said.splitlines() if "  note  " in line]
    assert len(told) == len(notes)
    for line, facts in zip(told, notes, strict=True):
        wording(line, *facts)
    assert said.endswith(TOTALS)
    assert (cases(layout.cohort_folder("mine")), labels(layout.cohort_folder("mine"))) == clean


def test_words_in_place_of_one_and_zero(home: Path, tmp_path: Path, wording: Wording) -> None:
    words = {"0": "No", "1": "Yes", "-1": "-1", "": ""}
    rows = [line.split(",") for line in CLEAN.splitlines()]
    table = [rows[0], *([*row[:3], *(words[cell] for cell in row[3:])] for row in rows[1:])]
    code, said, _ = ingested(tmp_path, "".join(",".join(row) + "\n" for row in table))
    assert code == 0 and said.endswith(TOTALS)
    wording(line_with(said, "T.csv", "'yes'", "1", "'no'", "0"))
    assert labels(layout.cohort_folder("mine"))["a", "Mass"] == "present"


def test_patients_that_a_spreadsheet_rounded_group_no_films(tmp_path: Path, wording: Wording) -> None:
    text = "id,patient,study,Mass\na,3.24E+38,s1,1\nb,3.24E+38,s1,0\nc,17,1.2E+05,0\n"
    source = source_of(tmp_path, text, patient="patient", study="study")
    assert [entry.patient for entry in source.entries] == [None, None, "17"]
    assert [entry.study for entry in source.entries] == ["s1", "s1", None]
    assert len(source.notes) == 2
    wording(source.notes, "T.csv", "2 patient", "'3.24E+38'", "1 study", "'1.2E+05'")


def test_images_that_a_spreadsheet_rounded_are_refused(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(WrongInput) as caught:
        source_of(tmp_path, "id,Mass\n1.2E+17,1\n1.2E+17,0\nc,0\n")
    wording(caught.value, "2 image", "'1.2E+17'")


def test_columns_for_the_same_finding_are_read_as_one_and_that_is_said(tmp_path: Path, wording: Wording) -> None:
    source = source_of(tmp_path, "id,Mass,pacemaker,Mass,NSG tube\na,0,1,1,0\n")
    assert len(source.notes) == 2
    wording(source.notes, "T.csv", "'Mass'", "2", "4", "'pacemaker'")


def test_scores_are_found_under_other_names_and_logits_where_that_is_said(
    home: Path, tmp_path: Path, wording: Wording
) -> None:
    ingested(tmp_path, CLEAN)
    scores = written(tmp_path / "S.csv", "image_id;Mass;Effusion\nx/a.png;-1,5;2\nx/c.png;0,25;-3\n")
    points = written(tmp_path / "P.csv", "finding;threshold\nMass;0,3\nEffusion;0,5\n")
    command = ("ingest", "predictions", str(scores), "--model", "ours", "--cohort", "mine")
    refused = run(*command)
    assert refused.exit_code == 1
    wording(line_with(refused.stderr, "--logits"))
    done = run(*command, "--logits", "--operating-points", str(points))
    assert done.exit_code == 0, done.stderr
    assert len([line for line in done.stdout.splitlines() if "  note  " in line or "  in all  " in line]) == 8
    wording(
        [line for line in done.stdout.splitlines() if "  note  " in line or "  in all  " in line],
        "S.csv",
        "2 numbers",
        "1",
        "P.csv",
        "'x/a.png'",
    )
    (part,) = layout.cohort_folder("mine").predictions("ours").iterdir()
    said = {(row["case"], row["finding"]): row["score"] for row in pq.read_table(part).to_pylist()}
    expected = {("a", "Mass"): -1.5, ("c", "Mass"): 0.25, ("a", "Pleural Effusion"): 2, ("c", "Pleural Effusion"): -3}
    assert said == {pair: np.float32(1 / (1 + np.exp(-logit))) for pair, logit in expected.items()}


def test_totals_count_a_pair_once_and_not_where_sources_differ(tmp_path: Path, wording: Wording) -> None:
    films = [
        Film("a", {"Mass": "present", "Nodule": "present"}, others={"two": {"Mass": "present", "Nodule": "absent"}}),
        Film("b", {"Mass": "present", "Nodule": "absent"}, others={"two": {"Mass": "unknown"}}, patient="p"),
        Film("c", {"Mass": "uncertain"}, patient="p", center="South"),
    ]
    folder = write_small(tmp_path, films, {})
    wording(str(totals_of(folder)), "1 patient", "1 film", "3 films", "2 centers", "2 positives")
    wording(str(totals_of(folder, ["a"])), "1 film", "1 center", "1 positive", "2 findings")
    wording(str(totals_of(folder, [])), "0 films")


def test_totals_of_the_phantom_are_those_of_the_source_that_counts() -> None:
    """Against a plain loop over the phantom's labels, of which one source counts."""
    folder = layout.cohort_folder("phantom")
    films = pq.read_table(folder.cases, columns=["case", "patient", "center"]).to_pylist()
    some = {film["case"] for film in films[::3]}
    rows = pq.read_table(folder.labels).to_pylist()
    counted = {"the simulator: exact"}
    present = {
        (row["case"], row["finding"])
        for row in rows
        if row["label"] == "present" and row["source"] in counted and row["case"] in some
    }
    found = totals_of(folder, some)
    assert (found.films, found.positives, found.centers) == (len(some), len(present), 2)
    assert found.patients == len({film["patient"] for film in films if film["case"] in some})
    assert totals_of(folder).films == len(films)

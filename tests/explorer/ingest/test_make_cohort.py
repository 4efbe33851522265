"""From a table and its films to a cohort on disk."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.cohorts import layout
from explorer.cohorts.images import Images
from explorer.cohorts.layout import NoCohort
from explorer.cohorts.manifest import read_manifest
from explorer.cohorts.schema import CASES, LABEL_ROWS
from explorer.ingest.entries import ABSENT, PRESENT, ImportSource, LabelMarks, SourceMarks
from explorer.ingest.make_cohort import IngestReport, make_cohort
from explorer.ingest.report import report_text
from explorer.tabular.problems import FailedChecks
from tests.explorer.ingest.brought import cases, film, labels, png, rejected, source_of, written

TABLE = """\
id,file,center,view,Normal,Mass,Nodule
007,a.png,Köln,PA,0,1,
7,b.png,Köln,L,1,0,-1
twin,c.png,Köln,PA,1,0,0
both,a.png,Köln,PA,1,1,0
gone,d.png,Köln,PA,1,0,0
dark,e.png,Köln,PA,1,0,0
text,f.png,Köln,PA,1,0,0
far,g.png,Jos,AP,0,0,1
"""


@pytest.fixture
def films(tmp_path: Path) -> Path:
    root = tmp_path / "films"
    for name, seed in {"a.png": 1, "b.png": 2, "c.png": 1, "sub/g.png": 3}.items():
        written(root / name, film(seed))
    written(root / "e.png", png(np.zeros((256, 256), np.uint8)))
    written(root / "f.png", "Dear colleague")
    return root


def made(tmp_path: Path, films: Path | None, blank: str = "unknown", **options: bool) -> IngestReport:
    columns = {"file": "file", "center": "center", "view": "view"}
    return make_cohort(lambda: source_of(tmp_path, TABLE, blank, **columns), "mine", films, **options)


def test_what_is_written(home: Path, tmp_path: Path, films: Path) -> None:
    report = made(tmp_path, films)
    folder = layout.cohort_folder("mine")
    assert report.folder == folder and folder.path == home / "cohorts" / "mine"
    said = [(case["case"], case["center"], case["view"], case["root"], case["file"]) for case in cases(folder)]
    assert said == [
        ("007", "Köln", "PA", "mine", "a.png"),
        ("7", "Köln", "lateral", "mine", "b.png"),
        ("far", "Jos", "AP", "mine", "sub/g.png"),
    ]
    assert labels(folder) == {
        ("007", "Normal"): "absent",
        ("007", "Mass"): "present",
        ("7", "Normal"): "present",
        ("7", "Mass"): "absent",
        ("7", "Nodule"): "uncertain",
        ("far", "Normal"): "absent",
        ("far", "Mass"): "absent",
        ("far", "Nodule"): "present",
    }
    assert rejected(folder) == [
        ("4", "twin", "the same bytes again: as 007; its labels differ, those of 007 count"),
        ("5", "both", "Normal and a finding: Mass"),
        ("6", "gone", "no such image: d.png"),
        ("7", "dark", "a blank image: every pixel the same"),
        ("8", "text", "not a readable film: This is a text file, not a film"),
    ]
    assert sorted(path.name for path in folder.path.iterdir()) == [
        "cases.parquet",
        "labels.parquet",
        "manifest.json",
        "rejects.csv",
        "roots.json",
    ]


def test_files_have_their_schemas(home: Path, tmp_path: Path, films: Path) -> None:
    folder = made(tmp_path, films).folder
    assert pq.read_schema(folder.cases).equals(CASES)
    assert pq.read_schema(folder.labels).equals(LABEL_ROWS)


def test_the_films_are_found_again(home: Path, tmp_path: Path, films: Path) -> None:
    folder = made(tmp_path, films).folder
    images = Images({}, lambda: [folder])
    assert images.path("mine", "sub/g.png") == films / "sub" / "g.png"


def test_the_manifest_and_the_report(home: Path, tmp_path: Path, films: Path) -> None:
    report = made(tmp_path, films, "absent")
    manifest = read_manifest(report.folder.manifest)
    assert manifest == report.manifest
    assert (manifest.name, manifest.title, manifest.source, manifest.cases) == ("mine", "T", "T.csv", 3)
    assert manifest.labelled and manifest.blank.startswith("absent") and manifest.roots == ("mine",)
    assert manifest.counts == {
        "taken": 3,
        "Normal and a finding": 1,
        "no such image": 1,
        "not a readable film": 1,
        "a blank image: every pixel the same": 1,
        "the same bytes again": 1,
    }
    assert report.said.labels == {"present": 3, "absent": 5, "uncertain": 1}
    assert report.said.findings == {"Normal": 1, "Mass": 1, "Nodule": 1}
    assert report.said.none == 0
    text = report_text(report)
    assert text.startswith(f"Cohort mine: 3 films of 8, version {manifest.version}\n  centers   Köln 2, Jos 1\n")
    assert "no such image 1" in text and str(report.folder.rejects) in text


def test_labels_of_several_sources(home: Path, tmp_path: Path) -> None:
    def read() -> ImportSource:
        source = source_of(tmp_path, "id,Mass,Nodule\na,1,0\nb,1,\n")
        first, second = source.entries
        source.entries = [first, dataclasses.replace(second, labelled_by="a reader")]
        source.more_marks = [
            SourceMarks("a", "a reader", LabelMarks(bytes([ABSENT]))),
            SourceMarks("gone", "a reader", LabelMarks(bytes([PRESENT]))),
        ]
        source.default_source = "a reader"
        return source

    report = make_cohort(read, "mine")
    rows = pq.read_table(report.folder.labels).to_pylist()
    assert {(row["case"], row["finding"], row["source"]): row["label"] for row in rows} == {
        ("a", "Mass", "labels of T.csv"): "present",
        ("a", "Nodule", "labels of T.csv"): "absent",
        ("a", "Mass", "a reader"): "absent",
        ("b", "Mass", "a reader"): "present",
    }
    assert report.manifest.default_source == "a reader" and report.said.findings == {"Mass": 2, "Nodule": 0}


def test_patients_and_studies_are_counted(home: Path, tmp_path: Path) -> None:
    text = "id,p,s,Mass\na,1,x,1\nb,1,y,1\nc,,y,0\n"
    report = make_cohort(lambda: source_of(tmp_path, text, patient="p", study="s"), "mine")
    assert (report.totals.patients, report.totals.studies) == (1, 2)
    assert report_text(report).splitlines()[-1] == (
        "  in all    1 patient and 1 film without one, 2 studies, 3 films, center not stated, 2 positives of 1 finding"
    )
    bare = make_cohort(lambda: source_of(tmp_path, "id,Mass\na,0\n"), "bare")
    assert report_text(bare).splitlines()[-1] == (
        "  in all    patients not stated, 1 film, center not stated, 0 positives of 1 finding"
    )


def test_the_version_is_that_of_cases_and_labels(home: Path, tmp_path: Path, films: Path) -> None:
    first = made(tmp_path, films).manifest.version
    assert made(tmp_path, films, replace=True).manifest.version == first
    assert made(tmp_path, films, "absent", replace=True).manifest.version != first


def test_without_films_every_row_that_can_be_used_is_a_case(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path, None).folder
    assert [case["case"] for case in cases(folder)] == ["007", "7", "twin", "gone", "dark", "text", "far"]
    assert cases(folder)[0]["file"] == "a.png"  # the page says which film it would show
    assert not (folder.path / "roots.json").exists()


def test_a_cohort_of_nothing_is_refused_and_leaves_nothing(home: Path, tmp_path: Path) -> None:
    with pytest.raises(
        FailedChecks, match="No image is left .* a cell that is not a label 1. The first: 'a'"
    ) as refused:
        make_cohort(lambda: source_of(tmp_path, "id,Mass\na,2\n"), "mine")
    assert "Mass: '2' is not 1, 0, -1 or blank" in str(refused.value)
    assert "mine" not in [folder.name for folder in layout.cohort_folders()]


def test_the_name_of_the_simulated_films_cannot_be_taken(home: Path, tmp_path: Path) -> None:
    with pytest.raises(NoCohort, match="simulated films"):
        make_cohort(lambda: source_of(tmp_path, "id,Mass\na,1\n"), "phantom")


def test_names_that_are_not_ascii_go_through(home: Path, tmp_path: Path) -> None:
    text = "id,Mass\n東京-1,1\nΩ,0\n"
    folder = make_cohort(lambda: source_of(tmp_path, text, center_name="Århus"), "mine").folder
    assert labels(folder) == {("東京-1", "Mass"): "present", ("Ω", "Mass"): "absent"}
    assert {case["center"] for case in cases(folder)} == {"Århus"}


def test_many_centers_and_a_huge_identifier_are_text(home: Path, tmp_path: Path) -> None:
    text = "id,Mass,c\n" + "".join(f"{'9' * 400}{n},1,center {n}\n" for n in range(300))
    folder = make_cohort(lambda: source_of(tmp_path, text, center="c"), "mine").folder
    assert len({case["center"] for case in cases(folder)}) == 300
    assert cases(folder)[7]["case"] == "9" * 400 + "7"


def test_the_report_names_words_that_are_no_finding(home: Path, tmp_path: Path) -> None:
    words = "|".join(f"word {n}" for n in range(20))
    report = make_cohort(lambda: source_of(tmp_path, f"id,f\na,Mass|{words}\nb,word 7\n", findings="f"), "mine")
    assert any(
        "not used: 'word 7' (2), " in note
        and note.endswith("and 12 more; all of them, and how often, in unused-words.csv")
        and "'word 0', " in note
        for note in report.notes
    )
    assert dataclasses.replace(report.manifest, counts={}).cases == 2


def test_the_example_is_of_the_most_frequent_reason(home: Path, tmp_path: Path) -> None:
    source = source_of(tmp_path, "id,Mass\n,1\nx,1\ny,0\n")
    with pytest.raises(FailedChecks, match="no identifier 1; no such image 2. The first: 'x', no such image"):
        make_cohort(lambda: source, "mine", tmp_path)

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
from explorer.ingest.rejects import RejectReason
from explorer.ingest.report import report_text
from explorer.tabular.problems import FailedChecks
from tests.explorer.ingest.brought import cases, film, labels, png, rejected, source_of, written
from tests.support.wording import Wording, line_with

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


def test_what_is_written(home: Path, tmp_path: Path, films: Path, wording: Wording) -> None:
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
    told = rejected(folder)
    assert [(line, image, reason.partition(": as")[0].partition(": This")[0]) for line, image, reason in told] == [
        ("4", "twin", RejectReason.SAME_BYTES),
        ("5", "both", f"{RejectReason.NORMAL_AND_FINDING}: Mass"),
        ("6", "gone", f"{RejectReason.MISSING}: d.png"),
        ("7", "dark", RejectReason.BLANK),
        ("8", "text", RejectReason.UNREADABLE),
    ]
    wording([reason for *_, reason in told], "as 007")
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
        RejectReason.NORMAL_AND_FINDING: 1,
        RejectReason.MISSING: 1,
        RejectReason.UNREADABLE: 1,
        RejectReason.BLANK: 1,
        RejectReason.SAME_BYTES: 1,
    }
    assert report.label_counts.labels == {"present": 3, "absent": 5, "uncertain": 1}
    assert report.label_counts.findings == {"Normal": 1, "Mass": 1, "Nodule": 1}
    assert report.label_counts.none == 0
    text = report_text(report)
    assert text.startswith(f"Cohort mine: 3 films of 8, version {manifest.version}\n") and "Köln 2, Jos 1\n" in text
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
    assert report.manifest.default_source == "a reader" and report.label_counts.findings == {"Mass": 2, "Nodule": 0}


def test_patients_and_studies_are_counted(home: Path, tmp_path: Path, wording: Wording) -> None:
    text = "id,p,s,Mass\na,1,x,1\nb,1,y,1\nc,,y,0\n"
    report = make_cohort(lambda: source_of(tmp_path, text, patient="p", study="s"), "mine")
    assert (report.totals.patients, report.totals.studies) == (1, 3)  # y of a patient, and of none
    wording(report_text(report).splitlines()[-1], "1 patient", "1 film", "3 studies", "3 films", "2 positives")
    bare = make_cohort(lambda: source_of(tmp_path, "id,Mass\na,0\n"), "bare")
    wording(report_text(bare).splitlines()[-1], "1 film", "0 positives", "1 finding")


def test_the_version_is_that_of_cases_and_labels(home: Path, tmp_path: Path, films: Path) -> None:
    first = made(tmp_path, films).manifest.version
    assert made(tmp_path, films, replace=True).manifest.version == first
    assert made(tmp_path, films, "absent", replace=True).manifest.version != first


def test_without_films_every_row_that_can_be_used_is_a_case(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path, None).folder
    assert [case["case"] for case in cases(folder)] == ["007", "7", "twin", "gone", "dark", "text", "far"]
    assert cases(folder)[0]["file"] == "a.png"  # the page says which film it would show
    assert not (folder.path / "roots.json").exists()


def test_a_cohort_of_nothing_is_refused_and_leaves_nothing(home: Path, tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(FailedChecks) as refused:
        make_cohort(lambda: source_of(tmp_path, "id,Mass\na,2\n"), "mine")
    wording(refused.value, "1", "'a'")
    wording(refused.value, "'2'", "1", "0", "-1")
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


def test_the_report_names_words_that_are_no_finding(home: Path, tmp_path: Path, wording: Wording) -> None:
    words = "|".join(f"word {n}" for n in range(20))
    report = make_cohort(lambda: source_of(tmp_path, f"id,f\na,Mass|{words}\nb,word 7\n", findings="f"), "mine")
    wording(line_with(report.notes, "'word 7'", "2", "12", "unused-words.csv", "'word 0'"))
    assert dataclasses.replace(report.manifest, counts={}).cases == 2


def test_the_example_is_of_the_most_frequent_reason(home: Path, tmp_path: Path, wording: Wording) -> None:
    source = source_of(tmp_path, "id,Mass\n,1\nx,1\ny,0\n")
    with pytest.raises(FailedChecks) as caught:
        make_cohort(lambda: source, "mine", tmp_path)
    wording(caught.value, "1", "2", "'x'")

"""MIMIC-CXR-JPG and the label files of CXR-LT, small: nobody may pass the real tables on."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts.parquet_files import read_table
from explorer.ingest.blank_labels import Blank
from explorer.ingest.datasets.wanted import CxrLtTask, ImportOptions
from explorer.tabular.problems import WrongInput
from tests.explorer.ingest.brought import cases, labels
from tests.explorer.ingest.datasets.conftest import Imported
from tests.explorer.ingest.datasets.samples import CHEXPERT_LABELS, cxrlt_mimic, rows
from tests.support.wording import Wording, line_with


def test_films_take_the_labels_of_their_study(imported: Imported) -> None:
    report = imported("mimic")
    first, second, *_ = cases(report.folder)
    assert (first["case"], first["patient"], first["study"], first["split"]) == (
        "aa-1",
        "10000032",
        "50414267",
        "train",
    )
    assert first["file"] == "files/p10/p10000032/s50414267/aa-1.jpg"
    assert (first["view"], second["view"], first["width"], first["height"]) == ("PA", "lateral", 2544, 3056)
    said = labels(report.folder)
    for film in ("aa-1", "aa-2"):
        assert said[film, "Normal"] == "present" and said[film, "Edema"] == "absent"
        assert (film, "Support Devices") not in said
    assert said["bb-1", "Edema"] == "present" and said["bb-1", "Pneumonia"] == "uncertain"
    assert said["bb-1", "Fracture"] == "absent" and said["bb-1", "Normal"] == "absent"
    assert report.manifest.blank.startswith("unknown")


@pytest.mark.parametrize("blank", ["unknown", "absent"])
def test_a_study_without_labels_has_none_whatever_a_blank_means(
    imported: Imported, blank: str, wording: Wording
) -> None:
    report = imported("mimic", ImportOptions(blank=blank))
    assert not [film for film, _ in labels(report.folder) if film == "cc-1"]
    wording(line_with(report.notes, "mimic-cxr-2.0.0-chexpert.csv.gz", ": 1"))


def test_negbio_and_a_missing_split(imported: Imported) -> None:
    def unsplit(root: Path) -> None:
        (root / "mimic-cxr-2.0.0-split.csv.gz").unlink()
        (root / "mimic-cxr-2.0.0-chexpert.csv.gz").unlink()

    report = imported("mimic", ImportOptions(labeler="negbio"), unsplit)
    assert "by negbio" in report.manifest.source
    assert any("films have no split" in note for note in report.notes)


@pytest.mark.parametrize("blank", ["unknown", "absent"])
def test_the_radiologists_labels_of_the_test_set_are_a_second_source(
    imported: Imported, blank: Blank, wording: Wording
) -> None:
    def labeled(root: Path) -> None:
        names = ["study_id", *("Airspace Opacity" if name == "Lung Opacity" else name for name in CHEXPERT_LABELS)]
        said = {"Edema": "0.0", "Lung Opacity": "1.0", "Pneumonia": "-1.0"}
        told = rows(names, ["57375967", *(said.get(name, "") for name in CHEXPERT_LABELS)], ["99", *[""] * 14], ["1"])
        (root / "mimic-cxr-2.1.0-test-set-labeled.csv").write_text(told)

    report = imported("mimic", ImportOptions(blank=blank), labeled)
    by = {
        (row["case"], row["finding"], row["source"]): row["label"]
        for row in read_table(report.folder.labels).to_pylist()
    }
    labeler, reader = "MIMIC-CXR, chexpert labeler of reports", "MIMIC-CXR, radiologist's labels of reports"
    assert by["bb-1", "Edema", labeler] == "present" and by["bb-1", "Edema", reader] == "absent"
    assert by["bb-1", "Lung Opacity", reader] == "present" and by["bb-1", "Pneumonia", reader] == "uncertain"
    assert by["bb-1", "Normal", reader] == "absent"
    assert by.get(("bb-1", "Cardiomegaly", reader)) == (None if blank == "unknown" else "absent")
    assert {case for case, _, source in by if source == reader} == {"bb-1"}
    assert report.manifest.default_source == labeler
    wording(line_with(report.notes, "radiologist", ": 1"))
    assert sum(report.rejected.values()) == 1, "the row with one cell"


@pytest.mark.parametrize(
    ("task", "present", "source"),
    [
        (2, {("aa-1", "Mass"), ("aa-1", "Hernia"), ("bb-1", "Hernia")}, "CXR-LT, reports read by people"),
        (3, {("aa-1", "Hilum"), ("aa-1", "Osteopenia"), ("bb-1", "Osteopenia")}, "CXR-LT, mined from reports"),
    ],
)
def test_label_files_of_the_other_tasks_of_2024(
    imported: Imported, tmp_path: Path, task: CxrLtTask, present: set[tuple[str, str]], source: str
) -> None:
    cxrlt_mimic(tmp_path / "release", 2024)  # whose files of the first task and of training are not read
    cxrlt_mimic(tmp_path / "release", 2024, task)
    report = imported("mimic", ImportOptions(cxr_lt=tmp_path / "release", cxr_lt_task=task))
    said = labels(report.folder)
    assert {pair for pair, label in said.items() if label == "present"} == present
    assert {row["source"] for row in read_table(report.folder.labels).to_pylist()} == {source}
    assert {(case["case"], case["split"]) for case in cases(report.folder)} == {("aa-1", "test"), ("bb-1", "validate")}


def test_a_release_without_the_task_names_its_files(imported: Imported, tmp_path: Path) -> None:
    cxrlt_mimic(tmp_path / "release", 2024)
    with pytest.raises(WrongInput, match=r"test_labeled_task3\.csv"):
        imported("mimic", ImportOptions(cxr_lt=tmp_path / "release", cxr_lt_task=3))


@pytest.mark.parametrize(
    ("year", "present"),
    [
        (2023, {("aa-1", "Calcification of the Aorta"), ("aa-1", "Tortuous Aorta"), ("bb-1", "Tortuous Aorta")}),
        (2024, {("aa-1", "Tuberculosis"), ("aa-1", "Round Atelectasis"), ("bb-1", "Round Atelectasis")}),
    ],
)
def test_label_files_of_cxr_lt(imported: Imported, tmp_path: Path, year: int, present: set[tuple[str, str]]) -> None:
    cxrlt_mimic(tmp_path / "release", year)
    report = imported("mimic", ImportOptions(cxr_lt=tmp_path / "release"))
    said = labels(report.folder)
    assert {pair for pair, label in said.items() if label == "present"} == present
    assert [(case["case"], case["split"], case["view"]) for case in cases(report.folder)] == [
        ("aa-1", "train", "PA"),
        ("bb-1", "validate", "AP"),
    ]

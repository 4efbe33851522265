"""REVEAL-CXR: rows are found again by what its films are called."""

from __future__ import annotations

from explorer.ingest.datasets.wanted import ImportOptions
from tests.explorer.ingest.brought import cases, labels, rejected
from tests.explorer.ingest.datasets.conftest import Imported
from tests.support.wording import Wording, line_with


def test_films_take_the_labels_of_their_study(imported: Imported) -> None:
    report = imported("reveal")
    films = {str(case["case"]): case for case in cases(report.folder)}
    assert set(films) == {"dicom/one.dcm", "dicom/two.dcm", "dicom/study-2/x.dcm"}
    one, two = films["dicom/one.dcm"], films["dicom/two.dcm"]
    assert (one["view"], one["age"], two["view"]) == ("PA", 61, "lateral")
    assert one["study"] == two["study"] == "study-1"
    said = labels(report.folder)
    assert said["dicom/two.dcm", "Cardiomegaly"] == "present"
    assert said["dicom/study-2/x.dcm", "Cardiomegaly"] == "absent"


def test_what_has_no_counterpart_is_counted(imported: Imported, wording: Wording) -> None:
    report = imported("reveal")
    assert rejected(report.folder) == [("4", "study-3", "no such image: study-3")]
    wording(line_with(report.notes, "labels.csv", ": 1"))


def test_labels_alone_are_by_row(imported: Imported) -> None:
    report = imported("reveal", ImportOptions(labels_only=True))
    assert [case["case"] for case in cases(report.folder)] == ["study-1", "study-2", "study-3"]
    assert report.label_counts.findings["Pneumothorax"] == 1

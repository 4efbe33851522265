"""RSNA: the real tables of the torchxrayvision wheel, and the download small."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from explorer.ingest.datasets.importing import import_dataset
from explorer.ingest.datasets.wanted import ImportOptions
from tests.explorer.ingest.brought import cases, labels, wheel, written
from tests.explorer.ingest.datasets.conftest import Imported
from tests.support.wording import Wording, line_with


def test_a_film_is_one_however_many_boxes_it_has(imported: Imported) -> None:
    report = imported("rsna")
    assert labels(report.folder) == {
        ("p-1", "Lung Opacity"): "absent",
        ("p-1", "Normal"): "present",
        ("p-2", "Lung Opacity"): "present",
        ("p-2", "Normal"): "absent",
        ("p-3", "Lung Opacity"): "absent",
        ("p-3", "Normal"): "absent",
    }
    boxes = pq.read_table(report.folder.boxes).to_pylist()
    sides = [[1024 * box[side] for side in ("x", "y", "width", "height")] for box in boxes]
    assert sides == [[264, 152, 213, 379], [562, 152, 256, 453]] and {box["case"] for box in boxes} == {"p-2"}
    first = cases(report.folder)[0]
    assert (first["view"], first["sex"], first["age"], first["center"]) == ("PA", "F", 58, "NIH")


def test_without_classes_a_film_may_be_normal_or_not(imported: Imported, wording: Wording) -> None:
    report = imported("rsna", change=lambda root: (root / "stage_2_detailed_class_info.csv").unlink())
    said = labels(report.folder)
    assert said["p-2", "Normal"] == "absent" and ("p-1", "Normal") not in said
    wording(line_with(report.notes, "Normal"))


def test_the_real_tables(home: Path, tmp_path: Path) -> None:
    """26,684 films without the films; views, sex and age of the table of headers."""
    for name in ("kaggle_stage_2_train_labels.csv.zip", "kaggle_stage_2_train_images_dicom_headers.csv.gz"):
        written(tmp_path / name.removeprefix("kaggle_"), wheel(name).read_bytes())
    report = import_dataset("rsna", tmp_path, ImportOptions(labels_only=True), "rsna")
    assert report.manifest.cases == 26_684 and report.boxes == 9_555
    assert report.label_counts.findings["Lung Opacity"] == 6_012
    assert report.views == {"PA": 14_511, "AP": 12_173}

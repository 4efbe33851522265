"""A folder of films without labels, and two centers in one table."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.ingest.columns import ColumnMap
from explorer.ingest.folder import read_folder
from explorer.ingest.label_table import read_label_table
from explorer.ingest.make_cohort import make_cohort
from explorer.ingest.rejects import RejectReason
from explorer.tabular.problems import WrongInput
from tests.explorer.ingest.brought import cases, film, rejected, rows, written
from tests.support.wording import Wording


def test_every_film_is_a_case_named_by_its_path(home: Path, tmp_path: Path, wording: Wording) -> None:
    root = tmp_path / "films"
    for seed, name in enumerate(("a.png", "sub/a.png", "sub/1.2.840.1", "Ä.png", ".thumb.png", ".cache/b.png")):
        written(root / name, film(seed))
    written(root / "notes.txt", "call back")
    report = make_cohort(lambda: read_folder(root, "Köln"), "films", root)
    said = [(case["case"], case["file"], case["center"], case["view"]) for case in cases(report.folder)]
    names = ["a.png", "sub/1.2.840.1", "sub/a.png", "Ä.png"]
    assert said == [(name, name, "Köln", "unknown") for name in names]
    ((line, image, reason),) = rejected(report.folder)
    assert (line, image) == ("", "notes.txt")
    wording(reason, RejectReason.UNREADABLE, "text")
    assert not report.manifest.labelled and report.manifest.blank == "no labels"
    assert pq.read_metadata(report.folder.labels).num_rows == 0


def test_a_name_that_is_no_text_is_a_reject(home: Path, tmp_path: Path, wording: Wording) -> None:
    root = tmp_path / "films"
    written(root / "a.png", film(0))
    written(Path(os.fsdecode(os.fsencode(root) + b"/M\xfcller.png")), film(1))
    report = make_cohort(lambda: read_folder(root), "films", root)
    ((_, image, reason),) = rejected(report.folder)
    assert image == r"M\udcfcller.png"
    wording(reason, RejectReason.UNREADABLE, "UTF-8")


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match="is not a folder"):
        read_folder(tmp_path / "none")


@pytest.mark.shared
def test_hannover_is_a_cohort_without_labels(home: Path, shared: Path) -> None:
    root = shared / "data" / "hannover"
    columns = ColumnMap(image_id="image_id", file="file", patient="patient_id", center="center", view="view", sex="sex")
    report = make_cohort(lambda: read_label_table(root / "labels.csv", columns, "unknown"), "hannover", root)
    assert (report.manifest.cases, report.manifest.labelled, report.rejected) == (183, False, {})
    assert report.views == {"AP": 147, "PA": 36}
    assert report.centers == {"Hannover": 183}


@pytest.mark.shared
def test_two_centers_of_which_one_has_labels_are_one_cohort(
    home: Path, tmp_path: Path, shared: Path, wording: Wording
) -> None:
    lines = []
    for name, center in (("nih_cxr14", "NIH"), ("hannover", "Hannover")):
        with (shared / "data" / name / "labels.csv").open(encoding="utf-8", newline="") as file:
            lines += [
                (row["image_id"], f"{name}/{row['file']}", center, row["view"], row.get("findings", ""))
                for row in csv.DictReader(file)
            ]
    table = written(tmp_path / "T.csv", rows(("image_id", "file", "center", "view", "findings"), *lines))
    columns = ColumnMap(image_id="image_id", file="file", center="center", view="view", findings="findings")
    report = make_cohort(lambda: read_label_table(table, columns, "absent"), "two", shared / "data")
    assert report.centers == {"NIH": 1649, "Hannover": 183}
    labelled = set(pq.read_table(report.folder.labels)["case"].to_pylist())
    assert labelled == {case["case"] for case in cases(report.folder) if case["center"] == "NIH"}
    assert len(report.notes) == 1
    wording(report.notes, "183")

"""PadChest-GR, small, as its loaders read it."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.tabular.problems import WrongInput
from tests.explorer.ingest.brought import cases, labels, written
from tests.explorer.ingest.datasets.conftest import Imported
from tests.support.wording import Wording, line_with


def test_sentences_become_labels_and_boxes(imported: Imported, wording: Wording) -> None:
    report = imported("padchest-gr")
    assert labels(report.folder) == {
        ("111_a.png", "Pleural Effusion"): "present",
        ("111_a.png", "Normal"): "absent",
        ("222_b.png", "Pleural Effusion"): "absent",
        ("222_b.png", "Normal"): "present",
    }
    (box,) = pq.read_table(report.folder.boxes).to_pylist()  # two words for one finding are one box
    assert (box["case"], box["finding"], box["x"], box["y"], box["width"], box["height"]) == (
        "111_a.png",
        "Pleural Effusion",
        0.25,
        0.5,
        0.25,
        0.25,
    )
    wording(line_with(report.notes, ": 2"))
    first, second, third = cases(report.folder)
    assert (first["patient"], first["study"], first["sex"], first["split"]) == ("9", "111", "F", "train")
    assert (second["split"], third["patient"]) == ("test", None)


def test_without_the_master_table_it_is_said(imported: Imported, wording: Wording) -> None:
    report = imported("padchest-gr", change=lambda root: (root / "master_table.csv").unlink())
    wording(line_with(report.notes, "patient and"))


@pytest.mark.parametrize(("text", "words"), [("[{", "JSON.* column 3"), ('{"a": 1}', "list of studies")])
def test_another_file_is_refused(imported: Imported, text: str, words: str, wording: Wording) -> None:
    with pytest.raises(WrongInput, match=words) as caught:
        imported("padchest-gr", change=lambda root: written(root / "grounded_reports_20240819.json", text))
    wording(caught.value)


def test_odd_content_is_no_mistake_of_ours(imported: Imported) -> None:
    def odd(root: Path) -> None:
        boxes = '[[0, 0, 1], [0, 0, "x", 1], 7]'
        strange = '{"abnormal": true, "labels": 7}'
        findings = f'[1, {{"abnormal": true, "labels": ["kyphosis"], "boxes": {boxes}}}, {strange}]'
        other = '{"StudyID": 2, "ImageID": "222_b.png", "findings": null}'
        text = f'[{{"StudyID": 1, "ImageID": "111_a.png", "findings": {findings}}}, {other}]'
        written(root / "grounded_reports_20240819.json", text)

    report = imported("padchest-gr", change=odd)
    assert report.boxes == 0 and report.label_counts.findings["Kyphosis"] == 1

"""VinDr-CXR: the real Kaggle table of the torchxrayvision wheel, and the published layout small."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.ingest.datasets.importing import import_dataset
from explorer.ingest.datasets.vindr import CONSENSUS_SOURCE
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.rejects import RejectReason
from tests.explorer.ingest.brought import cases, rejected, wheel, written
from tests.explorer.ingest.datasets.conftest import Imported
from tests.support.wording import Wording, line_with

R8, R9, R10 = (f"VinDr-CXR, reader R{number}" for number in (8, 9, 10))


def test_readers_are_sources_and_most_of_them_count(imported: Imported) -> None:
    report = imported("vindr")
    assert report.manifest.default_source == CONSENSUS_SOURCE
    rows = pq.read_table(report.folder.labels).to_pylist()
    said = {(row["case"], row["finding"], row["source"]): row["label"] for row in rows}
    assert len(said) == len(rows)
    assert {said["f1", "Cardiomegaly", source] for source in (R9, R10, CONSENSUS_SOURCE)} == {"present"}
    assert said["f1", "Cardiomegaly", R8] == "absent" and said["f1", "Normal", R8] == "present"
    assert said["f1", "Pneumothorax", R10] == "present" and said["f1", "Pneumothorax", CONSENSUS_SOURCE] == "absent"
    assert (
        said["f2", "Normal", CONSENSUS_SOURCE] == "present"
        and said["t1", "Pneumothorax", CONSENSUS_SOURCE] == "present"
    )
    assert report.label_counts.findings["Normal"] == 1  # the report counts what counts


def test_films_have_the_facts_of_their_headers(imported: Imported) -> None:
    films = {case["case"]: case for case in cases(imported("vindr").folder)}
    first, test = films["f1"], films["t1"]
    assert (first["sex"], first["age"], first["width"], first["height"]) == ("M", 41, 64, 32)
    assert (first["view"], first["split"], test["split"], test["file"]) == ("PA", "train", "test", "test/t1.dicom")


def test_boxes_are_fractions_of_the_film(imported: Imported, wording: Wording) -> None:
    report = imported("vindr")
    rows = {(row["case"], row["finding"]): row for row in pq.read_table(report.folder.boxes).to_pylist()}
    first = rows["f1", "Cardiomegaly"]
    assert (first["x"], first["y"], first["width"], first["height"]) == (0.25, 0.25, 0.5, 0.5)
    assert (first["source"], rows["t1", "Pneumothorax"]["source"]) == (R9, CONSENSUS_SOURCE)
    wording(line_with(report.notes, ": 1"))


def test_boxes_without_a_size_are_counted_unless_a_table_says_it(home: Path, tmp_path: Path, wording: Wording) -> None:
    table = "image_id,class_name,class_id,rad_id,x_min,y_min,x_max,y_max\nf,Cardiomegaly,3,R9,10,20,30,60\n"
    written(tmp_path / "train.csv", table)
    bare = import_dataset("vindr", tmp_path, ImportOptions(labels_only=True), "vindr")
    assert bare.boxes == 0
    wording(line_with(bare.notes, "train_meta.csv", ": 1"))
    written(tmp_path / "train_meta.csv", "image_id,dim0,dim1\nf,100,50\n")
    sized = import_dataset("vindr", tmp_path, ImportOptions(labels_only=True), "vindr", replace=True)
    (box,) = pq.read_table(sized.folder.boxes).to_pylist()
    assert [box[side] for side in ("x", "y", "width", "height")] == pytest.approx([0.2, 0.2, 0.4, 0.4])


def test_a_reader_who_contradicts_himself_and_a_row_without_a_film_are_rejected(
    home: Path, tmp_path: Path, wording: Wording
) -> None:
    header = "image_id,class_name,class_id,rad_id,x_min,y_min,x_max,y_max\n"
    table = "f,No finding,14,R9,,,,\nf,Cardiomegaly,3,R9,1,1,2,2\n,Cardiomegaly,3,R9,1,1,2,2\ng,No finding,14,R9,,,,\n"
    written(tmp_path / "train.csv", header + table)
    report = import_dataset("vindr", tmp_path, ImportOptions(labels_only=True), "vindr")
    (line, image, reason), second = rejected(report.folder)
    assert (line, image) == ("2", "f") and second == ("4", "", RejectReason.NO_IDENTIFIER)
    wording(reason, RejectReason.NORMAL_AND_FINDING, "R9")


@pytest.mark.slow
def test_the_real_table(home: Path, tmp_path: Path) -> None:
    """15,000 films by three readers each, without the films, against a plain loop."""
    packed = wheel("vinbigdata-train.csv.gz").read_bytes()
    written(tmp_path / "train.csv.gz", packed)
    report = import_dataset("vindr", tmp_path, ImportOptions(labels_only=True), "vindr")
    votes: dict[tuple[str, str], set[str]] = defaultdict(set)
    readers = set()
    for row in csv.DictReader(gzip.decompress(packed).decode().splitlines()):
        votes[row["image_id"], row["class_name"]].add(row["rad_id"])
        readers.add(row["rad_id"])
    for word, finding in (("No finding", "Normal"), ("Cardiomegaly", "Cardiomegaly"), ("Pneumothorax", "Pneumothorax")):
        most = sum(len(who) > 1 for (_, name), who in votes.items() if name == word)
        assert report.label_counts.findings[finding] == most
    assert report.manifest.cases == 15_000 and report.rejected == {}
    sources = pq.read_table(report.folder.labels, columns=["source"])["source"].unique().to_pylist()
    assert len(sources) == len(readers) + 1 == 18

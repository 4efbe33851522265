"""SIIM-ACR: the real table of the torchxrayvision wheel, and the download small."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.ingest.datasets.importing import import_dataset
from explorer.ingest.datasets.siim import FILM_SIDE, mask_edges
from explorer.ingest.datasets.wanted import ImportOptions
from tests.explorer.ingest.brought import cases, labels, wheel, written
from tests.explorer.ingest.datasets.conftest import Imported
from tests.support.wording import Wording

TABLE = "siim-pneumothorax-train-rle.csv.gz"


def drawn(mask: str) -> list[int]:
    """The edges of a mask, painted pixel by pixel."""
    film, at = np.zeros(FILM_SIDE * FILM_SIDE, bool), 0
    numbers = [int(word) for word in mask.split()]
    for step, length in zip(numbers[::2], numbers[1::2], strict=True):
        film[at + step : at + step + length] = True
        at += step + length
    columns, rows = np.nonzero(film.reshape(FILM_SIDE, FILM_SIDE))
    return [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]


def test_a_mask_is_the_box_around_it(imported: Imported, wording: Wording) -> None:
    report = imported("siim")
    said = {case: label for (case, finding), label in labels(report.folder).items() if finding == "Pneumothorax"}
    assert said == {"1.2.1": "absent", "1.2.2": "present", "1.2.3": "absent"}
    boxes = pq.read_table(report.folder.boxes).to_pylist()
    sides = [[round(FILM_SIDE * box[side]) for side in ("x", "y", "width", "height")] for box in boxes]
    assert sides == [[3, 10, 3, 6], [9, 0, 2, FILM_SIDE]] and {box["case"] for box in boxes} == {"1.2.2"}
    first = cases(report.folder)[0]
    assert (first["view"], first["sex"], first["age"], first["center"]) == ("AP", "M", 41, "NIH")
    assert first["patient"] is None
    wording(first["file"], "dicom-images-train", "0/series/1.2.1.dcm")


@pytest.mark.parametrize("mask", ["5", "1 2 3", "a b", "1.5 2"])
def test_what_is_no_mask_is_no_box(mask: str) -> None:
    assert mask_edges(mask) == [""] * 4


def test_the_real_table(home: Path, tmp_path: Path) -> None:
    """12,954 rows of 12,047 films; the boxes of some masks beside those of masks that are painted."""
    packed = wheel(TABLE)
    written(tmp_path / "train-rle.csv.gz", packed.read_bytes())
    report = import_dataset("siim", tmp_path, ImportOptions(labels_only=True), "siim")
    assert report.manifest.cases == 12_047 and report.label_counts.findings == {"Pneumothorax": 2_669}
    assert report.boxes == 12_954 - 9_378 and not report.rejected
    with gzip.open(packed, "rt", newline="") as file:
        masks = [(row["ImageId"], row[" EncodedPixels"]) for row in csv.DictReader(file)]
    painted = [(image, mask) for image, mask in masks if mask.strip() != "-1"][::90]
    kept = defaultdict(list)
    for box in pq.read_table(report.folder.boxes).to_pylist():
        left, top = FILM_SIDE * box["x"], FILM_SIDE * box["y"]
        edges = (left, top, left + FILM_SIDE * box["width"], top + FILM_SIDE * box["height"])
        kept[box["case"]].append([round(edge) for edge in edges])
    assert len(painted) == 40 and all(drawn(mask) in kept[image] for image, mask in painted)

"""CheXpert: the real table of the torchxrayvision wheel, and both of its tables small."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.cohorts.manifest import read_manifest
from explorer.ingest.datasets.chexpert import LABELER_SOURCE, READERS_SOURCE
from explorer.ingest.datasets.importing import import_dataset
from explorer.ingest.datasets.wanted import ImportOptions
from tests.explorer.ingest.brought import cases, labels, wheel, written
from tests.explorer.ingest.datasets.conftest import Imported
from tests.explorer.ingest.datasets.samples import CHEXPERT_LABELS

FIRST = "train/patient00001/study1/view1_frontal.jpg"
SICK = "train/patient00002/study2/view1_frontal.jpg"


def test_films_have_what_path_and_columns_say(imported: Imported) -> None:
    folder = imported("chexpert").folder
    by_case = {str(case["case"]): case for case in cases(folder)}
    first = by_case[FIRST]
    assert (first["patient"], first["study"], first["split"]) == ("patient00001", "patient00001/study1", "train")
    assert (first["view"], first["sex"], first["age"], first["center"]) == ("AP", "F", 68, "CheXpert")
    assert (by_case[SICK]["sex"], by_case[SICK]["view"]) == ("unknown", "PA")
    lateral = by_case[FIRST.replace("1_frontal", "2_lateral")]
    assert (lateral["view"], lateral["study"]) == ("lateral", first["study"])
    assert all((Path(str(case["file"])) == Path(name)) for name, case in by_case.items())


@pytest.mark.parametrize(("blank", "nodule"), [("unknown", None), ("absent", "absent")])
def test_uncertain_stays_and_blanks_are_a_choice(imported: Imported, blank: str, nodule: str | None) -> None:
    said = labels(imported("chexpert", ImportOptions(blank=blank)).folder)
    assert said[SICK, "Cardiomegaly"] == "uncertain" and said[SICK, "Lung Opacity"] == "present"
    assert said.get((SICK, "Lung Lesion")) == nodule
    assert said[SICK, "Normal"] == "absent"  # a pathology is there
    assert said[FIRST, "Normal"] == "present" and said[FIRST, "Lung Lesion"] == "absent"


def test_devices_stay_blank_beside_no_finding(imported: Imported) -> None:
    def blank(root: Path) -> None:
        table = (root / "train.csv").read_text()
        written(root / "train.csv", table.replace("0.0,,,,1.0\n", "0.0,,,,\n"))

    said = labels(imported("chexpert", change=blank).folder)
    assert (FIRST, "Support Devices") not in said and said[FIRST, "Fracture"] == "absent"


def test_the_batches_of_the_full_size_are_one_dataset(imported: Imported) -> None:
    def handed_out(root: Path) -> None:
        first, second, third = (
            root / f"CheXpert-v1.0 batch {part}" for part in ("1 (validate & csv)", "2 (train 1)", "3")
        )
        first.mkdir()
        for name in ("train.csv", "valid.csv", "valid"):
            (root / name).rename(first / name)
        for patient, batch in (("patient00001", second), ("patient00002", third)):
            batch.mkdir()
            (root / "train" / patient).rename(batch / patient)

    report = imported("chexpert", change=handed_out)
    files = {str(case["case"]): case["file"] for case in cases(report.folder)}
    assert report.rejected == {} and len(files) == 4
    assert files[FIRST] == "CheXpert-v1.0 batch 2 (train 1)/patient00001/study1/view1_frontal.jpg"


def test_readers_are_a_source_of_their_own(imported: Imported) -> None:
    rows = pq.read_table(imported("chexpert").folder.labels).to_pylist()
    assert {row["source"] for row in rows if row["case"].startswith("valid")} == {READERS_SOURCE}
    assert {row["source"] for row in rows if row["case"].startswith("train")} == {LABELER_SOURCE}


@pytest.mark.slow
def test_the_real_table(home: Path, tmp_path: Path, lightly_packed: None) -> None:
    """223,414 films without the films, against a plain loop over the table."""
    packed = wheel("chexpert_train.csv.gz").read_bytes()
    written(tmp_path / "train.csv.gz", packed)
    report = import_dataset("chexpert", tmp_path, ImportOptions(labels_only=True), "chexpert")
    views, present, uncertain, patients, studies = Counter(), Counter(), 0, set(), set()
    for row in csv.DictReader(gzip.decompress(packed).decode().splitlines()):
        lateral = row["Frontal/Lateral"] == "Lateral" or row["AP/PA"] in ("LL", "RL")
        views["lateral" if lateral else row["AP/PA"]] += 1
        present.update(name for name in CHEXPERT_LABELS if row[name] == "1.0")
        uncertain += sum(row[name] == "-1.0" for name in CHEXPERT_LABELS)
        _, _, patient, study, _ = row["Path"].split("/")
        patients.add(patient)
        studies.add((patient, study))
    assert report.views == dict(views.most_common())
    assert report.label_counts.findings == {
        name.replace("No Finding", "Normal"): present[name] for name in CHEXPERT_LABELS
    }
    assert report.label_counts.labels["uncertain"] == uncertain
    assert (report.totals.patients, report.totals.studies) == (len(patients), len(studies)) == (64_540, 187_641)
    assert report.manifest.cases == 223_414 and report.rejected == {}
    assert read_manifest(report.folder.manifest).roots == ("chexpert",)

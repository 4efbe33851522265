"""Where tables lie; what is said where they do not is in `test_mistakes`."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.ingest.datasets.catalog import CHEXPERT, CXRLT2026, KNOWN_DATASETS, MIMIC, PADCHEST, dataset_with_columns
from explorer.ingest.datasets.find_tables import column_places, tables
from explorer.tabular.problems import WrongInput
from tests.explorer.ingest.brought import written
from tests.support.wording import Wording


def test_patterns_give_the_order_and_what_is_not_packed_counts(tmp_path: Path) -> None:
    for name in ("valid.csv.gz", "train.csv", "train.csv.gz", "train.csv.bak"):
        written(tmp_path / name, "")
    (tmp_path / "test.csv").mkdir()
    found = tables(tmp_path, ("valid.csv", "train.csv", "test.csv"))
    assert [path.name for path in found] == ["valid.csv.gz", "train.csv"]


def test_a_newer_table_comes_last(tmp_path: Path) -> None:
    for version in ("2.1.0", "2.0.0"):
        written(tmp_path / f"mimic-cxr-{version}-metadata.csv", "")
    assert [path.name for path in tables(tmp_path, MIMIC.tables)][-1] == "mimic-cxr-2.1.0-metadata.csv"


def test_columns_are_found_and_a_double_one_is_refused(tmp_path: Path, wording: Wording) -> None:
    path = tmp_path / "train.csv"
    assert column_places(path, ["x", "Path", "y"], CHEXPERT, ["y", "Path"]) == [2, 1]
    with pytest.raises(WrongInput) as caught:
        column_places(path, ["Path", "Path"], CHEXPERT, ["Path"])
    wording(caught.value, "2 columns 'Path'", "CheXpert")


def test_a_dataset_is_known_by_its_columns() -> None:
    for dataset in KNOWN_DATASETS:
        assert dataset_with_columns(["first", *dataset.columns]) == dataset
    assert dataset_with_columns([*PADCHEST.columns, *CXRLT2026.columns]) == PADCHEST
    assert dataset_with_columns(["image_id", "Mass"]) is None

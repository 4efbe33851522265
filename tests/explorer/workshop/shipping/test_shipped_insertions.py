"""The scores of inserted findings that ship: whole, of healthy films, near the plain scores, and small."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explorer.cohorts.inserted_scores import inserted_folder, inserted_models, read_inserted
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.insertion.detectability import FOCAL_SEVERITIES, PLAN, SEVERITIES
from explorer.insertion.insertable import FOCAL
from explorer.scoring.healthy_films import healthy_cases
from explorer.workshop.shipping import nih_inserted, phantom_inserted

COHORTS = {name: Folder(CACHE / name) for name in ("phantom", "nih-oof")}
SHIPPED = [
    *(("phantom", model, phantom_inserted.FILMS) for model in phantom_inserted.MODELS),
    *(("nih-oof", model, nih_inserted.FILMS) for model in nih_inserted.MODELS),
]
MOST_BYTES = 2**20
PLAN_START = PLAN.partition(":")[0]  # the same findings look the same; places may have been added


def test_these_models_ship_and_take_little_room() -> None:
    assert {(name, model) for name, folder in COHORTS.items() for model in inserted_models(folder)} == {
        (name, model) for name, model, _ in SHIPPED
    }
    files = [path for folder in COHORTS.values() for path in inserted_folder(folder).path.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


@pytest.mark.parametrize(("cohort", "model", "films"), SHIPPED)
def test_rows_are_whole_and_of_healthy_films(cohort: str, model: str, films: int) -> None:
    folder = COHORTS[cohort]
    manifest = read_model_manifest(inserted_folder(folder).model(model))
    assert manifest.split == read_model_manifest(folder.model(model)).split and PLAN_START in manifest.preprocessing
    rows = read_inserted(inserted_folder(folder), model).to_pandas()
    assert manifest.scored + manifest.failed == films and rows["case"].nunique() == manifest.scored
    assert set(rows["case"]) <= set(healthy_cases(folder, 10_000))
    for finding, some in rows.groupby("finding", observed=True):
        wanted = FOCAL_SEVERITIES if finding in FOCAL else SEVERITIES
        counts = some["severity"].round(3).value_counts()
        assert sorted(counts.index) == pytest.approx(wanted) and counts.nunique() == 1


@pytest.mark.parametrize(("cohort", "model", "_films"), SHIPPED)
def test_films_without_the_finding_have_nearly_the_plain_scores(cohort: str, model: str, _films: int) -> None:
    """Films of NIH were decoded by an earlier version, and layers fitted again: ranks hardly differ."""
    folder = COHORTS[cohort]
    rows = read_inserted(inserted_folder(folder), model).to_pandas().astype({"finding": str})
    without = rows.groupby(["case", "finding"])["without"].first()
    parts = [read_table(path).to_pandas() for path in sorted(folder.predictions(model).glob("part-*.parquet"))]
    plain = pd.concat(parts).astype({"finding": str}).set_index(["case", "finding"])["score"].loc[without.index]
    difference = np.abs(without.to_numpy() - plain.to_numpy())
    assert np.median(difference) < (0.005 if cohort == "nih-oof" else 0.002)
    assert np.corrcoef(without, plain)[0, 1] > 0.95

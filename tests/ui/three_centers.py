"""nih-oof with its patients dealt to three centers: real numbers, made-up hospitals, one of them without labels."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_manifest, read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import CASES, LABEL_ROWS
from tests.support.sealed import sealed

NAME, MODEL = "three-centers", "nih-mini"
LARGE, TRAINED_ON, UNLABELLED = "Brest", "Aachen", "Coimbra"
HANDS = (LARGE, TRAINED_ON, UNLABELLED, LARGE, LARGE)


def three_centers(cohorts: Path, name: str = NAME, hands: Sequence[str] = HANDS) -> Folder:
    """Write the cohort below `cohorts`, its patients dealt to the centers in turn."""
    source, folder = Folder(CACHE / "nih-oof"), Folder(cohorts / name)
    shutil.copytree(source.path, folder.path)
    cases = pq.read_table(source.cases).to_pylist()
    center = {row["case"]: hands[int(row["patient"]) % len(hands)] for row in cases}
    dealt = [row | {"center": center[row["case"]]} for row in cases]
    labels = [row for row in pq.read_table(source.labels).to_pylist() if center[row["case"]] != UNLABELLED]
    write_table(folder.cases, pa.Table.from_pylist(dealt, schema=CASES))
    write_table(folder.labels, pa.Table.from_pylist(labels, schema=LABEL_ROWS))
    model = read_model_manifest(source.model(MODEL))
    write_manifest(folder.model(MODEL), replace(model, origins={TRAINED_ON: "in-sample"}))
    write_manifest(folder.manifest, replace(read_manifest(source.manifest), name=name, version="dealt"))
    known, own = source.film_maps(MODEL)[0], folder.film_maps(MODEL)[-1]
    own.parent.mkdir()  # of the same features: made anew it would take seven seconds
    shutil.copy(known, own)
    return sealed(folder)

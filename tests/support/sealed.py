"""Cohorts as the product leaves them: their manifests list the files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import listed_cohort, listed_scores
from explorer.cohorts.manifest import read_manifest, read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import APPEARANCES, BOXES, EMBEDDINGS
from tests.explorer.store.made_up import rows_of


def sealed(folder: Folder) -> Folder:
    """List what is there."""
    for name in folder.models():
        made = read_model_manifest(folder.model(name))
        write_manifest(folder.model(name), replace(made, files=listed_scores(folder, name)))
    write_manifest(folder.manifest, replace(read_manifest(folder.manifest), files=listed_cohort(folder)))
    return folder


def write_sealed(place: Path) -> Folder:
    """The cohort `rows` with a file of every kind: boxes, appearances; of two models two shards, features, cuts."""
    folder = rows_of(12).write(place)
    cases = [f"film {n}" for n in range(12)]
    sides = {side: np.full(12, 0.25, np.float32) for side in ("x", "y", "width", "height")}
    boxes = {"case": cases, "finding": ["Mass"] * 12, **sides, "source": ["a reader"] * 12}
    write_table(folder.boxes, pa.table(boxes, BOXES))
    looks = {"severity": np.arange(12) / 12, "side": ["left", "none"] * 6, "area": np.arange(12) / 100}
    write_table(folder.appearances, pa.table({"case": cases, "finding": ["Mass"] * 12, **looks}, APPEARANCES))
    vectors = np.random.default_rng(0).standard_normal((12, 4)).astype("<f2")
    for model in folder.models():
        table = pa.table({"case": cases, "features": [row.tobytes() for row in vectors]}, EMBEDDINGS)
        write_table(folder.embeddings(model) / "part-00000.parquet", table)
    return sealed(folder)

"""Cohorts written as an importer writes them, and what models said of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from explorer.cohorts.images import remember_root
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import Manifest, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import CASES, LABEL_ROWS
from explorer.cohorts.version import version_of


def write_cohort(folder: Folder, films: Sequence[tuple[str, str]], root: Path) -> Folder:
    """A cohort of (center, file below `root`), without labels. A case is called after its center and file."""
    n = len(films)
    columns: dict[str, list[object]] = {
        "case": [f"{center} {file}" for center, file in films],
        "patient": [None] * n,
        "study": [None] * n,
        "center": [center for center, _ in films],
        "view": ["unknown"] * n,
        "sex": ["unknown"] * n,
        "age": [None] * n,
        "split": [None] * n,
        "root": [folder.name] * n,
        "file": [file for _, file in films],
        "width": [None] * n,
        "height": [None] * n,
        "weight": [None] * n,
    }
    write_table(folder.cases, pa.table(columns, schema=CASES))
    write_table(folder.labels, LABEL_ROWS.empty_table())
    remember_root(folder, folder.name, root)
    manifest = Manifest(
        name=folder.name,
        title=folder.name,
        source="tests",
        version=version_of(folder.cases, folder.labels),
        cases=n,
        labelled=False,
        blank="there are no labels",
        roots=(folder.name,),
    )
    write_manifest(folder.manifest, manifest)
    return folder


def scores_of(folder: Folder, model: str) -> dict[tuple[str, str], float]:
    """Every pair's score; a pair that is there twice fails."""
    rows = pq.read_table(folder.predictions(model)).to_pylist()
    scores = {(row["case"], row["finding"]): row["score"] for row in rows}
    assert len(scores) == len(rows)
    return scores


def features_of(folder: Folder, model: str) -> dict[str, NDArray[np.float16]]:
    """Every film's features; a film that is there twice fails."""
    rows = pq.read_table(folder.embeddings(model)).to_pylist()
    assert len({row["case"] for row in rows}) == len(rows)
    return {row["case"]: np.frombuffer(row["features"], "<f2") for row in rows}

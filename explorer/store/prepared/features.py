"""Reads feature vectors of a model's films directly from their Parquet files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa

from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.schema import EMBEDDINGS
from explorer.store.prepared.parquet_batches import batches
from explorer.store.results import Features


def features(folder: Folder, model: str, shards: Iterable[Path]) -> Features:
    """Return the vectors of the model's films, in file order; empty without files.

    Raises DamagedCohort.
    """
    cases: list[str] = []
    blocks = []
    for path in shards:
        for batch in batches(path, EMBEDDINGS):
            cases += batch["case"].to_pylist()
            blocks.append(_vectors(batch["features"], folder, model))
    widths = {block.shape[1] for block in blocks if len(block)}
    if len(widths) > 1 or len(set(cases)) < len(cases):
        raise DamagedCohort(
            f"The features of {model} in {folder.name} do not have one vector of the same length per film",
            "Remove its embeddings and score the cohort again.",
        )
    vectors = np.concatenate(blocks) if blocks else np.empty((0, 0), np.float32)
    return Features(tuple(cases), vectors)


def _vectors(column: pa.Array, folder: Folder, model: str) -> np.ndarray:
    vectors = [np.frombuffer(blob, "<f2") for blob in column.to_pylist() if len(blob) % 2 == 0]
    if len(vectors) < len(column) or len({len(each) for each in vectors}) > 1:
        raise DamagedCohort(f"The features of {model} in {folder.name} differ in length", "Score the cohort again.")
    block = np.stack(vectors).astype(np.float32)
    if not np.isfinite(block).all():
        raise DamagedCohort(f"Features of {model} in {folder.name} are not finite", "Score the cohort again.")
    return block

"""Looks up the labels that count for imported scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.core.arrays import Floats


def default_labels(cohort: Folder, images: Sequence[str], findings: Sequence[str]) -> Floats:
    """Return labels (images, findings): 1 present, 0 absent, NaN if unknown or if two sources that count differ."""
    labels = read_table(cohort.labels, ["case", "finding", "label", "source"])
    counts = read_manifest(cohort.manifest).default_source if cohort.manifest.exists() else None
    if counts is not None:
        labels = labels.filter(pc.equal(labels["source"].cast(pa.string()), counts))
    rows = pc.index_in(labels["case"], pa.array(images, pa.string()))
    columns = pc.index_in(labels["finding"].cast(pa.string()), pa.array(findings, pa.string()))
    label = labels["label"].cast(pa.string())
    by_label = {
        word: np.zeros((len(images), len(findings)), dtype=np.bool_) for word in ("present", "absent", "uncertain")
    }
    for word, mask in by_label.items():
        chosen = pc.and_(pc.and_(rows.is_valid(), columns.is_valid()), pc.equal(label, word))
        mask[rows.filter(chosen).to_numpy(), columns.filter(chosen).to_numpy()] = True
    found = np.full((len(images), len(findings)), np.nan)
    found[by_label["present"] & ~by_label["absent"] & ~by_label["uncertain"]] = 1
    found[by_label["absent"] & ~by_label["present"] & ~by_label["uncertain"]] = 0
    return found

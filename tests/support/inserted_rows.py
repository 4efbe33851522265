"""Scores of films with inserted findings, written by hand beside a small cohort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import pyarrow as pa

from explorer.cohorts.inserted_scores import INSERTED, inserted_folder
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from tests.support.small_cohort import MODEL


@dataclass(frozen=True)
class Row:
    """An inserted finding, in the order of the columns."""

    case: str
    finding: str
    side: str
    zone: str | None
    column: float | None
    row: float | None
    severity: float
    score: float
    without: float


def write_rows(cohort: Folder, rows: Sequence[Row], model: str = MODEL) -> Folder:
    """Write the rows as a model's, with the thresholds and the manifest that it has in the cohort."""
    folder = inserted_folder(cohort)
    columns = dict(zip(INSERTED.names, map(list, zip(*map(astuple, rows), strict=True)), strict=True))
    write_table(folder.predictions(model) / "part-00000.parquet", pa.table(columns, schema=INSERTED))
    write_table(folder.operating_points(model), read_table(cohort.operating_points(model)))
    write_manifest(folder.model(model), read_model_manifest(cohort.model(model)))
    return folder


def mass_rows(scores: Sequence[Sequence[float]], zone: str, column: float) -> list[Row]:
    """Rows of masses of three severities: `scores` (films, 3) of films named "film 0", "film 1", and so on."""
    side = zone.split()[0]
    return [
        Row(f"film {film}", "Mass", side, zone, column, 0.5, severity, score, 0.1)
        for film, own in enumerate(scores)
        for severity, score in zip((0.3, 0.6, 0.9), own, strict=True)
    ]

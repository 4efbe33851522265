"""Adds labels from another source to an existing cohort, such as readers in addition to a report labeler."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import listed_cohort
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import LABEL_ROWS
from explorer.cohorts.version import version_of


def add_labels(folder: Folder, rows: pa.Table) -> None:
    """Add rows of LABEL_ROWS to a cohort's labels; existing labels of the same sources are replaced.

    Raises NoCohort and DamagedCohort.
    """
    existing = read_table(folder.labels)
    new = set(rows["source"].to_pylist())
    kept = existing.filter(pa.array([source not in new for source in existing["source"].to_pylist()]))
    write_table(folder.labels, pa.concat_tables([kept.cast(LABEL_ROWS), rows.cast(LABEL_ROWS)]))
    manifest = read_manifest(folder.manifest)
    version = version_of(folder.cases, folder.labels)
    write_manifest(folder.manifest, replace(manifest, version=version, labelled=True, files=listed_cohort(folder)))

"""The findings of a cohort: those with labels, and those that its models score."""

from __future__ import annotations

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.parquet_files import read_table


def cohort_findings(folder: Folder) -> tuple[str, ...]:
    """Return each finding once, labeled ones first. Raises NoCohort and DamagedCohort for unreadable files."""
    labeled = read_table(folder.labels, ["finding"])["finding"].unique().to_pylist()
    scored = [finding for model in folder.models() for finding in read_model_manifest(folder.model(model)).findings]
    return tuple(dict.fromkeys([*map(str, labeled), *scored]))

"""Names that a cohort has for findings: those that it is labeled with, and those that models have scores for."""

from __future__ import annotations

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.parquet_files import read_table


def findings_of(folder: Folder) -> tuple[str, ...]:
    """Each once, those of its labels first. Raises NoCohort and DamagedCohort for files that cannot be read."""
    labeled = read_table(folder.labels, ["finding"])["finding"].unique().to_pylist()
    scored = [finding for model in folder.models() for finding in read_model_manifest(folder.model(model)).findings]
    return tuple(dict.fromkeys([*map(str, labeled), *scored]))

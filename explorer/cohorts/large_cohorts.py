"""Which cohorts are so large that work on all their films runs in a process of its own."""

from __future__ import annotations

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_manifest

LARGE = 20_000  # films; fewer take about a second, as long as a process takes to start


def is_large(folder: Folder) -> bool:
    """Whether a cohort is large. Raises NoCohort."""
    return read_manifest(folder.manifest).cases >= LARGE

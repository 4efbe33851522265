"""Adds report labels to the cohort `phantom`, as a second label source.

`python -m explorer.workshop.shipping.phantom_report` runs it. The report misses findings as the training labels do, and
never names an unseen finding. The exact labels remain the default source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.more_labels import add_labels
from explorer.cohorts.schema import LABEL_ROWS
from explorer.simulator.cohort_sampling import (
    MISSED_SHARE,
    SEEN_FINDINGS,
    TEST_SPLIT,
    SampledCase,
    sample_cases,
    training_labels,
)
from explorer.workshop.shipping.phantom_appearances import COHORT_NAME

EXACT_SOURCE = "the simulator: exact"
REPORT_SOURCE = f"a simulated report: {MISSED_SHARE:.0%} of the findings are missed"


def main() -> None:
    """Write the labels, and record the default source in the manifest."""
    folder = Folder(CACHE / COHORT_NAME)
    add_report(folder, sample_cases(TEST_SPLIT))


def add_report(folder: Folder, chosen: Sequence[SampledCase]) -> None:
    """Add a report's labels to the cohort of these films. Raises NoCohort and DamagedCohort."""
    add_labels(folder, report_labels(chosen))
    write_manifest(folder.manifest, replace(read_manifest(folder.manifest), default_source=EXACT_SOURCE))


def report_labels(chosen: Sequence[SampledCase]) -> pa.Table:
    """Return a row per seen finding of each film, sorted by finding."""
    noted = [(case.film.case, training_labels(case)) for case in chosen]
    rows = [
        (name, finding, "present" if finding in found else "absent", REPORT_SOURCE)
        for finding in SEEN_FINDINGS
        for name, found in noted
    ]
    return pa.table(dict(zip(LABEL_ROWS.names, zip(*rows, strict=True), strict=True)), schema=LABEL_ROWS)


if __name__ == "__main__":
    main()

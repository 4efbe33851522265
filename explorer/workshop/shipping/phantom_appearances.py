"""Adds the findings' appearances to the cohort `phantom`: `python -m explorer.workshop.shipping.phantom_appearances`.

Severity and side are the simulation's settings; the area is measured on the simulator's mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.listing import listed_cohort
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import APPEARANCES
from explorer.simulator.cohort_sampling import TEST_SPLIT, SampledCase, sample_cases
from explorer.simulator.film_png import FILM_SIZE, render_film

COHORT_NAME = "phantom"
_NO_SIDE = "none"


def main() -> None:
    """Draw the films again, write the table and list it in the manifest; takes minutes."""
    folder = Folder(CACHE / COHORT_NAME)
    write_table(folder.appearances, appearance_table(sample_cases(TEST_SPLIT)))
    write_manifest(folder.manifest, replace(read_manifest(folder.manifest), files=listed_cohort(folder)))


def appearance_table(chosen: Sequence[SampledCase], size: int = FILM_SIZE) -> pa.Table:
    """Return a row per finding of the films, drawn with `size` pixels per side, sorted by finding."""
    rows = [
        (case.film.case, each.finding, each.severity, each.side or _NO_SIDE, float(masks[each.finding].mean()))
        for case in chosen
        if case.film.requests
        for masks in [render_film(case.address, size).masks]
        for each in case.film.requests
    ]
    rows.sort(key=lambda row: row[1::-1])
    return pa.table(dict(zip(APPEARANCES.names, zip(*rows, strict=True), strict=True)), schema=APPEARANCES)


if __name__ == "__main__":
    main()

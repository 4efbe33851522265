"""Counting a large cohort by study: `python -m tests.benchmarks.studies [--films 377110] [--models 1]`.

On the cohort of `big_cohort.py`, whose films become studies of up to three films, as many as MIMIC-CXR-JPG has: 227,835
studies of 377,110 films. Each step is in a new process, whose peak of memory counts, imports included.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from explorer.analysis.studies.study_cohort import make_studies
from explorer.cohorts.layout import Folder, cohort_folder
from explorer.cohorts.listing import listed_cohort
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import CASES
from explorer.cohorts.version import version_of
from tests.benchmarks.big_cohort import FINDINGS, NAME, write_big_cohort
from tests.benchmarks.command_line import command, report
from tests.benchmarks.in_new_process import in_new_process, in_this_process
from tests.benchmarks.of_process import peak_gigabytes
from tests.benchmarks.timing import Figure

FILMS, MODELS = 377_110, 1
STUDIES_PER_FILM = 227_835 / 377_110  # MIMIC-CXR-JPG
GOALS = {"studies made": 120, "peak memory": 2}


def write_studies(folder: Folder) -> None:
    """Give the films studies and patients: neighbors are of one study, and two studies of a patient."""
    cases = read_table(folder.cases)
    study = (np.arange(len(cases)) * STUDIES_PER_FILM).astype(int)
    center = np.array(["Boston", "Hannover"], object)[study // 2 % 2]
    given = {"study": [f"s{each}" for each in study], "patient": [f"p{each // 2}" for each in study], "center": center}
    for name, values in given.items():
        place = CASES.get_field_index(name)
        column = pa.array(list(values), pa.string()).cast(CASES.field(name).type)
        cases = cases.set_column(place, CASES.field(name), column)
    write_table(folder.cases, cases)
    about = read_manifest(folder.manifest)
    version = version_of(folder.cases, folder.labels)
    write_manifest(folder.manifest, replace(about, version=version, files=listed_cohort(folder)))


def make(name: str) -> list[Figure]:
    """Make the study cohort, or renew it."""
    start, busy = time.perf_counter(), time.process_time()
    made = make_studies(cohort_folder(NAME))
    figures = [
        Figure(name, time.perf_counter() - start, "s"),
        Figure("  of a processor", time.process_time() - busy, "s"),
        Figure("  studies", made.manifest.cases, ""),
    ]
    return [*figures, Figure("peak memory", peak_gigabytes(), "GB")]


def measured(asked: argparse.Namespace) -> Iterator[Figure | str]:
    """Each figure with its goal."""
    films, models = (600, 2) if asked.small else (asked.films, asked.models)
    apart = in_this_process if asked.small else in_new_process
    yield f"{films:,} films, {FINDINGS} findings, {models} models"
    with TemporaryDirectory() as temporary:
        place = asked.keep or Path(temporary)
        write_big_cohort(place / "cohorts", films, models)
        write_studies(Folder(place / "cohorts" / NAME))
        for figure in (*apart(place, make, "studies made"), *apart(place, make, "renewed, nothing changed")):
            yield replace(figure, goal=GOALS.get(figure.name))


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--films", type=int, default=FILMS)
    parser.add_argument("--models", type=int, default=MODELS)
    parser.add_argument("--keep", type=Path, help="a folder to write the cohort to, or to take it from")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())

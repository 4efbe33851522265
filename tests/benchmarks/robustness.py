"""Robustness of a model on many films: `python -m tests.benchmarks.robustness [--films 377110] [--levels 105]`.

On the cohort of `big_cohort.py`, whose plain scores stand for those of every level. In a new process: all levels are
compared with the unchanged films, without intervals. Memory is what the process adds to what the store held before; it
must not grow with the levels.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from explorer.analysis.robustness.report import robustness
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_model_manifest, write_manifest
from explorer.cohorts.perturbed_scores import perturbed_folder
from explorer.store.slices import Slice
from explorer.store.store import Store
from models.perturbations.film import UNCHANGED, levels
from tests.benchmarks.big_cohort import NAME, models_of, write_big_cohort
from tests.benchmarks.command_line import command, report
from tests.benchmarks.in_new_process import in_new_process, in_this_process
from tests.benchmarks.of_process import memory_of, watched_peaks
from tests.benchmarks.timing import Figure

FILMS = 377_110
GOALS = {"peak memory": 2000}
(MODEL,) = models_of(1)


def link_levels(cohort: Folder, count: int) -> None:
    """Give the model's plain scores to the unchanged films and to the first levels."""
    target = perturbed_folder(cohort, MODEL)
    about = read_model_manifest(cohort.model(MODEL))
    for name in (UNCHANGED["matched"], *(level.name for level in levels()[:count])):
        for path in (cohort.operating_points(MODEL), *cohort.predictions(MODEL).glob("part-*.parquet")):
            own = target.path / path.relative_to(cohort.path).as_posix().replace(MODEL, name)
            own.parent.mkdir(parents=True, exist_ok=True)
            own.unlink(missing_ok=True)
            os.link(path, own)
        files = {path.replace(MODEL, name): facts for path, facts in (about.files or {}).items()}
        write_manifest(target.model(name), replace(about, model=name, files=files))


def compare() -> list[Figure]:
    """Compare the levels as the command does."""
    store = Store(timeout_s=3600)
    store.facets(NAME, MODEL)
    before, start, busy = memory_of(os.getpid()), time.perf_counter(), time.process_time()
    with watched_peaks() as peaks:
        found = robustness(store, Slice(NAME, MODEL), "matched", 0, 0)
    seconds, peak = time.perf_counter() - start, peaks[os.getpid()]
    return [
        Figure(f"{len(found.results)} levels", seconds, "s"),
        Figure("  of a processor, each", (time.process_time() - busy) / len(found.results), "s"),
        Figure("memory added", peak - before, "MB"),
        Figure("peak memory", peak, "MB"),
    ]


def measured(asked: argparse.Namespace) -> Iterator[Figure | str]:
    """Each figure with its goal."""
    films, count = (600, 3) if asked.small else (asked.films, asked.levels)
    apart = in_this_process if asked.small else in_new_process
    with TemporaryDirectory() as temporary:
        place = asked.keep or Path(temporary)
        _, findings = write_big_cohort(place / "cohorts", films, 1)
        link_levels(Folder(place / "cohorts" / NAME), count)
        yield f"{films:,} films, {findings} findings"
        for figure in apart(place, compare):
            yield replace(figure, goal=GOALS.get(figure.name))


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--films", type=int, default=FILMS)
    parser.add_argument("--levels", type=int, default=len(levels()))
    parser.add_argument("--keep", type=Path, help="a folder to write the cohort to, or to take it from")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())

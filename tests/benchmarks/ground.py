"""What stands under every click of Explore: `python -m tests.benchmarks.ground [--films 377110] [--models 2]`.

On the cohort of `big_cohort.py`: preparing it, choosing it in a new process, filters, pages, a case, memory. Every
filter is asked once. The goals are for 17 million pairs (377,110 films) or 100 million (2,200,000 films) on two quiet
cores. On other machines the ratio to the trial counts: a sorted DuckDB file and no more, run first with as many films
(`trials/prepared_cohort.py` of TAILSCOPE_SHARED). Only public methods and the page's calls are asked, so that it runs
on older commits, too: copy tests/benchmarks there.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from explorer.cohorts.layout import Folder
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.benchmarks.big_cohort import FINDINGS, NAME, write_big_cohort
from tests.benchmarks.clicks import EVERYTHING, a_case, first_page, lassoed, marked, milliseconds, pages
from tests.benchmarks.command_line import command, report
from tests.benchmarks.explore import deep_pages, random_filters, tallies
from tests.benchmarks.in_new_process import in_new_process, in_this_process
from tests.benchmarks.made_up_map import write_map
from tests.benchmarks.of_process import memory_of, peak_gigabytes, watched_peaks
from tests.benchmarks.timing import Figure

ROOT = Path(__file__).parents[2]
TRIAL = Path(os.environ.get("TAILSCOPE_SHARED", ROOT.parent / "shared")).resolve() / "trials" / "prepared_cohort.py"
FILTERS, CASES = 200, 24
BEGIN = Slice(NAME, "one", outcomes=(Outcome.MISS,))
LARGE = 50_000_000  # pairs from which the second goal counts
GOALS = {
    "prepared and first page": (40, 200),
    "peak memory of preparing": (2, 2),
    "first page after a start": (1000, 1000),
    "memory added at rest": (300, 800),
    "filter to films and count, p95": (50, 150),
    "lasso to films and count, p95": (200, 500),
    "marks to films and count, p95": (200, 500),
    "any page of any depth, p95": (100, None),
    "the page after it, p95": (100, None),
    "a case, processor, p50": (40, 40),
}
# Figures of the trial, in ms or s, by ours: where one of ours is two of the trial's, their sum.
IN_THE_TRIAL = {
    "prepared and first page": ("written",),
    "first page after a start": ("opened", "first page"),
    "filter to films and count, p50": ("page p50", "count p50"),
    "filter to films and count, p95": ("page p95", "count p95"),
    "filter to films and count, slowest": ("page slowest", "count slowest"),
    "any page of any depth, p95": ("deep page",),
    "a case, processor, p50": ("one film",),
}
PRINTED = {
    "written": r"^written in ([\d.]+) s",
    "opened": r"^opened in ([\d.]+) ms",
    "first page": r"^first page ([\d.]+) ms",
    "one film": r"^one film by scan, median ([\d.]+) ms",
    "deep page": r"^a deep page ([\d.]+) ms",
    **{
        f"{kind} {name}": rf"^{kind} of 200 filters:.* {name} ([\d.]+)"
        for kind in ("page", "count")
        for name in ("p50", "p95", "slowest")
    },
}


def trial(films: int) -> tuple[dict[str, float], list[str]]:
    """Run the trial; returns its figures by name, and what it printed."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    words = [sys.executable, str(TRIAL), str(films)]
    printed = subprocess.run(words, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout
    matches = {name: re.search(pattern, printed, re.MULTILINE) for name, pattern in PRINTED.items()}
    return {name: float(match[1]) for name, match in matches.items() if match}, printed.splitlines()


def prepare() -> list[Figure]:
    """The first page that anyone asks for of each model: whatever is prepared once is prepared now."""
    store = Store(timeout_s=600)
    with watched_peaks() as peaks:
        seconds = milliseconds(lambda: first_page(store, BEGIN)) / 1000
        others = [replace(BEGIN, model=each.model) for each in store.models(NAME) if each.model != BEGIN.model]
        more = sum(milliseconds(lambda: first_page(store, each)) / 1000 for each in others)  # noqa: B023
    own = peaks.pop(os.getpid(), 0.0)
    written = max(peaks.values(), default=0)  # files are written by one process at a time
    return [
        Figure("prepared and first page", seconds, "s"),
        Figure("its other models prepared", more, "s"),
        Figure("peak memory of preparing", (own + written) / 1000, "GB"),
    ]


def choose(count: int) -> list[Figure]:
    """A cohort chosen after a start; then what its visitors ask."""
    import tests.ui.case_asker  # noqa: F401 - the app has gradio loaded; a process that prepares has not

    before = memory_of(os.getpid())
    store = Store()
    figures = [
        Figure("first page after a start", milliseconds(lambda: first_page(store, BEGIN)), "ms"),
        Figure("the app's memory without it", before, "MB"),
        Figure("memory added at rest", memory_of(os.getpid()) - before, "MB"),
    ]
    filters = random_filters(store, count, models=len(store.models(NAME)))
    figures += first_pages("filter", store, filters)
    figures += first_pages("lasso", store, list(lassoed(store, filters[: count // 5])))
    figures += first_pages("marks", store, list(marked(filters[: count // 5])))
    figures += [*deep_pages(store, filters), *tallies(store, filters)]
    cases = [film.id for film in store.page(EVERYTHING, size=CASES)]
    figures.append(Figure("the first case", milliseconds(lambda: a_case(store, cases[:1], time.perf_counter)), "ms"))
    for what, clock in (("processor", time.process_time), ("clock", time.perf_counter)):
        p50, p95 = np.percentile(a_case(store, cases[1:], clock), [50, 95])
        cases = [film.id for film in store.page(EVERYTHING, 1, size=CASES)]  # or they would be known
        figures += [Figure(f"a case, {what}, p50", float(p50), "ms"), Figure(f"a case, {what}, p95", float(p95), "ms")]
    figures.append(Figure("peak memory added", 1000 * peak_gigabytes() - before, "MB"))
    return figures


def first_pages(name: str, store: Store, filters: Sequence[Slice]) -> list[Figure]:
    """Count and first page of each filter, asked once."""
    times = pages(store, filters)
    p50, p95 = np.percentile(times, [50, 95])
    return [
        Figure(f"{name} to films and count, p50", float(p50), "ms"),
        Figure(f"{name} to films and count, p95", float(p95), "ms"),
        Figure(f"{name} to films and count, slowest", max(times), "ms"),
    ]


def measured(asked: argparse.Namespace) -> Iterator[Figure | str]:
    """Each figure with its goal, and where the trial has it, the trial's and the ratio."""
    films = 600 if asked.small else asked.films
    yield f"{films:,} films, {films * FINDINGS:,} pairs for each of {asked.models} models"
    known: dict[str, float] = {}
    if TRIAL.exists():
        known, printed = trial(films)
        yield from (f"the trial: {line}" for line in printed)
    with TemporaryDirectory() as temporary:
        place = asked.keep or Path(temporary)
        write_big_cohort(place / "cohorts", films, asked.models)
        write_map(Folder(place / "cohorts" / NAME), "one")
        count, apart = (20, in_this_process) if asked.small else (FILTERS, in_new_process)
        for figure in (*apart(place, prepare), *apart(place, choose, count)):
            goals = GOALS.get(figure.name, (None, None))
            yield Figure(figure.name, figure.value, figure.unit, goals[films * FINDINGS > LARGE])
            parts = IN_THE_TRIAL.get(figure.name, ())
            if parts and known.keys() >= set(parts):
                yield Figure("  in the trial", sum(known[part] for part in parts), figure.unit)
                yield Figure("  ratio", figure.value / max(sum(known[part] for part in parts), 0.1), "x")


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--films", type=int, default=377_110)
    parser.add_argument("--models", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a folder to write the cohort to, or to take it from")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())

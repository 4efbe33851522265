"""Evaluate of many models on many films: `python -m tests.benchmarks.board [--films 377110] [--models 38]`.

On the cohort of `big_cohort.py`, which `--keep` keeps with what is prepared from it. In a new process: points of a
leaderboard that nobody has asked for, again of a part of the films, then all intervals, computed in a process of their
own as for the page. Memory is what a process adds to what it held before. `--resamples` makes intervals cheaper: their
time grows with it.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from explorer.analysis.intervals.intervals_job import BoardQuestion, IntervalsJob
from explorer.analysis.intervals.intervals_process import IntervalsHelper
from explorer.analysis.leaderboard.means import leaderboard
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.benchmarks.big_cohort import NAME, models_of, write_big_cohort
from tests.benchmarks.clicks import milliseconds
from tests.benchmarks.command_line import command, report
from tests.benchmarks.in_new_process import in_new_process, in_this_process
from tests.benchmarks.of_process import memory_of, watched_peaks
from tests.benchmarks.timing import Figure

FILMS, MODELS, RESAMPLES = 377_110, 38, 1000
GOALS = {"points": 10, "memory added by points": 1000, "memory of the intervals' process": 1000}
GOALS["memory added by intervals"] = 1000


def prepare(models: Sequence[str]) -> list[Figure]:
    """Write what is prepared of each model, which answers wait for."""
    store = Store(timeout_s=600)
    seconds = milliseconds(lambda: [store.facets(NAME, model) for model in models]) / 1000
    return [Figure("prepared, a model", seconds / len(models), "s")]


def ask(models: Sequence[str], resamples: int) -> list[Figure]:
    """Ask for the leaderboard as the page does."""
    store, every = Store(timeout_s=600), Slice(NAME, models[0])
    for model in models:
        store.facets(NAME, model)
    figures, before = [], memory_of(os.getpid())
    with watched_peaks() as peaks:
        for name, chosen in (("points", every), ("points of part of the films", replace(every, view="PA"))):
            seconds, busy = time.perf_counter(), time.process_time()
            leaderboard(store, chosen, models)
            figures.append(Figure(name, time.perf_counter() - seconds, "s"))
            figures.append(Figure("  of a processor", time.process_time() - busy, "s"))
    figures.append(Figure("memory added by points", peaks[os.getpid()] - before, "MB"))
    return figures + (intervals(store, every, models, resamples, before) if resamples else [])


def intervals(store: Store, chosen: Slice, models: Sequence[str], resamples: int, before: float) -> list[Figure]:
    """Poll for intervals as the page does, and note what it would say of the time left."""
    helper = IntervalsHelper()
    job, asked = IntervalsJob(store, resamples=resamples, boards_process=helper), BoardQuestion(chosen, tuple(models))
    start, told = time.perf_counter(), list[tuple[float, float]]()
    with watched_peaks() as peaks:
        while job.board(asked) is None:
            time.sleep(0.1)
            if (left := job.board_left(asked)) is not None:
                told.append((time.perf_counter() - start, left))
    seconds = time.perf_counter() - start
    job.close()
    wrong = [abs(at + left - seconds) / seconds for at, left in told]
    return [
        Figure(f"intervals of {resamples:,} resamples", seconds, "s"),
        Figure("  of each model", seconds / len(models), "s"),
        Figure("  told time, most wrong by", 100 * max(wrong, default=0), "%"),
        Figure("memory of the intervals' process", max(_of_others(peaks), default=0), "MB"),
        Figure("memory added by intervals", peaks[os.getpid()] - before, "MB"),
    ]


def _of_others(peaks: dict[int, float]) -> list[float]:
    return [peak for process, peak in peaks.items() if process != os.getpid()]


def measured(asked: argparse.Namespace) -> Iterator[Figure | str]:
    """Each figure with its goal."""
    films, count, resamples = (600, 2, 20) if asked.small else (asked.films, asked.models, asked.resamples)
    apart = in_this_process if asked.small else in_new_process
    yield f"{films:,} films, {count} models"
    with TemporaryDirectory() as temporary:
        place = asked.keep or Path(temporary)
        write_big_cohort(place / "cohorts", films, count)
        for figure in (*apart(place, prepare, models_of(count)), *apart(place, ask, models_of(count), resamples)):
            yield replace(figure, goal=GOALS.get(figure.name))


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--films", type=int, default=FILMS)
    parser.add_argument("--models", type=int, default=MODELS)
    parser.add_argument("--resamples", type=int, default=RESAMPLES, help="0: points alone")
    parser.add_argument("--keep", type=Path, help="a folder to write the cohort to, or to take it from")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())

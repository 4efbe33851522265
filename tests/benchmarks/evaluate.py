"""What the leaderboard costs: `python -m tests.benchmarks.evaluate` prints `name value goal`, exits 1 if one is missed.

The shipped cohort `phantom` with all its classifiers, points warm and cold and all intervals; another slice of it. With
`--large` also 75,422 made-up films, 36 findings and 6 models, in a process that holds nothing else.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from threadpoolctl import threadpool_limits

from explorer.analysis.leaderboard.joint_scores import JointScores, comparable_models, joint_scores
from explorer.analysis.leaderboard.means import board_of, slice_groups
from explorer.core.findings import FINDINGS, Outcome
from explorer.core.groups import group_from_source
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.benchmarks.command_line import command, report
from tests.benchmarks.of_process import peak_gigabytes
from tests.benchmarks.timing import Figure

RESAMPLES = 1000
LARGE, SMALL = (75_422, 36, 6), (600, 4, 2)  # films, findings, models


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def timed(name: str, work: Callable[[], object], goal: float | None, times: int = 1) -> Iterator[Figure]:
    """The least seconds of several, and of the processor: these a busy machine makes no longer by as much."""
    least, least_busy = float("inf"), float("inf")
    for _ in range(times):
        start, busy = time.perf_counter(), time.process_time()
        work()
        least, least_busy = min(least, time.perf_counter() - start), min(least_busy, time.process_time() - busy)
    yield Figure(name, least, "s", goal)
    yield Figure("  of a processor", least_busy, "s")


def phantom(most: int | None, resamples: int) -> Iterator[Figure]:
    """Of the shipped cohort."""
    store, every = Store(), Slice("phantom", "phantom")
    models = comparable_models(store, "phantom", "phantom")[:most]
    yield Figure(f"tables of {len(models)} models, cold", seconds(lambda: joint_scores(store, every, models)), "s")
    groups = slice_groups(store, every, models)

    def points(chosen: Slice) -> None:
        board_of(joint_scores(store, chosen, models), groups, 0, 0, False)

    yield from timed("points", lambda: points(every), 0.3, times=5)
    joint = joint_scores(store, every, models)
    yield from timed("all intervals", lambda: board_of(joint, groups, resamples, 0, False), 6)
    half = Slice("phantom", "phantom", view="PA")
    yield from timed("points of another slice", lambda: points(half), 2)
    missed = Slice("phantom", "phantom", outcomes=(Outcome.MISS,), severity="faint", also_present="Cardiomegaly")
    yield from timed("points of films that their pairs pick", lambda: points(missed), 2)


def large(size: tuple[int, int, int], resamples: int) -> Iterator[Figure]:
    """Of made-up films: what is asked of a whole challenge."""
    films, findings, models = size
    dice, names = np.random.default_rng(0), tuple(FINDINGS)[:findings]
    labels = (dice.random((films, findings)) < np.geomspace(0.4, 0.0003, findings)).astype(float)
    scores = 1 / (1 + np.exp(-(dice.standard_normal((models, films, findings), dtype=np.float32) + 1.5 * labels - 2)))
    joint = JointScores(
        models=tuple(f"model {number}" for number in range(models)),
        findings=names,
        labels=labels,
        scores=scores.astype(np.float32),
        called=(scores > 0.5).astype(np.int8),
        scales=(None,) * models,
        films=np.arange(films),
        centers=np.full(films, "one", dtype=object),
        patients=dice.integers(0, films // 2, films),
        weights=np.ones(films),
        films_left_out=0,
        findings_left_out=(),
    )
    groups = {name: group_from_source(name, "paper") for name in names}
    yield from timed(f"{films:,} films: points", lambda: board_of(joint, groups, 0, 0, False), 3)
    yield from timed(f"{films:,} films: all intervals", lambda: board_of(joint, groups, resamples, 0, False), 90)
    yield Figure(f"{films:,} films: memory", peak_gigabytes(), "GB", 2)


def measured(asked: argparse.Namespace) -> Iterator[Figure]:
    """Both in a small run."""
    with threadpool_limits(1, "blas"):  # as the page has it
        if asked.small:
            yield from phantom(2, 20)
            yield from large(SMALL, 20)
        elif asked.large:
            yield from large(LARGE, RESAMPLES)
        else:
            yield from phantom(None, RESAMPLES)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--large", action="store_true", help="made-up films instead of the shipped cohort")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())

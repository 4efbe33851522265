"""What a simulated film costs: `python -m tests.benchmarks.phantom` (one core); exit 1 where a film misses the goal.

Processor seconds of normal films and of every finding at full severity, on each side that it takes, at both centers.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import time
from collections.abc import Iterator, Sequence

import numpy as np

from explorer.simulator import ABNORMAL, CENTERS, SIDES, Request, render
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure

GOAL = 0.1  # seconds of a core for any film of 224 px
TRIES = 3  # the best of them counts: processor seconds rise with what the neighbors do to the caches
FIRST = 300
LARGER = {512: 10, 1024: 4}  # films by size


def measured(small: bool) -> Iterator[Figure]:
    """Films of 224 px, the best of TRIES each; a few larger ones."""
    normal, found = every_film(224, 2 if small else None)
    for name, films in (("normal", normal), ("one finding", found)):
        yield Figure(f"224 px: {name}, median of {len(films)}", float(np.median(list(films.values()))), "s")
    slowest = max(normal | found, key=(normal | found).__getitem__)
    yield Figure(f"224 px: slowest, {slowest}", (normal | found)[slowest], "s", GOAL)
    for size, films in ({512: 1} if small else LARGER).items():
        times = [seconds(FIRST + k, CENTERS[k % 2], [], size) for k in range(films)]
        yield Figure(f"{size} px: normal, median of {films}", float(np.median(times)), "s")
        yield Figure(f"{size} px: normal, slowest of {films}", max(times), "s")


def every_film(size: int, most: int | None) -> tuple[dict[str, float], dict[str, float]]:
    """Seconds of 40 normal films, and of a film of every finding, side and center; `most`: of fewer.

    Seeds differ from film to film.
    """
    normal = {f"normal {FIRST + k} {CENTERS[k % 2]}": (FIRST + k, CENTERS[k % 2], []) for k in range(most or 40)}
    asked = [(name, side) for name in ABNORMAL[:most] for side in SIDES.get(name) or (None,)]
    found = {
        f"{name} {side or ''} {FIRST + k} {center}": (FIRST + k, center, [Request(name, side, 1.0)])
        for k, (name, side) in enumerate(asked)
        for center in CENTERS
    }
    render(0, [], "A", size)  # imports and caches belong to no one film
    times = [{key: seconds(*film, size) for key, film in films.items()} for films in (normal, found)]
    return times[0], times[1]


def seconds(seed: int, center: str, findings: list[Request], size: int) -> float:
    """Processor seconds of one core that a film takes, the best of TRIES."""
    times = []
    for _ in range(TRIES):
        start = time.process_time()
        render(seed, findings, center, size)
        times.append(time.process_time() - start)
    return min(times)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a film misses the goal."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())

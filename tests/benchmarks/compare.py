"""What two slices beside each other cost: `python -m tests.benchmarks.compare` prints `name value goal`, exits 1 if one
is missed.

3,000 made-up films with 22 findings, women against men and boys: until the first finding has its intervals, until all
have, and the seconds of a processor, which a busy machine makes no longer by as much.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.core.findings import FINDINGS
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

FILMS, NAMES = 3000, 22
SMALL_FILMS, SMALL_NAMES = 300, 3
WOMEN, MEN = Slice(NAME, MODEL, sex="F"), Slice(NAME, MODEL, sex="M")


def films(count: int, names: Sequence[str]) -> Iterator[Film]:
    """Findings of 20 down to 0.5 % of the films, two films to a patient, scores that follow the labels."""
    dice = np.random.default_rng(0)
    present = dice.random((count, len(names))) < np.geomspace(0.2, 0.005, len(names))
    scores = 1 / (1 + np.exp(-dice.standard_normal(present.shape) - 1.5 * present))
    for film in range(count):
        yield Film(
            f"film {film:04}",
            {name: "present" if there else "absent" for name, there in zip(names, present[film], strict=True)},
            dict(zip(names, scores[film].tolist(), strict=True)),
            patient=f"patient {film // 2:04}",
            sex="FM"[film // 2 % 2],
        )


def measured(small: bool) -> Iterator[Figure]:
    """Until the first finding and until all have intervals."""
    names = [finding for finding in FINDINGS if finding != "Normal"][: SMALL_NAMES if small else NAMES]
    made = list(films(SMALL_FILMS if small else FILMS, names))
    with tempfile.TemporaryDirectory() as place, threadpool_limits(1):  # as in the process that the app has for it
        yield from compared(store_of(write_small(Path(place), made, dict.fromkeys(names, 0.6))), len(names))


def compared(store: Store, findings: int) -> Iterator[Figure]:
    """The same on a cohort."""
    job = IntervalsJob(store)
    first = None
    start, busy = time.perf_counter(), time.process_time()
    while not (found := job.compared(WOMEN, MEN)).intervals:
        if first is None and any(pair.known for pair in found.pairs):
            first = time.perf_counter() - start
        time.sleep(0.05)
    yield Figure("first finding", first or time.perf_counter() - start, "s", 2)
    yield Figure(f"all {findings} findings", time.perf_counter() - start, "s", 30)
    yield Figure("  of a processor", time.process_time() - busy, "s", 60)
    job.close()


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())

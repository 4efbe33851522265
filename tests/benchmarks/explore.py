"""What Explore costs: `python -m tests.benchmarks.explore` prints `name value goal`, exits 1 if one is missed.

The goals are for 377,110 films and 45 findings on 2 cores (`--cases 377110`); without it a tenth is built, in a minute.
Label rows are drawn from the real PadChest table, see `big_cohort.py`. Every filter is asked once: its answer, and that
of no other filter, is in a cache. Tables are loaded before, those that compare two models too; what that costs is told
apart. pandas answers the same filters on the same rows, which it holds in memory, in a process of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.benchmarks.big_cohort import NAME, write_big_cohort
from tests.benchmarks.in_pandas import in_pandas
from tests.benchmarks.timing import Figure

FILTERS, IN_PANDAS, DEEP = 200, 25, 60
WRONG, RIGHT = (Outcome.MISS, Outcome.FALSE_ALARM), (Outcome.HIT, Outcome.CORRECT_REJECTION)


def random_filters(store: Store, n: int, seed: int = 0) -> list[Slice]:
    """`n` different slices: each filter of the page is set in a part of them, most slices have several."""
    rng = np.random.default_rng(seed)
    facets = store.facets(NAME, "one")

    def some(chance: float, values: Sequence[object]) -> object:
        return values[rng.integers(len(values))] if rng.random() < chance else None

    found: dict[Slice, None] = {}
    while len(found) < n:
        low, width = (some(0.2, list(np.round(np.linspace(0, 0.9, 19), 2))), rng.choice([0.1, 0.3, 1.0]))
        relation = some(0.08, ["both wrong", "disagree"])
        chosen = Slice(
            NAME,
            "one",
            source=some(1, ["paper", "padchest", "cohort"]),
            group=some(0.25, list(FrequencyGroup)),
            center=some(0.3, list(facets.of_films["center"])),
            finding=some(0.35, list(facets.findings)),
            outcomes=some(0.6, [*((outcome,) for outcome in Outcome), WRONG, RIGHT]) or (),
            label_source=some(0.15, list(facets.label_sources)),
            view=some(0.2, list(facets.of_films["view"])),
            sex=some(0.2, list(facets.of_films["sex"])),
            age=some(0.2, list(facets.of_films["age_band"])),
            low=None if low is None else float(low),
            high=None if low is None else float(low) + float(width),
            against="other" if relation else None,
            relation=relation,
        )
        found[chosen] = None
    return list(found)


def milliseconds(call: Callable[[], object]) -> float:
    """What one call takes."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def loading(store: Store) -> list[Figure]:
    """From the files to the first answer; then what comparing with a second model takes besides."""
    one = milliseconds(lambda: store.facets(NAME, "one")) / 1000
    other = milliseconds(lambda: store.count(Slice(NAME, "one", against="other", relation="disagree"))) / 1000
    return [Figure("load a model", one, "s"), Figure("load a second one and compare", other, "s")]


def first_pages(store: Store, filters: Sequence[Slice]) -> tuple[list[Figure], list[float]]:
    """Counts and first page of each filter, asked once."""
    times = [milliseconds(lambda: (store.count(chosen), store.page(chosen))) for chosen in filters]  # noqa: B023 - called at once
    p50, p95 = np.percentile(times, [50, 95])
    figures = [
        Figure("filter to first page, p50", float(p50), "ms", 50),
        Figure("filter to first page, p95", float(p95), "ms", 100),
        Figure("filter to first page, slowest", max(times), "ms"),
    ]
    return figures, times


def deep_pages(store: Store, filters: Sequence[Slice]) -> list[Figure]:
    """Any page of a filter with several, not asked before; then the page after it."""
    rng = np.random.default_rng(1)
    cold, warm = [], []
    for chosen in filters:
        pages = store.count(chosen).films // 24
        if pages > 2 and len(cold) < DEEP:
            number = int(rng.integers(1, pages))
            cold.append(milliseconds(lambda: store.page(chosen, number)))  # noqa: B023 - called at once
            warm.append(milliseconds(lambda: store.page(chosen, number + 1)))  # noqa: B023 - called at once
    return [
        Figure("any page of any depth, p95", float(np.percentile(cold, 95)), "ms", 300),
        Figure("the page after it, p95", float(np.percentile(warm, 95)), "ms", 300),
    ]


def tallies(store: Store, filters: Sequence[Slice]) -> list[Figure]:
    """Findings x centers: of everything, and of the films of filters."""
    everything = Slice(NAME, "one")
    populations = list({replace(chosen.population(), finding=None) for chosen in filters} - {everything})[:DEEP]
    cold = milliseconds(lambda: store.tally(everything))
    cached = milliseconds(lambda: store.tally(everything))
    others = [milliseconds(lambda: store.tally(population)) for population in populations]  # noqa: B023 - called at once
    return [
        Figure("cell table, cold", cold, "ms", 1000),
        Figure("cell table, cached", cached, "ms", 100),
        Figure("cell table of a filter, cold, p95", float(np.percentile(others, 95)), "ms", 1000),
    ]


def against_pandas(store: Store, place: Path, filters: Sequence[Slice], times: Sequence[float]) -> list[Figure]:
    """The same filters in pandas; its counts must be the same."""
    asked = [place for place, chosen in enumerate(filters) if chosen.relation is None][:IN_PANDAS]
    chosen = [(filters[place], store.groups(NAME, "one", filters[place].source)) for place in asked]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        seconds, answers = pool.apply(in_pandas, (place, chosen))
    for (each, _), (_, pairs, films) in zip(chosen, answers, strict=True):
        ours = store.count(each)
        assert (ours.pairs, ours.films) == (pairs, films), each
    p50 = float(np.median([took for took, _, _ in answers]))
    ours_p50 = float(np.median([times[place] for place in asked]))
    return [
        Figure("pandas: load", seconds, "s"),
        Figure(f"pandas: first page, p50 of {len(asked)}", p50, "ms"),
        Figure("pandas: first page, p95", float(np.percentile([took for took, _, _ in answers], 95)), "ms"),
        Figure("pandas / ours, p50 of the same", p50 / ours_p50, "x"),
    ]


def peak_gigabytes() -> float:
    """The most memory that this process has held, everything imported included."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 if sys.platform == "darwin" else 1 / 1024) / 1e9  # bytes there, KiB elsewhere


def measure(place: Path) -> list[Figure]:
    """Every figure of the cohort below `place`."""
    os.environ[HOME_VARIABLE] = str(place)
    store = Store()
    figures = loading(store)
    filters = random_filters(store, FILTERS)
    pages, times = first_pages(store, filters)
    figures += [*pages, *deep_pages(store, filters), *tallies(store, filters)]
    figures.append(Figure("peak memory", peak_gigabytes(), "GB", 1.5))
    return figures + against_pandas(store, place, filters, times)


def main() -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=37_711)
    parser.add_argument("--keep", type=Path, help="a folder to build the cohort in, or to take it from")
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        place = options.keep or Path(temporary)
        with multiprocessing.get_context("spawn").Pool(1) as pool:  # what building takes is not the store's
            films, findings = pool.apply(write_big_cohort, (place / "cohorts", options.cases))
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        print(f"{films:,} films, {findings} findings, two models, {os.cpu_count()} cores, load before: {load}")
        print(f"{FILTERS} random filters, each asked once: every answer is a cold one.")
        figures = measure(place)
    for figure in figures:
        print(figure)
    return int(any(figure.missed for figure in figures))


if __name__ == "__main__":
    raise SystemExit(main())

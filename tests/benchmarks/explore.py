"""What Explore costs: `python -m tests.benchmarks.explore` prints `name value goal`, exits 1 if one is missed.

The goals are for 377,110 films and 45 findings on 2 cores (`--cases 377110`); without it a tenth is built, in a minute.
Label rows are drawn from the real PadChest table, see `big_cohort.py`. Every filter is asked once: its answer, and that
of no other filter, is in a cache. Tables are loaded before, those that compare two models too; what that costs is told
apart. pandas answers the same filters on the same rows, which it holds in memory, in a process of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from explorer.core.findings import FrequencyGroup, Outcome
from explorer.store.results import Count
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.benchmarks.big_cohort import NAME, write_big_cohort
from tests.benchmarks.clicks import milliseconds, pages
from tests.benchmarks.command_line import command, report
from tests.benchmarks.in_new_process import in_new_process, in_this_process
from tests.benchmarks.in_pandas import Answer, Groups, in_pandas
from tests.benchmarks.of_process import peak_gigabytes
from tests.benchmarks.timing import Figure

FILTERS, IN_PANDAS, DEEP = 200, 25, 60
WRONG, RIGHT = (Outcome.MISS, Outcome.FALSE_ALARM), (Outcome.HIT, Outcome.CORRECT_REJECTION)


def random_filters(store: Store, n: int, seed: int = 0, models: int = 2) -> list[Slice]:
    """`n` different slices: each filter of the page is set in a part of them, most slices have several."""
    rng = np.random.default_rng(seed)
    facets = store.facets(NAME, "one")

    def some(chance: float, values: Sequence[object]) -> object:
        return values[rng.integers(len(values))] if rng.random() < chance else None

    found: dict[Slice, None] = {}
    while len(found) < n:
        low, width = (some(0.2, list(np.round(np.linspace(0, 0.9, 19), 2))), rng.choice([0.1, 0.3, 1.0]))
        relation = some(0.08, ["both wrong", "disagree"]) if models > 1 else None
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


def loading(store: Store) -> list[Figure]:
    """From the files to the first answer; then what comparing with a second model takes besides."""
    one = milliseconds(lambda: store.facets(NAME, "one")) / 1000
    other = milliseconds(lambda: store.count(Slice(NAME, "one", against="other", relation="disagree"))) / 1000
    return [Figure("load a model", one, "s"), Figure("load a second one and compare", other, "s")]


def first_pages(store: Store, filters: Sequence[Slice]) -> tuple[list[Figure], list[float]]:
    """Counts and first page of each filter, asked once."""
    times = pages(store, filters)
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
        last = store.count(chosen).films // 24
        if last > 2 and len(cold) < DEEP:
            number = int(rng.integers(1, last))
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


@dataclass(frozen=True)
class Answered:
    """A filter with the groups of its findings, its count, and the milliseconds of its first page."""

    chosen: Slice
    groups: Groups
    count: Count
    took: float


def against_pandas(ours: Sequence[Answered], theirs: tuple[float, Sequence[Answer]]) -> list[Figure]:
    """The same filters in pandas; its counts must be the same."""
    seconds, found = theirs
    for each, (_, pairs_found, films) in zip(ours, found, strict=True):
        assert (each.count.pairs, each.count.films) == (pairs_found, films), each.chosen
    p50, p95 = np.percentile([took for took, _, _ in found], [50, 95])
    return [
        Figure("pandas: load", seconds, "s"),
        Figure(f"pandas: first page, p50 of {len(ours)}", float(p50), "ms"),
        Figure("pandas: first page, p95", float(p95), "ms"),
        Figure("pandas / ours, p50 of the same", float(p50) / float(np.median([each.took for each in ours])), "x"),
    ]


def answers(count: int) -> tuple[list[Figure], list[Answered]]:
    """Every figure of the store, and what pandas shall be asked."""
    store = Store()
    figures = loading(store)
    filters = random_filters(store, count)
    of_pages, times = first_pages(store, filters)
    figures += [*of_pages, *deep_pages(store, filters), *tallies(store, filters)]
    figures.append(Figure("peak memory", peak_gigabytes(), "GB", 1.5))
    plain = [(each, took) for each, took in zip(filters, times, strict=True) if each.relation is None][:IN_PANDAS]
    asked = [Answered(each, store.groups(NAME, "one", each.source), store.count(each), took) for each, took in plain]
    return figures, asked


def measured(asked: argparse.Namespace) -> Iterator[Figure | str]:
    """Every figure; the store and pandas have a process each."""
    films, count, apart = (400, 20, in_this_process) if asked.small else (asked.cases, FILTERS, in_new_process)
    with TemporaryDirectory() as temporary:
        place = asked.keep or Path(temporary)
        films, findings = write_big_cohort(place / "cohorts", films)
        yield f"{films:,} films, {findings} findings, two models"
        yield f"{count} random filters, each asked once: every answer is a cold one."
        figures, ours = apart(place, answers, count)
        yield from figures
        yield from against_pandas(ours, apart(place, in_pandas, place, [(each.chosen, each.groups) for each in ours]))


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--cases", type=int, default=37_711)
    parser.add_argument("--keep", type=Path, help="a folder to build the cohort in, or to take it from")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())

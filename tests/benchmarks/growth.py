"""What a click costs by films and by models: `python -m tests.benchmarks.growth`; exits 1 when a click grows.

Milliseconds of a processor, medians, on the cohort of `big_cohort.py`, each size in a process of its own: a filter to
its count and first page, asked once, and all of the page's calls about a case. The slope is that of a line through the
logarithms: 0 does not grow, 1 grows as the number does. `--svg PATH` draws the curves for the docs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from explorer.store.store import Store
from tests.benchmarks.big_cohort import write_big_cohort
from tests.benchmarks.clicks import EVERYTHING, a_case, first_page, pages
from tests.benchmarks.command_line import command, report
from tests.benchmarks.curves import Curve, svg
from tests.benchmarks.explore import random_filters
from tests.benchmarks.in_new_process import in_new_process, in_this_process
from tests.benchmarks.timing import Figure

FILMS, MODELS, AT = (4_000, 12_000, 37_000, 113_000), (1, 10, 40), 12_000
SMALL_FILMS, SMALL_MODELS, SMALL_AT = (200, 600), (1, 3), 200
FLAT = 0.15  # the steepest slope of what does not grow: a few more blocks of a file are read
FILTERS, CASES, SMALL = 60, 24, 5  # SMALL: of each, in a small run
CLICKS = ("filter to page", "opening a case")


def clicks(count: int, opened: int) -> tuple[float, float]:
    """Median milliseconds of a processor of each of CLICKS."""
    store = Store(timeout_s=600)
    first_page(store, EVERYTHING)  # prepared and opened
    filters = random_filters(store, count, models=1)
    filtered = pages(store, filters, time.process_time)
    cases = [film.id for film in store.page(EVERYTHING, size=opened + 1)]
    a_case(store, cases[:1], time.process_time)  # imports belong to no case
    return float(np.median(filtered)), float(np.median(a_case(store, cases[1:], time.process_time)))


def costs(sizes: Sequence[tuple[int, int]], small: bool) -> dict[tuple[int, int], tuple[float, float]]:
    """Return the clicks' milliseconds by numbers of films and models."""
    found = {}
    for films, models in dict.fromkeys(sizes):
        with TemporaryDirectory() as temporary:
            home = Path(temporary)
            write_big_cohort(home / "cohorts", films, models)
            apart, counts = (in_this_process, (SMALL, SMALL)) if small else (in_new_process, (FILTERS, CASES))
            found[films, models] = apart(home, clicks, *counts)
    return found


def slope(points: Mapping[int, float]) -> float:
    """Return the slope of the line through the logarithms."""
    return float(np.polyfit(np.log(list(points)), np.log(list(points.values())), 1)[0])


def curves(asked: argparse.Namespace) -> Iterator[Curve]:
    """Yield the curve of each click, by films and by models."""
    films, models, at = (SMALL_FILMS, SMALL_MODELS, SMALL_AT) if asked.small else (FILMS, MODELS, AT)
    sizes = {"films": {size: (size, 1) for size in films}, "models": {size: (at, size) for size in models}}
    found = costs([each for by in sizes.values() for each in by.values()], asked.small)
    for by, places in sizes.items():
        for number, click in enumerate(CLICKS):
            points = {size: found[place][number] for size, place in places.items()}
            yield Curve(by, click, points, slope(points))


def measured(asked: argparse.Namespace) -> Iterator[Figure | str]:
    """The curves, as figures and as a table."""
    drawn = list(curves(asked))
    for curve in drawn:
        for size, value in curve.points.items():
            yield Figure(f"{curve.name}, {size:,} {curve.by}", value, "ms")
        yield Figure("  slope", curve.slope, "", FLAT)
    yield "| click, processor ms | by | size: ms | slope |\n|---|---|---|---|"
    yield from (curve.row() for curve in drawn)
    if asked.svg:
        asked.svg.write_text(svg(drawn), encoding="utf-8")


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a click grows."""
    parser = command(__doc__)
    parser.add_argument("--svg", type=Path, help="a file to draw the curves in")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())

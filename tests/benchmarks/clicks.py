"""What a visitor's clicks on the cohort of `big_cohort.py` cost: milliseconds, of the clock or of a processor."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, own_cohorts
from explorer.cohorts.parquet_files import read_table
from explorer.core.map_area import MapArea, inside
from explorer.store.marked import Marked
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.shared.links import slice_words
from tests.benchmarks.big_cohort import NAME

# What the page asks about an opened case, in this order.
OF_A_CASE = ("case_place", "case_film", "case_facts", "case_near", "case_masks", "case_maps")
CELLS = 4096  # across a map
MARKED = 2000  # cases

Clock = Callable[[], float]
EVERYTHING = Slice(NAME, "one")


def milliseconds(call: Callable[[], object], clock: Clock = time.perf_counter) -> float:
    """Return what one call takes."""
    start = clock()
    call()
    return (clock() - start) * 1000


def first_page(store: Store, chosen: Slice) -> tuple[object, ...]:
    """Ask for what stands above a slice's films, and for the first of them."""
    return store.facets(chosen.cohort, chosen.model), store.count(chosen), store.page(chosen)


def pages(store: Store, filters: Sequence[Slice], clock: Clock = time.perf_counter) -> list[float]:
    """Return the milliseconds of each filter's count and first page."""
    return [milliseconds(lambda: (store.count(chosen), store.page(chosen)), clock) for chosen in filters]  # noqa: B023


def a_case(store: Store, opaque_ids: Sequence[str], clock: Clock) -> list[float]:
    """Return the milliseconds of all of the page's calls about each case."""
    from tests.ui.case_asker import asker  # which imports gradio

    ask = asker(store, Images({}, cohorts=list))
    state = slice_words(EVERYTHING)
    return [milliseconds(lambda: [ask(name, each, state) for name in OF_A_CASE], clock) for each in opaque_ids]  # noqa: B023


def lassoed(store: Store, filters: Sequence[Slice]) -> Iterator[Slice]:
    """Yield filters of the films inside squares of the map, of 5 to 50 % of its width."""
    known, dice = store.film_map(NAME, "one"), np.random.default_rng(2)
    assert known is not None
    for chosen in filters:
        half = int(CELLS * dice.uniform(0.025, 0.25))
        x, y = dice.integers(half, CELLS - half, 2).tolist()
        corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        films = int(inside(corners, known.map.x, known.map.y).sum())
        yield replace(chosen, lasso=MapArea("one", known.version, corners, films))


def marked(filters: Sequence[Slice]) -> Iterator[Slice]:
    """Yield filters of the films among MARKED cases, or half of fewer."""
    cases = read_table(Folder(own_cohorts() / NAME).cases, ["case"])["case"].to_pylist()
    dice = np.random.default_rng(3)
    for number, chosen in enumerate(filters):
        names = dice.choice(cases, min(MARKED, len(cases) // 2), replace=False)
        yield replace(chosen, marked=Marked("tag", tuple(sorted(names.tolist())), f"tag {number}"))

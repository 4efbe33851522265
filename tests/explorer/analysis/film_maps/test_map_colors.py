"""The colors of a map's films, against counting film by film in the shipped phantom cohort."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from explorer.analysis.film_maps.map_colors import (
    NO_GROUP,
    OUTSIDE,
    RAREST_FIRST,
    SCORE_STEPS,
    ColoredMap,
    color_map,
    score_steps,
)
from explorer.cohorts.layout import CACHE, Folder
from explorer.core.findings import Outcome
from explorer.core.outcomes import OUTCOMES
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.wording import Wording

ALL = Slice("phantom", "phantom")
FINDING = "Pleural Effusion"


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    store = Store(lambda: [Folder(CACHE / "phantom")])
    yield store
    store.close()


@pytest.fixture(scope="module")
def films(store: Store) -> np.ndarray:
    """Every third film, the last ones first: the map need not have all, nor in their order."""
    return np.arange(len(store.film_facts("phantom").center))[::-3]


def named(found: ColoredMap) -> list[str | None]:
    return [None if code == OUTSIDE else found.entries[code].name for code in found.codes]


def counts(found: ColoredMap) -> dict[str, int]:
    return {entry.name: entry.films for entry in found.entries if entry.films}


def test_outcomes_are_those_of_the_grid(store: Store, films: np.ndarray) -> None:
    grid = store.grid("phantom", "phantom")
    at = grid.findings.index(FINDING)
    words = {(1, 1): "hit", (1, 0): "miss", (0, 1): "false alarm", (0, 0): "correct rejection"}
    expected = [words[int(grid.label[film, at]), int(grid.called[film, at])] for film in films]
    asked = replace(ALL, finding=FINDING, outcomes=(Outcome.MISS,))
    found = color_map(store, asked, films, "outcome")
    assert named(found) == expected and counts(found) == Counter(expected)
    assert [entry.value for entry in found.entries] == [str(each) for each in OUTCOMES]
    assert found.chosen.tolist() == [word == "miss" for word in expected], "the slice's own films are told apart"


def test_scores_are_ranks(store: Store, films: np.ndarray) -> None:
    grid = store.grid("phantom", "phantom")
    scores = grid.score[films, grid.findings.index(FINDING)].astype(float)
    found = color_map(store, replace(ALL, finding=FINDING), films, "score")
    halves = [sum(scores < score) + sum(scores <= score) for score in scores]
    expected = [min(SCORE_STEPS - 1, int(half * SCORE_STEPS // (2 * len(scores)))) for half in halves]
    assert found.codes.tolist() == expected
    assert found.ticks == pytest.approx(np.quantile(scores, (0, 0.25, 0.5, 0.75, 1)))
    assert score_steps(np.array([0.5, 0.5])).tolist() == [SCORE_STEPS // 2] * 2


def test_a_center_filter_leaves_the_others_dim(store: Store, films: np.ndarray) -> None:
    center = store.film_facts("phantom").center
    everywhere = color_map(store, ALL, films, "center")
    assert named(everywhere) == center[films].tolist()
    only = color_map(store, replace(ALL, center="B"), films, "center")
    assert named(only) == [name if name == "B" else None for name in center[films]]


def test_the_group_is_that_of_the_rarest_finding_present(store: Store, films: np.ndarray) -> None:
    grid, groups = store.grid("phantom", "phantom"), store.groups("phantom", "phantom", "paper")
    expected = []
    for film in films:
        present = {
            groups[finding]
            for at, finding in enumerate(grid.findings)
            if grid.label[film, at] == 1 and grid.called[film, at] >= 0
        }
        expected.append(next((str(group) for group in RAREST_FIRST if group in present), NO_GROUP))
    found = color_map(store, replace(ALL, outcomes=(Outcome.MISS,), finding=FINDING), films, "group")
    assert named(found) == expected and counts(found) == Counter(expected)


def test_what_is_of_a_finding_needs_one(store: Store, films: np.ndarray, wording: Wording) -> None:
    with pytest.raises(ValueError) as refused:
        color_map(store, ALL, films, "score")
    wording(refused.value, "score", "finding")

"""Mistakes that a related finding explains are counted beside the outcomes, which stay as the labels say."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.analysis.performance.explained_mistakes import ExplainedMistakes, explained_mistakes
from explorer.core.finding_relations import FindingRelation
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

AIR, BOTH, FLUID = "Pneumothorax", "Hydropneumothorax", "Pleural Effusion"


def film(number: int, present: str | None, called: str | None, center: str = "South") -> Film:
    names = (AIR, BOTH, FLUID)
    labels = {name: "present" if name == present else "absent" for name in names}
    return Film(f"film-{number}", labels, {name: 0.9 if name == called else 0.1 for name in names}, center=center)


FILMS = [
    film(0, BOTH, AIR, center="North"),  # half right: a false alarm and a miss
    film(1, BOTH, AIR),
    film(2, BOTH, FLUID),
    film(3, BOTH, BOTH),
    film(4, None, AIR),  # a false alarm that nothing explains
    film(5, AIR, BOTH),  # more was said than is there
    film(6, BOTH, None),
]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_of(write_small(tmp_path, FILMS, dict.fromkeys((AIR, BOTH, FLUID), 0.5)))


def found(store: Store, *outcomes: Outcome, **filters: str) -> set[tuple[str, str, str, int]]:
    those = explained_mistakes(store, Slice(NAME, MODEL, outcomes=outcomes, **filters))  # type: ignore[arg-type]
    return {(each.outcome, each.narrow, each.broad, each.films) for each in those}


ALARMS = {("false alarm", BOTH, AIR, 2), ("false alarm", BOTH, FLUID, 1)}
MISSES = {("miss", BOTH, AIR, 2), ("miss", BOTH, FLUID, 1)}


def test_false_alarms_and_misses_that_a_related_finding_explains(store: Store) -> None:
    assert found(store, Outcome.FALSE_ALARM) == ALARMS
    assert found(store, Outcome.MISS) == MISSES
    assert found(store, Outcome.MISS, Outcome.FALSE_ALARM) == ALARMS | MISSES


def test_the_filters_of_the_slice_hold(store: Store) -> None:
    assert found(store, Outcome.FALSE_ALARM, center="North") == {("false alarm", BOTH, AIR, 1)}
    assert found(store, Outcome.FALSE_ALARM, finding=FLUID) == {("false alarm", BOTH, FLUID, 1)}
    assert found(store, Outcome.MISS, finding=AIR) == set(), "nothing that was called is part of it"
    assert found(store, Outcome.FALSE_ALARM, also_present=BOTH) == set(), "it asks for them already"


def test_other_outcomes_are_no_mistakes(store: Store) -> None:
    assert found(store) == found(store, Outcome.HIT) == set()


def test_the_outcomes_themselves_stay(store: Store) -> None:
    (air,) = store.tally(Slice(NAME, MODEL, finding=AIR, center="North"))
    assert (air.false_alarms, air.hits) == (1, 0)


def test_the_relations_of_a_cohort_count(tmp_path: Path) -> None:
    names = ("Opacity", "Haze")
    films = [Film("one", {"Opacity": "absent", "Haze": "present"}, {"Opacity": 0.9, "Haze": 0.1})]
    relations = (FindingRelation("Opacity", "broader than", "Haze"),)
    own = store_of(write_small(tmp_path, films, dict.fromkeys(names, 0.5), relations=relations))
    assert found(own, Outcome.FALSE_ALARM) == {("false alarm", "Haze", "Opacity", 1)}


ANY = Slice(NAME, MODEL)


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (
            ExplainedMistakes("false alarm", BOTH, AIR, 9, ANY),
            "9 false alarms of Pneumothorax are on films labeled Hydropneumothorax, which implies it.",
        ),
        (
            ExplainedMistakes("false alarm", BOTH, AIR, 1, ANY),
            "1 false alarm of Pneumothorax is on a film labeled Hydropneumothorax, which implies it.",
        ),
        (
            ExplainedMistakes("miss", BOTH, AIR, 1, ANY),
            "1 film with missed Hydropneumothorax was called Pneumothorax, which it implies.",
        ),
    ],
)
def test_words(one: ExplainedMistakes, words: str) -> None:
    assert one.words() == words

"""Whatever becomes of a file, the store gives the answer from before or refuses by its name; others answer as ever."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.cohorts.layout import DamagedCohort, Folder, NoCohort
from explorer.core.findings import Outcome
from explorer.store.results import StoreError
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.brute_force import NAME
from tests.support.damages import DAMAGES, Damage, damaged, delete
from tests.support.sealed import write_sealed
from tests.support.small_cohort import Film, write_small

pytestmark = pytest.mark.slow

MODELS = ("one", "other")
ASKED = ((NAME, "one"), (NAME, "other"), ("small", "reader"))
OWN = ("cases.parquet", "labels.parquet", "boxes.parquet", "appearances.parquet", "manifest.json")
OF_A_MODEL = (
    "models/{}.json",
    "operating_points/{}.parquet",
    "predictions/{}/part-00000.parquet",
    "predictions/{}/part-00001.parquet",
    "embeddings/{}/part-00000.parquet",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two cohorts, which every test leaves as they were."""
    place = tmp_path_factory.mktemp("whole")
    write_sealed(place)
    write_small(place, [Film(f"{n}", {"Mass": "present"}, {"Mass": n / 9}) for n in range(9)], {"Mass": 0.4})
    return place


@pytest.fixture(scope="module")
def before(place: Path) -> dict[tuple[str, str], dict[str, str]]:
    """What is answered while every file is whole."""
    said = answers(place)
    assert not [answer for each in said.values() for answer in each.values() if answer.startswith("!")]
    return said


def answers(place: Path) -> dict[tuple[str, str], dict[str, str]]:
    """What a new store says to every question of each model; a refusal begins with an exclamation mark."""
    store = Store(lambda: [Folder(path) for path in sorted(place.iterdir())])
    said = {who: _answers(store, *who) for who in ASKED}
    store.close()
    return said


def _answers(store: Store, cohort: str, model: str) -> dict[str, str]:
    every = Slice(cohort, model)
    misses = replace(every, outcomes=(Outcome.MISS,))
    case = "film 3" if cohort == NAME else "3"
    asked: dict[str, Callable[[], object]] = {
        "model": lambda: replace(store.model(cohort, model), files=None),
        "facets": lambda: replace(store.facets(cohort, model), version=""),
        "groups": lambda: store.groups(cohort, model, "cohort"),
        "count": lambda: store.count(every),
        "page": lambda: store.page(every, size=12),
        "shuffled": lambda: store.page(misses, size=12, shuffle=3),
        "films": lambda: store.films(misses).tolist(),
        "tally": lambda: store.tally(every),
        "column": lambda: [np.asarray(each).tolist() for each in _columns(store, every)],
        "called": lambda: store.called(every, "Mass"),
        "contradictions": lambda: store.contradictions(every),
        "patients": lambda: store.patients(cohort),
        "cases": lambda: store.cases(cohort, [case]),
        "scored": lambda: store.scored(cohort, model, [case]),
        "features": lambda: (found := store.features(cohort, model)).cases + tuple(found.vectors.ravel()),
        "rows": lambda: store.rows(every).to_pydict(),
        "sql": lambda: store.sql(every),
        "case": lambda: _scores_of(store, cohort, model, case),
    }
    few = None if cohort == NAME else ("model", "count", "page", "features", "rows")
    return {name: _said(ask) for name, ask in asked.items() if few is None or name in few}


def _columns(store: Store, every: Slice) -> list[object]:
    column = store.column(every, "Mass")
    return [column.case, column.label, column.score, column.threshold, column.weight]


def _scores_of(store: Store, cohort: str, model: str, case: str) -> object:
    """A case as one model sees it: what is left out of it is told beside it."""
    found = store.case(cohort, case)
    assert found is not None
    left_out = [each for each in found.left_out if each.startswith(f"Scores of {model} are")]
    if left_out:
        raise StoreError(left_out[0], "")
    scores = tuple(row for row in found.scores if row.model == model)
    if not scores:
        raise StoreError(f"{model} has not scored {cohort}", "")
    return replace(found, scores=scores, left_out=())


def _said(ask: Callable[[], object]) -> str:
    try:
        return repr(ask())
    except (StoreError, NoCohort, DamagedCohort) as refusal:
        return f"! {refusal}"


def is_named(file: str, refusal: str) -> bool:
    """By its path; one that says what is there, and is not there itself, by what it would say."""
    missing = {"manifest.json": f"no cohort '{NAME}'"} | {
        f"models/{model}.json": f"{model} has not scored" for model in MODELS
    }
    return file in refusal or (file in missing and missing[file] in refusal)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_the_same_answer_or_a_refusal_that_names_the_file(
    place: Path, before: dict[tuple[str, str], dict[str, str]], damage: Damage
) -> None:
    whole = contents(place)
    # What one model has the other has, too: but for a file that is gone, one of them does for each damage.
    models = MODELS if damage is delete else (MODELS[DAMAGES.index(damage) % 2],)
    for file in (*OWN, *(kind.format(model) for model in models for kind in OF_A_MODEL)):
        with damaged(place / NAME / file, damage, seed=1):
            for who, after in answers(place).items():
                for question, answer in after.items():
                    named = answer.startswith("!") and is_named(file, answer)
                    assert answer == before[who][question] or named, (file, who, question, answer)
                others = who[0] != NAME or (file not in OWN and f"/{who[1]}" not in file)
                assert not others or after == before[who], (file, who)
    assert contents(place) == whole


def test_files_that_are_put_back_are_answered_from_as_before(
    place: Path, before: dict[tuple[str, str], dict[str, str]]
) -> None:
    assert answers(place) == before


def contents(place: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}

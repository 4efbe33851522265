"""Maps made in the background: once, with progress, kept; what cannot be made says why."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.analysis.film_maps.film_map_job import FilmMapsJob
from explorer.analysis.film_maps.film_map_process import FilmMapHelper
from explorer.cohorts.film_map import FilmMap, KnownMap, features_version
from explorer.cohorts.layout import Folder
from explorer.core.progress import OnProgress
from explorer.store.store import Store
from models.refusal import Refusal
from tests.support.brute_force import map_of
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording

PLACES = {f"{at:02}": (100 * at, 50 * at) for at in range(12)}


def written(place: Path, *, features: bool = True) -> Folder:
    vectors = {case: [1.0, at / 10, (at % 3) - 1.0, 0.5] if features else [] for at, case in enumerate(PLACES)}
    return write_small(place, [Film(case, scores={"Mass": 0.5}, features=vectors[case]) for case in PLACES], {})


def until(job: FilmMapsJob, done: Callable[[object], bool], before: Callable[[], object] = lambda: None) -> object:
    """The answer that is waited for; `before` is called before each question."""
    end = time.monotonic() + 180
    while True:
        before()
        answer = job.ask(NAME, MODEL)
        if done(answer):
            return answer
        assert time.monotonic() < end
        time.sleep(0.01)


def is_map(answer: object) -> bool:
    return isinstance(answer, KnownMap)


def test_a_map_is_made_once_and_kept(tmp_path: Path) -> None:
    folder, calls, go_on = written(tmp_path), [], threading.Event()

    def make(where: Folder, model: str, on_progress: OnProgress) -> FilmMap:
        calls.append(model)
        on_progress(50, 1000)
        go_on.wait(60)
        return map_of(model, PLACES, features_version(where, model))

    store = store_of(folder)
    job = FilmMapsJob(store, make)
    assert job.ask(NAME, MODEL) == (0, 0) or calls
    until(job, lambda answer: answer == (50, 1000))
    go_on.set()
    until(job, is_map)
    assert is_map(FilmMapsJob(store, make).ask(NAME, MODEL)) and calls == [MODEL]
    job.close()
    store.close()


def test_a_map_that_is_kept_between_two_looks_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job ends after the store was asked and before the job is."""
    store = store_of(written(tmp_path))
    job = FilmMapsJob(store, lambda where, model, _: map_of(model, PLACES, features_version(where, model)))
    until(job, is_map)
    look, looks = store.film_map, []

    def too_early(cohort: str, model: str) -> KnownMap | None:
        looks.append(model)
        return None if len(looks) == 1 else look(cohort, model)

    monkeypatch.setattr(type(store), "film_map", lambda self, *words: too_early(*words))
    until(job, is_map, looks.clear)  # the map is kept a moment before the job has ended
    assert len(looks) == 2
    job.close()
    store.close()


def refusal_of(job: FilmMapsJob) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        until(job, is_map)
    return refusal.value


def test_scores_without_features_have_no_map(tmp_path: Path) -> None:
    store = store_of(written(tmp_path, features=False))
    job = FilmMapsJob(store)
    assert "has no features" in refusal_of(job).title and "has no features" in refusal_of(job).title
    job.close()
    store.close()


def test_a_map_that_cannot_be_kept_says_so(tmp_path: Path, wording: Wording) -> None:
    folder = written(tmp_path)
    (folder.path / "maps").write_text("in the way")
    store = store_of(folder)
    job = FilmMapsJob(store, lambda where, model, _: map_of(model, PLACES, features_version(where, model)))
    wording(refusal_of(job).title, "map")
    job.close()
    store.close()


@pytest.mark.slow
def test_another_process_makes_the_same(tmp_path: Path) -> None:
    folder = written(tmp_path)
    apart = FilmMapHelper()
    store = Store(lambda: [folder])
    job = FilmMapsJob(store, apart.of)
    known = until(job, is_map)
    assert isinstance(known, KnownMap) and known.map.cases == tuple(PLACES)
    job.close()
    store.close()
    apart.end()

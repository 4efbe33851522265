"""A playlist of films that earlier classes found easy, medium or hard."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE
from explorer.school.classroom.film_difficulty import film_difficulties
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.results import LearnerFilmAnswer
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.school.playlists.truth import Truth
from explorer.store.slices import Slice
from explorer.ui.shared.links import cohort_id
from explorer.ui.shared.services import Services
from explorer.ui.teach.handlers import TeachHandlers
from tests.explorer.school.classroom.kept_classes import keep_class
from tests.explorer.school.made import prepared_film
from tests.support.small_cohort import store_of
from tests.support.small_phantom import write_phantom

COHORT = "small-phantom"
SENT = {"state": {"cohort": cohort_id(COHORT)}, "kind": "normal"}
SHARES = {"easy": 1.0, "medium": 0.65, "hard": 0.1}  # of right answers


@pytest.fixture
def teaching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TeachHandlers:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    store = store_of(write_phantom(tmp_path / "cohorts", COHORT))
    services = Services(store, Images({}, list), None, cast(IntervalsJob, None))
    return TeachHandlers.of(services, None, PlaylistFiles(lambda: tmp_path / "playlists"))


def cases_of(teaching: TeachHandlers) -> list[str]:
    table = teaching.sources.store.rows(Slice(COHORT, "phantom"))
    return sorted(set(table["case"].to_pylist()))


def hold_class(teaching: TeachHandlers, folder: Path) -> dict[str, str]:
    """A class of 40 that found a third of six films easy, medium and hard; returns the band of each case."""
    bands = dict(zip(cases_of(teaching)[:6], [*SHARES] * 2, strict=True))
    films = [
        replace(made, entry=replace(made.entry, cohort=COHORT, case=case))
        for case in bands
        for made in [prepared_film(FilmQuestion("normal"), Truth({"Normal": "present"}, ""))]
    ]
    dice = np.random.default_rng(0)
    answers = [
        LearnerFilmAnswer(f"learner {learner:02}", film, LearnerAnswer(2, normal=bool(dice.random() < SHARES[band])))
        for learner in range(40)
        for film, band in enumerate(bands.values())
    ]
    folder.mkdir(parents=True)
    keep_class(folder, "20261125-101500-0a1b", films, answers)
    return bands


def test_films_are_drawn_by_difficulty_and_their_playlist_says_it(teaching: TeachHandlers, tmp_path: Path) -> None:
    drawing = teaching.drawing
    assert cast(Any, drawing.playlist_slice(SENT))["difficulty"] == {}
    order = SENT | {"n": 10, "seed": 1, "balance": "none", "title": "few", "difficulty": "medium"}
    assert cast(Any, drawing.playlist_drawn(order))["stage"] == "refused", "no class has answered yet"
    bands = hold_class(teaching, tmp_path / "home" / "classes")
    assert cast(Any, drawing.playlist_slice(SENT))["difficulty"] == {"easy": 2, "medium": 2, "hard": 2}
    assert cast(Any, drawing.playlist_slice(SENT | {"kind": "findings"}))["difficulty"] == dict.fromkeys(SHARES, 0)
    made = cast(Any, drawing.playlist_drawn(order))
    drawn = teaching.playlists.kept(made["key"]).playlist.films
    assert {film.case for film in drawn} == {case for case, band in bands.items() if band == "medium"}
    assert "Only 2 films found, not 10." in made["said"]
    shown = cast(Any, teaching.editing.playlist_shown({"key": made["key"]}))
    known = {each.case: found for each, found in film_difficulties().items()}
    for film, each in zip(drawn, shown["films"], strict=True):
        assert each["difficulty"].startswith("medium: ") and each["difficulty"].endswith("n 40")
        assert known[film.case].n == 40
    hidden = json.dumps(teaching.editing.playlist_shown({"key": made["key"], "hidden": True}))
    assert "average learner" not in hidden
    assert cast(Any, drawing.playlist_drawn(order | {"difficulty": "odd"}))["stage"] == "refused"
    assert cast(Any, drawing.playlist_drawn(order | {"kind": "findings"}))["stage"] == "refused"
    anything = cast(Any, drawing.playlist_drawn(order | {"difficulty": "any"}))
    assert anything["films"] == min(10, len(cases_of(teaching)))

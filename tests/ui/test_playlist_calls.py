"""What the server answers about playlists: nothing that tells while labels are hidden, nothing lost, nothing twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.school.playlists.playlist import FilmQuestion, Playlist, PlaylistFilm
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.simulator.address import make_address
from explorer.store.slices import Slice
from explorer.ui.shared.links import cohort_id
from explorer.ui.shared.services import Services
from explorer.ui.teach.handlers import TeachHandlers
from tests.support.small_cohort import store_of
from tests.support.small_phantom import write_phantom
from tests.support.wording import Wording

COHORT = "small-phantom"
HERNIA = make_address("A", 7, ["Hernia"])
FILMS = (PlaylistFilm(COHORT, "A-000001", FilmQuestion("findings")), PlaylistFilm("", HERNIA, FilmQuestion("normal")))


@pytest.fixture
def teaching(tmp_path: Path) -> TeachHandlers:
    store = store_of(write_phantom(tmp_path / "cohorts", COHORT))
    services = Services(store, Images({}, list), None, cast(IntervalsJob, None))
    return TeachHandlers.of(services, None, PlaylistFiles(lambda: tmp_path / "playlists"))


def saved(shown: dict[str, Any], **films: list[dict[str, Any]]) -> dict[str, Any]:
    """What the editor sends for what it shows."""
    asks = ("kind", "finding", "words", "before", "note")
    own = [{"at": at} | {name: film[name] for name in asks} for at, film in enumerate(shown["films"])]
    return {name: shown[name] for name in ("key", "version", "title", "about", "closing")} | {"films": own} | films


def test_hidden_labels_leave_the_server_neither_as_names_nor_as_addresses(teaching: TeachHandlers) -> None:
    key = teaching.playlists.add(Playlist("few", FILMS)).key
    shown = json.dumps(teaching.editing.playlist_shown({"key": key, "hidden": True}))
    open_ = json.dumps(teaching.editing.playlist_shown({"key": key, "hidden": False}))
    for told in ("A-000001", "Cardiomegaly", "A-000007", "Hernia"):
        assert told in open_ and told not in shown
    assert "phantom://" not in open_


def test_a_pair_can_be_asked_of_the_findings_that_a_film_was_made_with(teaching: TeachHandlers) -> None:
    key = teaching.playlists.add(Playlist("few", FILMS)).key
    shown = cast(Any, teaching.editing.playlist_shown({"key": key}))
    assert [film["pairs"] for film in shown["films"]] == [[], ["Hernia"]]


def test_films_are_moved_taken_out_and_asked_in_any_words(teaching: TeachHandlers, wording: Wording) -> None:
    key = teaching.playlists.add(Playlist("few", FILMS)).key
    shown = cast(Any, teaching.editing.playlist_shown({"key": key}))
    sent = saved(shown)
    sent["films"] = [sent["films"][1] | {"kind": "present", "finding": "fluid around the lung"}, sent["films"][0]]
    answer = cast(Any, teaching.editing.playlist_saved(sent))
    assert [film["finding"] for film in answer["films"]] == ["Pleural Effusion", ""]
    assert [film.case for film in teaching.playlists.kept(key).playlist.films] == [HERNIA, "A-000001"]
    refused = cast(Any, teaching.editing.playlist_saved(sent))
    assert refused["stage"] == "refused"
    wording(refused["title"])
    teaching.editing.playlist_saved(saved(answer, films=saved(answer)["films"][:1]))
    assert [film.case for film in teaching.playlists.kept(key).playlist.films] == [HERNIA]


def test_a_question_without_a_finding_names_its_film_and_changes_nothing(
    teaching: TeachHandlers, wording: Wording
) -> None:
    kept = teaching.playlists.add(Playlist("few", FILMS))
    sent = saved(cast(Any, teaching.editing.playlist_shown({"key": kept.key})))
    sent["films"][1] |= {"kind": "point", "finding": ""}
    refused = cast(Any, teaching.editing.playlist_saved(sent))
    assert refused["stage"] == "refused" and "Film 2" in refused["title"]
    wording(refused["title"])
    assert teaching.playlists.kept(kept.key) == kept


def test_cases_of_explore_go_in_once_each_with_the_finding_it_is_shown_for(
    teaching: TeachHandlers, wording: Wording
) -> None:
    ranked = teaching.sources.store.page(Slice(COHORT, "phantom"))[:3]
    ids = [film.id for film in ranked]
    sent = {"state": {"cohort": cohort_id(COHORT)}, "cases": [*ids, "gone"], "kind": "present", "title": "few"}
    sent["findings"] = {film.id: film.finding for film in ranked}
    answer = cast(Any, teaching.drawing.cases_to_playlist(sent))
    assert answer["said"] == "3 films added to few."
    again = cast(Any, teaching.drawing.cases_to_playlist(sent | {"into": answer["key"]}))
    assert "0 films" in again["said"] and "3 films" in again["said"]
    wording(again["said"])
    films = teaching.playlists.kept(answer["key"]).playlist.films
    assert {(film.case, film.question.finding) for film in films} == {(film.case, film.finding) for film in ranked}
    assert cast(Any, teaching.drawing.cases_to_playlist(sent | {"cases": ["gone"]}))["stage"] == "refused"


def test_an_imported_playlist_keeps_what_is_not_here_and_counts_it(teaching: TeachHandlers, wording: Wording) -> None:
    films = [{"cohort": "elsewhere", "case": str(number), "question": {"kind": "normal"}} for number in range(2)]
    films += [{"cohort": COHORT, "case": "gone", "question": {"kind": "normal"}}]
    text = json.dumps({"format": 1, "title": "theirs", "films": films})
    answer = cast(Any, teaching.editing.playlist_imported({"parts": [text[:30], text[30:]]}))
    assert "elsewhere" in answer["said"] and "gone" in answer["said"]
    wording(answer["said"])
    assert len(teaching.playlists.kept(answer["key"]).playlist.films) == 3

"""A playlist survives its file, whatever stands in it; what is no playlist is refused in a sentence that says why."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from explorer.school.playlists.playlist import (
    MAX_FILMS,
    MAX_MODELS,
    FilmQuestion,
    Playlist,
    PlaylistFilm,
    WrongPlaylist,
)
from explorer.school.playlists.playlist_json import (
    MAX_PLAYLIST_TITLE_CHARS,
    MAX_TEACHER_TEXT_CHARS,
    checked_playlist,
    parse_playlist,
    playlist_json,
    playlist_text,
    read_playlist,
)
from explorer.simulator.address import make_address
from tests.explorer.school.some_playlists import playlists

HERNIA = make_address("A", 7, ["Hernia"])


@given(playlists())
@settings(max_examples=60)
def test_a_playlist_comes_back_from_its_file_as_it_was(playlist: Playlist) -> None:
    assert parse_playlist(playlist_text(playlist)) == playlist
    assert parse_playlist(playlist_text(playlist).encode()) == playlist
    assert checked_playlist(playlist) == playlist  # what is kept is checked once and for all


def table(**changed: object) -> dict[str, Any]:
    film = {"cohort": "phantom", "case": "A-000006", "question": {"kind": "findings"}}
    words = {key: value for key, value in changed.items() if key in ("format", "title", "films", "seed", "about")}
    return {
        "format": 1,
        "title": "Effusions",
        "films": [film | {k: v for k, v in changed.items() if k not in words}],
        **words,
    }


def test_defaults_may_be_left_out() -> None:
    assert read_playlist(table()) == Playlist(
        "Effusions", (PlaylistFilm("phantom", "A-000006", FilmQuestion("findings")),)
    )


BAD = {
    "not JSON": ("{", "not JSON"),
    "deep": ("[" * 100_000, "not JSON"),
    "a list": ("[]", "not a playlist"),
    "another file": ('{"list": "a", "cases": []}', "`format` is not 1"),
    "a later version": (table(format=2), "another version"),
    "true is no format": (table(format=True), "another version"),
    "an unknown field": (table() | {"answers": []}, "'answers' is unknown"),
    "no title": (table(title=" \u200b"), "needs a title"),
    "a number as title": (table(title=3), "'title' is 3"),
    "a long title": (table(title="x" * (MAX_PLAYLIST_TITLE_CHARS + 1)), "The title is too long"),
    "a long text": (table(about="x" * (MAX_TEACHER_TEXT_CHARS + 1)), "2,001 characters, but the limit is 2,000"),
    "many films": (table(films=table()["films"] * (MAX_FILMS + 1)), f"up to {MAX_FILMS} films"),
    "a broken seed": (table(seed=-1), "'seed' is -1"),
    "no case": (table(case=""), "Film 1 has no name"),
    "a path as cohort": (table(cohort="../own"), "Film 1 has no name"),
    "a number as case": (table(case=6), "'case' is 6"),
    "an unknown kind": (table(question={"kind": "essay"}), "'kind' is 'essay'"),
    "no finding asked": (table(question={"kind": "point"}), "names no finding"),
    "a finding too many": (table(question={"kind": "normal", "finding": "Mass"}), "takes no finding"),
    "a pair of a real film": (table(question={"kind": "pair", "finding": "Mass"}), "needs a simulated film"),
    "no address": (table(cohort="", case="phantom://v1/C/1"), "Film 1 is not a simulated film"),
    "a pair without": (table(cohort="", case=HERNIA, question={"kind": "pair", "finding": "Mass"}), "Neither film"),
    "a link away": (table(link="https://example.org"), "leaves the page"),
    "models of no cohort": (table(cohort="", case=HERNIA, models=["phantom"]), "has no cohort but names models"),
    "a model twice": (table(models=["phantom", "phantom"]), "each once"),
    "many models": (table(models=list("abcde")), f"up to {MAX_MODELS}"),
    "a path as model": (table(models=["../own"]), "Film 1 has a model without a name"),
    "half a letter": (json.dumps(table(title="\ud800")), "'title' is"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "says"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_with_what_is_wrong_in_it(content: object, says: str) -> None:
    with pytest.raises(WrongPlaylist) as refused:
        parse_playlist(content if isinstance(content, str) else json.dumps(content))
    assert says in str(refused.value)
    assert refused.value.detail.endswith(".")


def test_a_pair_is_of_a_finding_that_the_film_was_made_with() -> None:
    film = PlaylistFilm("", HERNIA, FilmQuestion("pair", "Hernia"))
    assert read_playlist(playlist_json(Playlist("Pairs", (film,)))).films == (film,)

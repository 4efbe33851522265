"""docs/playlists.md against the code: its example is a playlist, its tables have every field, kind and limit."""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, fields
from pathlib import Path

from explorer.school.judging.judged import TAP_TOLERANCE
from explorer.school.playlists import playlist_json
from explorer.school.playlists.playlist import (
    MAX_FILMS,
    MAX_MODELS,
    QUESTION_KINDS,
    FilmQuestion,
    Playlist,
    PlaylistFilm,
)
from explorer.school.playlists.playlist_files import MAX_PLAYLISTS
from explorer.school.playlists.playlist_json import parse_playlist
from explorer.school.playlists.playlist_json import playlist_json as as_json
from explorer.school.preparing.film_picture import MAX_PICTURE_PX
from explorer.school.preparing.near_films import MAX_NEAR_FILMS
from explorer.ui.scripts import STATIC_FOLDER

TEXT = (Path(__file__).parents[4] / "docs" / "playlists.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[tuple[str, ...]]:
    """The rows of the table whose heading begins so."""
    lines = TEXT.split(f"| {heading} |", 1)[1].splitlines()[2:]
    table = lines[: next((at for at, line in enumerate(lines) if not line.startswith("|")), len(lines))]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in table]


def named(heading: str) -> set[str]:
    return {name for row in rows(heading) for name in re.findall(r"`(\w+)`", row[0])}


def test_the_example_is_a_playlist_and_uses_every_field() -> None:
    text = re.findall(r"```json\n(.+?)```", TEXT, re.S)[0]
    playlist = parse_playlist(text)
    assert as_json(playlist)["films"][0]["before"] == "A patient with cough."
    table = json.loads(text)
    assert set(table) == {"format", *(each.name for each in fields(Playlist))}
    assert {key for film in table["films"] for key in film} == {each.name for each in fields(PlaylistFilm)}
    assert {key for film in table["films"] for key in film["question"]} == {each.name for each in fields(FilmQuestion)}


def test_the_tables_have_every_field_and_kind() -> None:
    assert named("of a playlist") == {"format", *(each.name for each in fields(Playlist))}
    assert named("of a film") == {each.name for each in fields(PlaylistFilm)}
    assert tuple(row[0].strip("`") for row in rows("kind")) == QUESTION_KINDS
    assert [each.name for each in fields(Playlist) if each.default is each.default_factory is MISSING] == ["title"]
    assert [row[0] for row in rows("of a playlist") if row[1] == "needed"] == ["`title`"]


def test_the_limits_are_those_of_the_code() -> None:
    limits = {
        name: row[2]
        for heading in ("of a playlist", "of a film")
        for row in rows(heading)
        for name in re.findall(r"`(\w+)`", row[0])
    }
    assert limits["films"] == str(MAX_FILMS)
    assert limits["models"] == str(MAX_MODELS)
    assert limits["title"].startswith(f"{playlist_json.MAX_PLAYLIST_TITLE_CHARS} ")
    assert limits["case"].startswith(f"{playlist_json.MAX_CASE_CHARS} ")
    assert limits["question"].startswith(f"{playlist_json.MAX_QUESTION_CHARS} ")
    assert limits["mark"].startswith(f"{playlist_json.MAX_QUESTION_CHARS} ")
    for name in ("about", "closing", "before", "note", "link"):
        assert limits[name].startswith(f"{playlist_json.MAX_TEACHER_TEXT_CHARS:,} ")
    assert f"Up to {MAX_PLAYLISTS} playlists are kept" in TEXT
    assert f"at most {MAX_PICTURE_PX:,} px" in TEXT and {4: "four"}[MAX_NEAR_FILMS] + " nearest cases" in TEXT
    assert f"within {100 * TAP_TOLERANCE:.1f} % of the longer side" in TEXT


def test_the_page_asks_the_same_kinds() -> None:
    script = (STATIC_FOLDER / "shared" / "question_kinds.js").read_text(encoding="utf-8")
    kinds = re.search(r"KINDS = \{(.+?)\}", script)
    about = re.search(r"ABOUT_ONE = (\[.+?\])", script)
    assert kinds is not None and about is not None
    assert set(re.findall(r"(\w+): \"", kinds[1])) == set(QUESTION_KINDS)
    assert tuple(json.loads(about[1])) == ("point", "present", "pair")

"""`class file`: a playlist as one file; what cannot be made ready is told, and nothing half is written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.school.playlists.playlist import FilmQuestion, Playlist, PlaylistFilm
from explorer.school.playlists.playlist_json import playlist_text
from explorer.simulator.address import make_address
from tests.explorer.cli.command import run
from tests.support.wording import Wording, line_with

SIMULATED = PlaylistFilm("", make_address("A", 7, ["Mass"]), FilmQuestion("point", "Mass"), note="The note")
GONE = PlaylistFilm("gone", "case-1", FilmQuestion("normal"))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def playlist(*films: PlaylistFilm) -> str:
    Path("playlist.json").write_text(playlist_text(Playlist("Monday: masses", films)), encoding="utf-8")
    return "playlist.json"


def test_a_playlist_becomes_a_file_called_as_it_is(here: Path, wording: Wording) -> None:
    result = run("class", "file", playlist(SIMULATED, GONE), "--no-models")
    assert result.exit_code == 0
    assert re.fullmatch(r"1 of 2 films, 0\.\d MB: class-monday-masses\.html\n", result.stdout)
    wording(line_with(result.stderr, "Film 2", "gone"))
    text = (here / "class-monday-masses.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'id="class-data">(.*?)</script>', text, re.DOTALL)
    (film,) = json.loads(data)["films"]
    assert film["simulated"] and film["width"] == 512
    wording(film["words"], "Mass")
    assert "The note" not in text and "phantom://" not in text


@pytest.mark.parametrize(
    ("films", "words", "said"),
    [
        ((GONE,), (), "playlist has no film"),
        ((SIMULATED,), ("--out", "nowhere/class.html"), "folder nowhere"),
        ((SIMULATED,), ("--out", "playlist.json"), "playlist.json is"),
        ((SIMULATED,), ("--images", "x"), "x"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    here: Path, films: tuple[PlaylistFilm, ...], words: tuple[str, ...], said: str, wording: Wording
) -> None:
    result = run("class", "file", playlist(*films), "--no-models", *words)
    assert result.exit_code == 2 and said in result.stderr
    wording(line_with(result.stderr, said))
    assert not list(here.glob("*.html"))


@pytest.mark.parametrize("text", ["", "[]", '{"format": 9}'])
def test_a_file_that_is_no_playlist_is_refused(here: Path, text: str) -> None:
    (here / "other.json").write_text(text, encoding="utf-8")
    result = run("class", "file", "other.json", "--no-models")
    assert result.exit_code == 2 and result.stderr
    assert run("class", "file", "missing.json").exit_code == 2

"""Playlists on disk: whole, private, found by a key that nothing gives away."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.school.playlists.playlist import FilmQuestion, Playlist, PlaylistFilm, WrongPlaylist
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.school.playlists.playlist_json import MAX_PLAYLIST_TITLE_CHARS
from tests.support.wording import Wording

FILM = PlaylistFilm("phantom", "A-000006", FilmQuestion("findings"))


@pytest.fixture
def files(tmp_path: Path) -> Iterator[PlaylistFiles]:
    yield PlaylistFiles(lambda: tmp_path / "playlists")


def test_they_lie_below_the_home_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    kept = PlaylistFiles().add(Playlist("Monday"))
    path = tmp_path / "playlists" / f"{kept.key}.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_playlist_is_kept_changed_copied_and_forgotten(files: PlaylistFiles) -> None:
    one, other = files.add(Playlist("b", (FILM,))), files.add(Playlist("A"))
    assert [each.playlist.title for each in files.listed().kept] == ["A", "b"]
    assert one.key != other.key and files.kept(one.key) == one
    changed = files.change(one.key, lambda each: replace(each, about="first"), seen=one.version)
    assert files.kept(one.key).playlist == replace(one.playlist, about="first") == changed.playlist
    copied = files.duplicate(one.key)
    assert copied.playlist == replace(changed.playlist, title="Copy of b") and copied.key != one.key
    assert files.delete(one.key) == changed.playlist
    with pytest.raises(WrongPlaylist, match="no such playlist"):
        files.kept(one.key)
    assert len(files.listed().kept) == 2


def test_the_same_title_twice_has_two_keys_that_nobody_can_guess(files: PlaylistFiles) -> None:
    keys = {files.add(Playlist("Monday")).key for _ in range(20)}
    assert len(keys) == 20 and all(len(key) == 16 for key in keys)


def test_of_two_windows_neither_loses_what_the_other_did(files: PlaylistFiles) -> None:
    first = files.add(Playlist("one"))
    files.change(first.key, lambda each: replace(each, about="mine"), seen=first.version)
    with pytest.raises(WrongPlaylist, match="changed in another window"):
        files.change(first.key, lambda each: replace(each, about="yours"), seen=first.version)
    with ThreadPoolExecutor(4) as pool:  # films added from the case view name no version: each is kept
        list(
            pool.map(
                lambda _: files.change(first.key, lambda each: replace(each, films=(*each.films, FILM))), range(12)
            )
        )
    assert len(files.kept(first.key).playlist.films) == 12 and files.kept(first.key).playlist.about == "mine"


@pytest.mark.parametrize(
    "key", ["", "../../etc/passwd", "0123456789abcde", "0123456789ABCDEF", "0123456789abcdef\n", ".lock"]
)
def test_what_is_no_key_is_never_a_path(files: PlaylistFiles, key: str) -> None:
    for ask in (files.kept, files.delete, files.duplicate):
        with pytest.raises(WrongPlaylist, match="no such playlist"):
            ask(key)


def test_a_file_that_holds_no_playlist_is_named_and_stays(files: PlaylistFiles, tmp_path: Path) -> None:
    kept = files.add(Playlist("good"))
    (tmp_path / "playlists" / ("0" * 16 + ".json")).write_text("{")
    (tmp_path / "playlists" / "monday.json").write_text("{}")
    listed = files.listed()
    assert listed.kept == (kept,)
    assert [each.partition(" ")[0] for each in listed.unreadable] == [
        f"playlists/{'0' * 16}.json",
        "playlists/monday.json",
    ]
    assert "no JSON" in listed.unreadable[0] and "Import" in listed.unreadable[1]


def test_a_change_that_cannot_be_leaves_the_file_as_it_was(files: PlaylistFiles, tmp_path: Path) -> None:
    kept = files.add(Playlist("good"))
    with pytest.raises(WrongPlaylist, match="title"):
        files.change(kept.key, lambda each: replace(each, title=""))
    assert files.kept(kept.key) == kept
    assert {path.name for path in (tmp_path / "playlists").iterdir()} == {".lock", f"{kept.key}.json"}


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WrongPlaylist) as caught:
        PlaylistFiles(lambda: tmp_path / "file" / "playlists").add(Playlist("one"))
    wording(caught.value, "TAILSCOPE_HOME")


def test_a_copy_of_a_copy_keeps_its_title_within_bounds(files: PlaylistFiles) -> None:
    long = files.add(Playlist("x" * MAX_PLAYLIST_TITLE_CHARS))
    assert (
        files.duplicate(long.key).playlist.title
        == ("Copy of " + "x" * MAX_PLAYLIST_TITLE_CHARS)[:MAX_PLAYLIST_TITLE_CHARS]
    )

"""The playlists of this machine: one JSON file each below TAILSCOPE_HOME, written atomically.

A playlist is identified by its key, sixteen random hexadecimal digits, so nothing a visitor sends is ever a path.
Changes hold a lock and state the version they started from, so two windows cannot overwrite each other's work."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from explorer.school.playlists.playlist import Playlist, WrongPlaylist
from explorer.school.playlists.playlist_json import (
    MAX_PLAYLIST_TITLE_CHARS,
    checked_playlist,
    parse_playlist,
    playlist_text,
)
from models.cards.home import tailscope_home
from models.whole_file import atomic_write

MAX_PLAYLISTS = 500
COPY_OF = "Copy of "
_KEY = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class SavedPlaylist:
    """A saved playlist; `version` changes with its content."""

    key: str
    version: str
    playlist: Playlist


@dataclass(frozen=True, slots=True)
class PlaylistList:
    """The playlists sorted by title; `unreadable` has a sentence for each invalid file."""

    kept: tuple[SavedPlaylist, ...]
    unreadable: tuple[str, ...]


class PlaylistFiles:
    """The playlists in a folder, by default in TAILSCOPE_HOME. Safe across threads and processes.

    All methods raise WrongPlaylist for unknown keys, invalid playlists and failed writes.
    """

    def __init__(self, folder: Callable[[], Path] = lambda: tailscope_home() / "playlists") -> None:
        self._folder = folder

    def listed(self) -> PlaylistList:
        """Return all playlists."""
        kept, unreadable = [], []
        for path in sorted(self._folder().glob("[!.]*.json")):
            try:
                if _KEY.fullmatch(path.stem) is None:
                    raise WrongPlaylist("Its name is not a playlist's", "Import the file instead.")
                kept.append(_read(path))
            except WrongPlaylist as wrong:
                unreadable.append(f"playlists/{path.name} is left out. {wrong}")
        return PlaylistList(
            tuple(sorted(kept, key=lambda each: (each.playlist.title.casefold(), each.key))), tuple(unreadable)
        )

    def kept(self, key: str) -> SavedPlaylist:
        """Return the playlist with this key."""
        return _read(self._path(key))

    def add(self, playlist: Playlist) -> SavedPlaylist:
        """Save a new playlist."""
        ready = checked_playlist(playlist)
        with self._locked():
            if sum(1 for _ in self._folder().glob("[!.]*.json")) >= MAX_PLAYLISTS:
                raise WrongPlaylist(f"Up to {MAX_PLAYLISTS} playlists are kept", "Export and delete some first.")
            return self._write(secrets.token_hex(8), ready)

    def change(self, key: str, edit: Callable[[Playlist], Playlist], *, seen: str | None = None) -> SavedPlaylist:
        """Replace a playlist with the result of `edit`; `seen` is the version that the change started from."""
        with self._locked():
            before = self.kept(key)
            if seen is not None and seen != before.version:
                raise WrongPlaylist(
                    "This playlist was changed in another window",
                    "You now see its present version: make the change again.",
                )
            return self._write(key, checked_playlist(edit(before.playlist)))

    def duplicate(self, key: str) -> SavedPlaylist:
        """Save a copy of a playlist, with a title that says so."""
        playlist = self.kept(key).playlist
        return self.add(replace(playlist, title=f"{COPY_OF}{playlist.title}"[:MAX_PLAYLIST_TITLE_CHARS]))

    def delete(self, key: str) -> Playlist:
        """Delete a playlist and return it."""
        with self._locked():
            playlist = self.kept(key).playlist
            self._path(key).unlink()
            return playlist

    def _path(self, key: str) -> Path:
        if _KEY.fullmatch(key) is None:
            raise _no_playlist()
        return self._folder() / f"{key}.json"

    def _write(self, key: str, playlist: Playlist) -> SavedPlaylist:
        text = playlist_text(playlist)
        with atomic_write(self._path(key)) as partial:
            partial.touch(mode=0o600)
            partial.write_text(text, encoding="utf-8")
        return SavedPlaylist(key, _version(text.encode()), playlist)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Wait for the folder's lock, which ends with the process."""
        folder = self._folder()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                yield
            finally:
                os.close(handle)
        except OSError as error:
            raise WrongPlaylist(
                "The playlist cannot be saved", f"{error.strerror}. Make TAILSCOPE_HOME writable."
            ) from error


def _read(path: Path) -> SavedPlaylist:
    try:
        text = path.read_bytes()
    except FileNotFoundError as error:
        raise _no_playlist() from error
    except OSError as error:
        raise WrongPlaylist("The playlist cannot be read", f"{error.strerror}.") from error
    return SavedPlaylist(path.stem, _version(text), parse_playlist(text))


def _no_playlist() -> WrongPlaylist:
    return WrongPlaylist("There is no such playlist here", "It was deleted, or its link is from another machine.")


def _version(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]

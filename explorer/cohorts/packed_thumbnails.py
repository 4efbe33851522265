"""Finds the packed thumbnails of a cohort's simulated films, and packs them."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from threading import Lock

from explorer.cohorts.film_pack import DamagedPack, FilmPack, pack_key, write_pack
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.thumbnail_picture import THUMBNAIL_LOOK
from models.cards.known_file import file_state

FileStates = tuple[tuple[int, ...] | None, ...]  # None: missing


def simulated_films(folder: Folder) -> dict[str, str]:
    """Return the addresses of a cohort's simulated films by opaque id. Raises DamagedCohort."""
    table = read_table(folder.cases, ["case", "root", "file"])
    rows = zip(*(table[name].to_pylist() for name in table.column_names), strict=True)
    return {opaque_id(folder.name, "case", case): file for case, root, file in rows if root == PHANTOM and file}


def pack_thumbnails(target: Path, addresses: dict[str, str], pictures: Iterable[bytes | None]) -> None:
    """Write thumbnails in the order of the films; those that are None are left out. Raises OSError."""
    drawn = zip(addresses, pictures, strict=True)
    files = ((thumbnail_name(name), picture) for name, picture in drawn if picture is not None)
    write_pack(target, pack_key(addresses, THUMBNAIL_LOOK), files)


def thumbnail_name(name: str) -> str:
    """Return the name of a thumbnail's file, of the film with this opaque id."""
    return f"{name}.webp"


class ThumbnailPacks:
    """The packs of all cohorts, opened on first use and again when their files change. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._open: dict[Path, tuple[FileStates, FilmPack | None]] = {}
        self._damaged: set[tuple[Path, tuple[int, ...] | None]] = set()

    def picture(self, folder: Folder, name: str) -> bytes | None:
        """Return the packed thumbnail of the film with this opaque id; None if there is none."""
        while (pack := self._pack(folder)) is not None:
            try:
                return pack.read(thumbnail_name(name))
            except DamagedPack:
                logging.getLogger(__name__).warning("%s is damaged: its thumbnails are made again.", pack.path)
                with self._lock:
                    self._damaged.add((pack.path, _state(pack.path)))
                    self._open.pop(folder.path, None)
        return None

    def open_picture(self, folder: Folder, name: str) -> bytes | None:
        """Return a thumbnail of a pack that is open and unchanged, without waiting for another thread; else None."""
        known = self._open.get(folder.path)
        if known is None or known[1] is None or known[0] != _states(folder):
            return None
        try:
            return known[1].read(thumbnail_name(name))
        except DamagedPack:  # `picture` deals with it
            return None

    def has(self, folder: Folder) -> bool:
        """Whether a usable pack of the cohort's present films exists."""
        return self._pack(folder) is not None

    def _pack(self, folder: Folder) -> FilmPack | None:
        states = _states(folder)
        known = self._open.get(folder.path)
        if known is not None and known[0] == states:
            return known[1]
        with self._lock:
            found = self._opened(folder)
            self._open[folder.path] = states, found
            return found

    def _opened(self, folder: Folder) -> FilmPack | None:
        present = [path for path in folder.thumbnail_packs() if path.is_file()]
        usable = [path for path in present if (path, _state(path)) not in self._damaged]
        try:
            key = pack_key(simulated_films(folder), THUMBNAIL_LOOK) if usable else b""
        except DamagedCohort:
            return None
        for path in usable:
            try:
                return FilmPack(path, key)
            except DamagedPack:
                continue
        return None


def _states(folder: Folder) -> FileStates:
    return tuple(map(_state, (folder.cases, *folder.thumbnail_packs())))


def _state(path: Path) -> tuple[int, ...] | None:
    try:
        return file_state(path.stat())
    except OSError:
        return None

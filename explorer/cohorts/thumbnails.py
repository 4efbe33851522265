"""Thumbnails of a cohort's films: packed ahead for simulated films, else drawn once and kept in a file each."""

from __future__ import annotations

import time
from math import inf
from pathlib import Path
from threading import Lock

from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.film_source import FilmSource, SimulatedFilm, time_of
from explorer.cohorts.images import Images
from explorer.cohorts.kept_file import OptionalCache, write_private
from explorer.cohorts.layout import Folder
from explorer.cohorts.packed_thumbnails import ThumbnailPacks, thumbnail_name
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.thumbnail_picture import THUMBNAIL_PIXELS, webp_of
from models.radiograph import UnreadableRadiograph

_LOCKS = 64


class Thumbnails:
    """Makes and finds thumbnails. Thread-safe; simultaneous requests for one film make it only once.

    A film is named by its case's opaque id, like its file and its entry in a pack.
    """

    def __init__(self, images: Images) -> None:
        self.packs = ThumbnailPacks()
        self.last_requested = -inf  # monotonic seconds: of the last film on screen that had to be drawn
        self._images = images
        self._locks = tuple(Lock() for _ in range(_LOCKS))
        self._unreadable: set[tuple[FilmSource, int]] = set()
        self._keeping = OptionalCache("Thumbnails cannot be cached in %s: %s. Each is drawn again.")

    def kept(self, folder: Folder, name: str, film: FilmSource) -> bytes | None:
        """Return a film's thumbnail if it exists already; never waits for another film."""
        packed = self.packs.picture(folder, name) if isinstance(film, SimulatedFilm) else None
        if packed is not None:
            return packed
        changed, target = film.changed(), thumbnail_file(folder, name)
        return target.read_bytes() if changed is not None and time_of(target) == changed else None

    def webp(self, folder: Folder, case: str, root: str | None, file: str | None) -> bytes | None:
        """Return a case's thumbnail, drawn if necessary; None if its film is missing or cannot be read."""
        film = self._images.film(root, file)
        return None if film is None else self.requested(folder, opaque_id(folder.name, "case", case), film)

    def requested(self, folder: Folder, name: str, film: FilmSource) -> bytes | None:
        """Return the thumbnail of a film on screen, drawn if necessary; None if it cannot be read."""
        kept = self.kept(folder, name, film)
        if kept is not None:
            return kept
        self.last_requested = time.monotonic()
        return self.drawn(folder, name, film)

    def drawn(self, folder: Folder, name: str, film: FilmSource) -> bytes | None:
        """Return a film's thumbnail from its file, which is written now if necessary; None if it cannot be read.

        The file has the film's modification time, so a changed film gets a new thumbnail. If files cannot be written,
        each thumbnail is drawn on demand. Drawing yields to requests for films.
        """
        changed, target = film.changed(), thumbnail_file(folder, name)
        if changed is None:
            return None
        with self._locks[hash(target) % _LOCKS]:
            if time_of(target) == changed:
                return target.read_bytes()
            if (film, changed) in self._unreadable:
                return None
            try:
                with DECODERS.turn(str(film), low_priority=True):
                    pixels = film.radiograph(THUMBNAIL_PIXELS).pixels
            except UnreadableRadiograph:
                self._unreadable.add((film, changed))
                return None
            picture = webp_of(pixels)
            with self._keeping.into(target.parent):
                write_private(target, picture, changed, changed)
            return picture


def save_thumbnail(folder: Folder, case: str, film: Path, picture: bytes) -> None:
    """Save a thumbnail that was already made from a film's file. Raises OSError."""
    changed = time_of(film)
    if changed is not None:
        write_private(thumbnail_file(folder, opaque_id(folder.name, "case", case)), picture, changed, changed)


def thumbnail_file(folder: Folder, name: str) -> Path:
    """Return the file of a single thumbnail."""
    return folder.thumbnails / thumbnail_name(name)

"""Thumbnails of a cohort's films: 160 px WebP, made once from the film as models see it."""

from __future__ import annotations

import io
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.film_source import FilmSource, time_of
from explorer.cohorts.images import Images
from explorer.cohorts.kept_file import OptionalCache, write_private
from explorer.cohorts.layout import Folder
from explorer.cohorts.public_ids import opaque_id
from models.radiograph import UnreadableRadiograph

THUMBNAIL_PIXELS = 160  # longer side
WEBP_QUALITY = 80
_LOCKS = 64


class Thumbnails:
    """Makes and finds thumbnails. Thread-safe; simultaneous requests for one film make it only once."""

    def __init__(self, images: Images) -> None:
        self._images = images
        self._locks = tuple(Lock() for _ in range(_LOCKS))
        self._unreadable: set[tuple[FilmSource, int]] = set()
        self._keeping = OptionalCache("Thumbnails cannot be cached in %s: %s. Each is drawn again.")

    def kept(self, folder: Folder, case: str, root: str | None, file: str | None) -> bytes | None:
        """Return a case's thumbnail if it exists already; never waits."""
        film, target = self._images.film(root, file), _file_of(folder, case)
        changed = None if film is None else film.changed()
        return target.read_bytes() if changed is not None and time_of(target) == changed else None

    def webp(self, folder: Folder, case: str, root: str | None, file: str | None) -> bytes | None:
        """Return a case's thumbnail; None if its film is missing or cannot be read.

        The file has the film's modification time, so a changed film gets a new thumbnail. If files cannot be written,
        each thumbnail is drawn on demand. Drawing yields to requests for films.
        """
        film, target = self._images.film(root, file), _file_of(folder, case)
        changed = None if film is None else film.changed()
        if film is None or changed is None:
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
        write_private(_file_of(folder, case), picture, changed, changed)


def _file_of(folder: Folder, case: str) -> Path:
    return folder.thumbnails / f"{opaque_id(folder.name, 'case', case)}.webp"


def webp_of(pixels: NDArray[np.float32]) -> bytes:
    """Return a film (h, w) in [0, 1] as a thumbnail."""
    picture = io.BytesIO()
    shrunk_image(pixels, THUMBNAIL_PIXELS).save(picture, "WEBP", quality=WEBP_QUALITY)
    return picture.getvalue()


def shrunk_image(pixels: NDArray[np.float32], longest: int) -> Image.Image:
    """Return a film (h, w) in [0, 1] as 8-bit gray with `longest` pixels on its longer side; never enlarges."""
    height, width = pixels.shape
    scale = min(1.0, longest / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = Image.fromarray(pixels).resize(size, Image.Resampling.BOX)
    return Image.fromarray(np.rint(np.asarray(small) * 255).clip(0, 255).astype(np.uint8))

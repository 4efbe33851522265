"""Small pictures of a cohort's films: 160 px WebP, each made once from the film as the models see it."""

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
from explorer.cohorts.kept_file import Keeping, write_private
from explorer.cohorts.layout import Folder
from explorer.cohorts.public_ids import opaque
from models.radiograph import UnreadableRadiograph

LONGEST = 160  # pixels of the longer side
QUALITY = 80
_LOCKS = 64


class Thumbnails:
    """Makes and finds them. Safe to use from several threads; two that ask for the same film make it once."""

    def __init__(self, images: Images) -> None:
        self._images = images
        self._locks = tuple(Lock() for _ in range(_LOCKS))
        self._unreadable: set[tuple[FilmSource, int]] = set()
        self._keeping = Keeping("Thumbnails cannot be cached in %s: %s. Each is drawn again.")

    def kept(self, folder: Folder, case: str, root: str | None, file: str | None) -> bytes | None:
        """The thumbnail of a case where it was made before; waits for nobody."""
        film, target = self._images.film(root, file), _file_of(folder, case)
        changed = None if film is None else film.changed()
        return target.read_bytes() if changed is not None and time_of(target) == changed else None

    def webp(self, folder: Folder, case: str, root: str | None, file: str | None) -> bytes | None:
        """The thumbnail of a case; None where its film is not there or cannot be read.

        Its file carries the film's time of change: a film that changed is drawn again. Where no file can be written
        each is drawn anew. To make one waits until nobody waits for a film.
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
                with DECODERS.turn(str(film), gives_way=True):
                    pixels = film.radiograph(LONGEST).pixels
            except UnreadableRadiograph:
                self._unreadable.add((film, changed))
                return None
            picture = webp_of(pixels)
            with self._keeping.into(target.parent):
                write_private(target, picture, changed, changed)
            return picture


def keep_picture(folder: Folder, case: str, film: Path, picture: bytes) -> None:
    """A small picture that somebody has made of a film's file. Raises OSError."""
    changed = time_of(film)
    if changed is not None:
        write_private(_file_of(folder, case), picture, changed, changed)


def _file_of(folder: Folder, case: str) -> Path:
    return folder.thumbnails / f"{opaque(folder.name, 'case', case)}.webp"


def webp_of(pixels: NDArray[np.float32]) -> bytes:
    """A film (h, w) in [0, 1] as a small picture."""
    picture = io.BytesIO()
    shrunk(pixels, LONGEST).save(picture, "WEBP", quality=QUALITY)
    return picture.getvalue()


def shrunk(pixels: NDArray[np.float32], longest: int) -> Image.Image:
    """A film (h, w) in [0, 1] as 8-bit gray, the longer side of so many pixels; a smaller one keeps its size."""
    height, width = pixels.shape
    scale = min(1.0, longest / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = Image.fromarray(pixels).resize(size, Image.Resampling.BOX)
    return Image.fromarray(np.rint(np.asarray(small) * 255).clip(0, 255).astype(np.uint8))

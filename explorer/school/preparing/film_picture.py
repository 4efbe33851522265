"""A film as a picture without metadata: WebP, with the page's initial window."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.thumbnail_picture import shrunk_image

MAX_PICTURE_PX = 1024  # pixels of the longer side
PICTURE_QUALITY = 85


@dataclass(frozen=True, slots=True)
class FilmPicture:
    """The bytes of a WebP, and its size in pixels."""

    webp: bytes
    width: int
    height: int


def film_picture(pixels: NDArray[np.float32], longest: int = MAX_PICTURE_PX) -> FilmPicture:
    """Return a film (h, w) in [0, 1] as a picture; films smaller than `longest` keep their size."""
    picture, written = shrunk_image(pixels, longest), io.BytesIO()
    picture.save(written, "WEBP", quality=PICTURE_QUALITY, method=4, exif=b"", icc_profile=b"", xmp=b"")
    return FilmPicture(written.getvalue(), *picture.size)

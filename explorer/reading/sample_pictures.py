"""Thumbnails of the samples: those of simulated ones ship, the others are drawn on demand and cached."""

from __future__ import annotations

from explorer.cohorts.simulated_films import RENDER_HERE, FilmFiles
from explorer.cohorts.thumbnail_picture import webp_of
from explorer.reading.samples import SAMPLES, THUMBNAIL_NAME, NoSample, sample_bytes, shipped_file
from explorer.runtime.cached_per_owner import cached_per_owner
from models.radiograph import read_radiograph


def sample_webp(key: str, films: FilmFiles = RENDER_HERE) -> bytes:
    """Return the thumbnail of one of the page's samples; simulated ones that were not shipped come from `films`.

    Raises NoSample (also if the samples' package is not installed), and the errors of `films` if too many are waiting.
    """
    if key not in {sample.key for sample in SAMPLES}:
        raise NoSample("This sample does not exist", "Choose one of those on the page.")
    return shipped_file(THUMBNAIL_NAME.format(key)) or _picture(films, key)


@cached_per_owner(len(SAMPLES))
def _picture(films: FilmFiles, key: str) -> bytes:
    return webp_of(read_radiograph(sample_bytes(key, films)).pixels)

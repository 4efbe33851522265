"""Small pictures of the samples, made from the films themselves when the page asks for them and kept in memory."""

from __future__ import annotations

from functools import lru_cache

from explorer.cohorts.thumbnails import webp_of
from explorer.reading.samples import SAMPLES, NoSample, sample_bytes
from models.radiograph import read_radiograph


@lru_cache(maxsize=len(SAMPLES))
def sample_webp(key: str) -> bytes:
    """The picture of a sample of the page. Raises NoSample, also where its package is not installed."""
    if key not in {sample.key for sample in SAMPLES}:
        raise NoSample("There is no such sample", "Choose one of those on the page.")
    return webp_of(read_radiograph(sample_bytes(key)).pixels)

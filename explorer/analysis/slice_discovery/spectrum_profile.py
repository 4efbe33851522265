"""How much of a film's detail is coarse and how much is fine: its power spectrum, averaged over all directions.

What Halimi, Themyr and Abreu cluster (Revealing Hidden Failure Modes in Chest X-ray Classification via Spectral Domain
Analysis, MIDL 2026): sharpness, noise and grids of an acquisition, whatever is on the film.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from explorer.analysis.slice_discovery.candidate_facets import Facet
from explorer.core.arrays import Floats
from models.array_types import Bools

LONGEST = 160  # pixels of the longer side: what thumbnails are made at
BANDS = 32  # of equal width, up to half a cycle per pixel
FINE = BANDS // 2  # the first band of fine detail: a quarter of a cycle per pixel, some 4 mm on a chest film
QUARTER = 0.25  # of the films, with the least of it and with the most
_DARK = 1e-9  # of the power: keeps the logarithm finite on an empty film


def spectrum_profile(pixels: NDArray[np.float32]) -> Floats:
    """The common logarithm of each band's share of the power (BANDS,) of a film (h, w) in [0, 1].

    The film is made smaller to LONGEST, its mean is taken away, and its borders fade by Hann's window.
    """
    small = _shrunk(pixels)
    faded = (small - small.mean()) * np.outer(np.hanning(small.shape[0]), np.hanning(small.shape[1]))
    power = np.abs(np.fft.fft2(faded)) ** 2
    rows, columns = (np.fft.fftfreq(each) for each in small.shape)
    band = np.floor(np.hypot(rows[:, None], columns[None]) * 2 * BANDS).astype(np.int64)
    inside = band < BANDS  # the corners, finer than half a cycle along a side, are of no direction's average
    total = np.bincount(band[inside], weights=power[inside], minlength=BANDS)
    count = np.bincount(band[inside], minlength=BANDS)
    mean = total / np.maximum(count, 1)
    share = mean / mean.sum() if mean.sum() > 0 else np.full(BANDS, 1 / BANDS)
    profile: Floats = np.round(np.log10(share + _DARK), 4)
    return profile


def detail_traits(profiles: Floats) -> tuple[tuple[Facet, Bools], ...]:
    """In words what films look like at either end of their profiles (films, BANDS), NaN where a film has none.

    By the share of the power in fine detail: the quarter of the films with least of it, and that with most.
    """
    fine = (10 ** profiles[:, FINE:]).sum(axis=1)
    there = ~np.isnan(fine)
    if not there.any():
        return ()
    low, high = np.quantile(fine[there], (QUARTER, 1 - QUARTER))
    soft, sharp = np.asarray(there & (fine < low)), np.asarray(there & (fine > high))
    return (
        (Facet("detail", "little", "films with little fine detail (soft)"), soft),
        (Facet("detail", "much", "films with much fine detail (sharp or noisy)"), sharp),
    )


def _shrunk(pixels: NDArray[np.float32]) -> Floats:
    height, width = pixels.shape
    scale = min(1.0, LONGEST / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = Image.fromarray(np.asarray(pixels, dtype=np.float32)).resize(size, Image.Resampling.BOX)
    return np.asarray(small, dtype=np.float64)

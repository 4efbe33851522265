"""Computes a film's radially averaged power spectrum: how much of its detail is coarse or fine.

Halimi, Themyr and Abreu cluster such spectra (Revealing Hidden Failure Modes in Chest X-ray Classification via Spectral
Domain Analysis, MIDL 2026): they reflect sharpness, noise and grids of the acquisition rather than findings.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from explorer.analysis.slice_discovery.candidate_facets import Facet
from explorer.core.arrays import Floats
from models.array_types import Bools

MAX_PROFILE_SIDE_PX = 160  # px of the longer side, as for thumbnails
BANDS = 32  # of equal width, up to half a cycle per pixel
FIRST_FINE_BAND = BANDS // 2  # first band of fine detail: a quarter cycle per pixel, about 4 mm on a chest film
QUARTER = 0.25  # share of films called soft, and of films called sharp
_DARK = 1e-9  # share of power; keeps the logarithm finite on an empty film


def spectrum_profile(pixels: NDArray[np.float32]) -> Floats:
    """Return log10 of each band's share of the power, (BANDS,), for a film (h, w) in [0, 1].

    The film is shrunk, its mean subtracted and a Hann window applied.
    """
    small = _shrunk(pixels)
    faded = (small - small.mean()) * np.outer(np.hanning(small.shape[0]), np.hanning(small.shape[1]))
    power = np.abs(np.fft.fft2(faded)) ** 2
    rows, columns = (np.fft.fftfreq(each) for each in small.shape)
    band = np.floor(np.hypot(rows[:, None], columns[None]) * 2 * BANDS).astype(np.int64)
    inside = band < BANDS  # the corners exceed half a cycle per pixel and do not cover all directions
    total = np.bincount(band[inside], weights=power[inside], minlength=BANDS)
    count = np.bincount(band[inside], minlength=BANDS)
    mean = total / np.maximum(count, 1)
    share = mean / mean.sum() if mean.sum() > 0 else np.full(BANDS, 1 / BANDS)
    profile: Floats = np.round(np.log10(share + _DARK), 4)
    return profile


def detail_traits(profiles: Floats) -> tuple[tuple[Facet, Bools], ...]:
    """Return the facets of soft and of sharp films from profiles (films, BANDS), NaN for films without one.

    They are the quarters of the films with the least and the most power in fine detail.
    """
    fine = (10 ** profiles[:, FIRST_FINE_BAND:]).sum(axis=1)
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
    scale = min(1.0, MAX_PROFILE_SIDE_PX / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = Image.fromarray(np.asarray(pixels, dtype=np.float32)).resize(size, Image.Resampling.BOX)
    return np.asarray(small, dtype=np.float64)

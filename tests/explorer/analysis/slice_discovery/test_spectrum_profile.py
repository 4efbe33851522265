"""The power spectrum of a film: its peak is where the wave is, and its ends have words."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.analysis.slice_discovery.film_spectra import BANDS, detail_traits, spectrum_profile
from tests.support.wording import Wording


def test_the_ends_of_spectra_have_words(wording: Wording) -> None:
    profiles = np.random.default_rng(2).normal(-2, 0.2, (200, BANDS))
    profiles[:60, BANDS // 2 :] -= 2
    profiles[60:110, BANDS // 2 :] += 1
    profiles[7] = np.nan
    little, much = detail_traits(profiles)
    assert much[0].words.startswith("films with much")
    wording(little[0].words, "little")
    assert set(np.flatnonzero(little[1])) < set(range(60)) and set(np.flatnonzero(much[1])) <= set(range(60, 110))
    assert little[1].sum() == much[1].sum() == 50 and not little[1][7]
    assert detail_traits(np.full((3, BANDS), np.nan)) == ()


@pytest.mark.parametrize("band", [3, 10, 25])
def test_a_spectrum_has_its_peak_where_the_wave_is(band: int) -> None:
    wave = (band + 0.5) / (2 * BANDS)  # cycles per pixel
    film = (0.5 + 0.4 * np.sin(2 * np.pi * wave * np.arange(160))[None] * np.ones((160, 1))).astype(np.float32)
    profile = spectrum_profile(film)
    assert profile.shape == (BANDS,) and profile.argmax() == band
    assert spectrum_profile(0.5 * film + 0.2) == pytest.approx(profile, abs=1e-3)  # however bright


def test_noise_has_as_much_in_every_band_and_an_empty_film_too() -> None:
    noise = np.random.default_rng(0).random((160, 160)).astype(np.float32)
    assert np.ptp(spectrum_profile(noise)[2:]) < 0.3
    assert np.ptp(spectrum_profile(np.zeros((90, 160), np.float32))) == 0

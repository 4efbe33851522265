"""Detector, processing, collimator and markers: a finding changes the film where it is, noise follows the quanta."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.simulator.anatomy.form import form_of
from explorer.simulator.anatomy.rough import rough_attenuation
from explorer.simulator.beam import Beam
from explorer.simulator.detector import DETECTORS, detect_signal
from explorer.simulator.film import expose
from explorer.simulator.markers import _STROKES, _WORDS, add_markers
from explorer.simulator.patient import describe
from explorer.simulator.request import CENTERS, Center
from explorer.simulator.shapes import ellipsoid
from models.array_types import Float32


def _scene(center: Center, size: int = 160, seed: int = 4) -> tuple[Beam, Float32, Float32]:
    patient = describe(seed, center)
    form = form_of(patient)
    beam, small = (Beam.aim(patient, form, pixels) for pixels in (size, 48))
    return beam, rough_attenuation(form, beam), rough_attenuation(form, small)


@pytest.mark.parametrize("center", CENTERS)
def test_the_film_is_between_black_and_white_and_always_the_same(center: Center) -> None:
    beam, attenuation, coarse = _scene(center)
    film = expose(attenuation, coarse, beam)
    assert film.dtype == np.float32
    assert film.shape == (160, 160)
    assert film.min() >= 0
    assert film.max() <= 1
    assert film.tobytes() == expose(attenuation.copy(), coarse.copy(), beam).tobytes()


@pytest.mark.parametrize("center", CENTERS)
def test_lung_is_dark_and_mediastinum_bright(center: Center) -> None:
    beam, attenuation, coarse = _scene(center, 224)
    film = expose(attenuation, coarse, beam)
    size = film.shape[0]
    middle = film[size // 3 : size // 2]
    assert 0.2 < np.quantile(middle, 0.3) < 0.7
    assert np.quantile(middle, 0.95) > 0.6


@pytest.mark.parametrize("center", CENTERS)
def test_a_local_change_stays_local(center: Center) -> None:
    beam, attenuation, coarse = _scene(center, 224)
    blob = ellipsoid(beam, (-6.0, 9.0, 0.0), (1.5, 1.5, 1.5))
    difference = np.abs(expose(attenuation + 0.2 * blob, coarse, beam) - expose(attenuation, coarse, beam))
    near = ellipsoid(beam, (-6.0, 9.0, 0.0), (2.6, 2.6, 1.0)) > 0  # a centimeter wider
    assert difference.max() > 0.03
    assert difference[near].sum() > 0.95 * difference.sum()


def test_noise_grows_with_density_and_is_stronger_on_portable_films() -> None:
    def noise(center: Center, thick: float) -> float:
        beam, attenuation, _ = _scene(center)
        flat = np.full_like(attenuation, thick)
        seen = detect_signal(flat, np.full((48, 48), thick, np.float32), beam, DETECTORS[beam.patient.center])
        return float(np.diff(seen, axis=0).std())

    assert noise("A", 4.0) > 1.5 * noise("A", 2.0)
    assert noise("B", 3.0) > 2 * noise("A", 3.0)


def test_the_side_letter_stands_on_its_side() -> None:
    right = left = 0
    for seed in range(30):
        beam, _, _ = _scene("A", 128, seed)
        ink = add_markers(np.zeros((128, 128), np.float32), beam) > 0.5
        on_right, on_left = ink[:, :64].any(), ink[:, 64:].any()  # the patient's right is the image's left
        assert on_right != on_left
        right, left = right + int(on_right), left + int(on_left)
    assert min(right, left) > 0


def test_every_word_can_be_written() -> None:
    assert set("".join(_WORDS) + "APRL") <= set(_STROKES)


def test_a_portable_film_says_how_it_was_taken() -> None:
    inked = {}
    for view in ("AP", "PA"):
        seed = next(seed for seed in range(60) if describe(seed, "B").view == view)
        beam, _, _ = _scene("B", 256, seed)
        inked[view] = int((add_markers(np.zeros((256, 256), np.float32), beam) > 0.5).sum())
    assert inked["AP"] > inked["PA"] > 0

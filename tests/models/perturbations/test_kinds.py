"""Each kind of perturbation on a picture made by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from models.array_types import Float32
from models.perturbations.registry import PERTURBATIONS

SIDE = 64


def changed(name: str, pixels: Float32, dial: float = 0.0, seed: int = 0) -> Float32:
    return PERTURBATIONS[name].change(pixels, dial, np.random.default_rng(seed))


def flat(gray: float, side: int = SIDE) -> Float32:
    return np.full((side, side), gray, np.float32)


def dot(row: int, column: int, side: int = SIDE) -> Float32:
    pixels = flat(0.0, side)
    pixels[row, column] = 1
    return pixels


def center_of_mass(pixels: Float32) -> tuple[float, float]:
    rows, columns = np.indices(pixels.shape)
    return float((rows * pixels).sum() / pixels.sum()), float((columns * pixels).sum() / pixels.sum())


def test_a_mirrored_film_has_its_left_on_the_right() -> None:
    assert_allclose(changed("flip", np.array([[0.1, 0.2, 0.3]], np.float32)), [[0.3, 0.2, 0.1]])


@pytest.mark.parametrize("seed", range(4))
def test_a_dot_right_of_the_center_is_rotated_about_it(seed: int) -> None:
    turned = changed("rotation", dot(31, 52, 63), 30, seed)  # 21 pixels right of the center (31, 31)
    row, column = center_of_mass(turned)
    assert abs(row - 31) == pytest.approx(21 * np.sin(np.pi / 6), abs=0.1)
    assert column - 31 == pytest.approx(21 * np.cos(np.pi / 6), abs=0.1)


def test_both_sides_are_turned_to() -> None:
    rows = {center_of_mass(changed("rotation", dot(31, 52, 63), 30, seed))[0] > 31 for seed in range(12)}
    assert rows == {True, False}


def test_a_dot_moves_by_a_share_of_the_longer_side() -> None:
    row, column = center_of_mass(changed("shift", dot(32, 32), 0.125))
    assert np.hypot(row - 32, column - 32) == pytest.approx(8, abs=0.1)


def test_half_of_a_ramp_is_left_after_a_crop_of_half() -> None:
    ramp = np.tile(np.linspace(0, 1, SIDE, dtype=np.float32), (SIDE, 1))
    cropped = changed("crop", ramp, 0.5)
    assert cropped.shape == ramp.shape
    assert np.ptp(cropped) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("name", "dial", "before", "after"),
    [
        ("brightness-up", 1.5, [0.2, 0.4], [0.3, 0.6]),
        ("brightness-down", 0.5, [0.2, 0.4], [0.1, 0.2]),
        ("contrast-up", 2.0, [0.4, 0.6], [0.3, 0.7]),
        ("contrast-down", 0.5, [0.4, 0.6], [0.45, 0.55]),
        ("gamma-up", 2.0, [0.5, 1.0], [0.25, 1.0]),
        ("gamma-down", 0.5, [0.25, 0.0], [0.5, 0.0]),
        ("inversion", 0.0, [0.25, 1.0], [0.75, 0.0]),
    ],
)
def test_grays_are_changed_as_by_hand(name: str, dial: float, before: list[float], after: list[float]) -> None:
    assert_allclose(changed(name, np.array([before], np.float32), dial), [after], atol=1e-6)


def spread(name: str, gray: float, dial: float) -> float:
    return float((changed(name, flat(gray, 256), dial) - gray).std())


def test_gaussian_noise_is_as_strong_on_dark_as_on_bright() -> None:
    assert spread("gaussian-noise", 0.2, 0.05) == pytest.approx(0.05, rel=0.02)
    assert spread("gaussian-noise", 0.8, 0.05) == pytest.approx(0.05, rel=0.02)


def test_quantum_noise_is_ten_times_as_strong_on_white_as_on_black() -> None:
    """The exposure is a hundredth there, and the noise of a logarithm goes with one over its root."""
    assert spread("quantum-noise", 0.0, 0.002) == pytest.approx(0.002, rel=0.02)
    assert spread("quantum-noise", 0.5, 0.002) == pytest.approx(0.002 * 10**0.5, rel=0.02)
    assert spread("quantum-noise", 1.0, 0.002) == pytest.approx(0.02, rel=0.02)


def test_speckle_noise_goes_with_the_gray() -> None:
    assert spread("speckle-noise", 0.0, 0.1) == 0
    assert spread("speckle-noise", 0.8, 0.1) == pytest.approx(0.08, rel=0.02)


def test_shot_noise_keeps_the_mean_and_goes_with_the_root_of_the_gray() -> None:
    noisy = changed("shot-noise", flat(0.25, 256), 100)
    assert noisy.mean() == pytest.approx(0.25, rel=0.01)
    assert noisy.std() == pytest.approx((0.25 / 100) ** 0.5, rel=0.02)


def test_defective_pixels_are_black_and_white_equally_often() -> None:
    noisy = changed("impulse-noise", flat(0.5, 256), 0.1)
    assert np.mean(noisy == 0) == pytest.approx(0.05, rel=0.1) and np.mean(noisy == 1) == pytest.approx(0.05, rel=0.1)
    assert np.mean(noisy == 0.5) == pytest.approx(0.9, rel=0.01)


def test_a_dot_is_blurred_to_a_gaussian_of_the_same_sum() -> None:
    blurred = changed("detector-blur", dot(32, 32), 0.05)  # 3.2 pixels
    row, _ = center_of_mass(blurred)
    variance = float(((np.indices(blurred.shape)[0] - row) ** 2 * blurred).sum() / blurred.sum())
    assert blurred.sum() == pytest.approx(1, rel=1e-3) and variance**0.5 == pytest.approx(3.2, rel=0.05)


@pytest.mark.parametrize("seed", range(4))
def test_a_dot_is_smeared_along_the_body(seed: int) -> None:
    smeared = changed("motion-blur", dot(32, 32), 0.25, seed)  # over 16 pixels
    rows, columns = np.nonzero(smeared > 1e-3)
    assert smeared.sum() == pytest.approx(1, rel=1e-3)
    assert np.ptp(rows) >= 12 and np.ptp(columns) <= 10
    assert center_of_mass(smeared) == pytest.approx((32, 32), abs=0.01)


def test_a_checkerboard_is_gray_at_half_the_resolution() -> None:
    board = (np.indices((SIDE, SIDE)).sum(0) % 2).astype(np.float32)
    assert_allclose(changed("resolution", board, SIDE / 2), flat(0.5), atol=1e-6)


def test_pixelated_films_have_squares() -> None:
    ramp = np.tile(np.linspace(0, 1, SIDE, dtype=np.float32), (SIDE, 1))
    squares = changed("pixelation", ramp, 8)  # of 8 pixels each
    assert_allclose(squares[0], np.repeat(ramp[0].reshape(8, 8).mean(1), 8), atol=1e-6)


def test_jpeg_keeps_a_flat_film_and_loses_more_at_lower_quality() -> None:
    assert_allclose(changed("jpeg", flat(0.5), 50), flat(0.5), atol=1 / 255)
    noise = np.random.default_rng(0).random((SIDE, SIDE), np.float32)
    losses = [float(np.abs(changed("jpeg", noise, quality) - noise).mean()) for quality in (95, 50, 5)]
    assert losses == sorted(losses) and losses[0] < 0.05 < losses[2]


@pytest.mark.parametrize("seed", range(6))
def test_a_marker_is_where_it_belongs(seed: int) -> None:
    rows, columns = np.nonzero(changed("marker", flat(0.0, 256), seed=seed) > 0.5)
    assert 0 < len(rows) < 0.01 * 256**2 and rows.max() < 0.15 * 256
    assert columns.max() < 0.15 * 256 or columns.min() > 0.85 * 256


def test_text_is_in_a_corner_and_hides_little() -> None:
    for seed in range(6):
        covered = changed("text", flat(0.0, 256), seed=seed) > 0.5
        rows, columns = np.nonzero(covered)
        assert 0 < covered.mean() < 0.03
        assert np.ptp(rows) < 0.15 * 256 and np.ptp(columns) < 0.3 * 256


def test_shutters_cover_a_share_and_leave_the_rest() -> None:
    covered = changed("collimation", flat(0.3, 256), 0.25)
    assert np.mean(covered[128] > 0.64) == pytest.approx(0.25, abs=0.01)  # half between 0.3 and 0.98
    assert covered[128, 128] == pytest.approx(0.3)


def test_a_border_is_black_and_the_film_inside_is_whole() -> None:
    framed = changed("black-border", flat(0.5, 100))
    assert framed[:8].max() == 0 and framed[:, -8:].max() == 0
    assert_allclose(framed[8:92, 8:92], 0.5, atol=1e-6)

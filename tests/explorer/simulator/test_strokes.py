"""Strokes and fields: fast ways to draw give what the plain formulas give."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.simulator.anatomy.form import form_of
from explorer.simulator.anatomy.outline import fill_outline
from explorer.simulator.beam import Beam
from explorer.simulator.patient import describe
from explorer.simulator.shapes import curved_tube, ellipsoid, noise_field, stretch_spline, tubes
from explorer.simulator.strokes import paint_strokes, strokes

SIZE = 40


@pytest.mark.parametrize("ends", [((8.0, 9.0), (27.0, 20.0)), ((5.0, 20.0), (30.0, 20.0)), ((20.0, 33.0), (20.0, 9.0)),
                                  ((15.0, 15.0), (15.0, 15.0)), ((-6.0, 2.0), (60.0, 44.0))])  # fmt: skip
def test_a_stroke_is_its_formula_at_each_pixel(ends: tuple[tuple[float, float], tuple[float, float]]) -> None:
    a, b = np.array(ends)[:, :, None]
    wide, gain = np.array([[5.0], [3.0]]), np.array([[1.0], [2.0]])
    y, x = np.mgrid[:SIZE, :SIZE].astype(float)
    way = (b - a)[:, 0]
    t = (((x - a[0]) * way[0] + (y - a[1]) * way[1]) / max(float(way @ way), 1e-9)).clip(0, 1)
    square = (x - a[0] - t * way[0]) ** 2 + (y - a[1] - t * way[1]) ** 2
    expected = np.sqrt(((5 - 2 * t) ** 2 - square).clip(0)) * (1 + t)
    assert paint_strokes(strokes(a, b, wide, gain), SIZE) == pytest.approx(expected, abs=2e-3)


def test_a_line_of_strokes_has_no_notch_at_its_bends() -> None:
    around = np.linspace(0, 4.5, 16)
    points = np.stack([20 + 11 * np.cos(around), 20 + 11 * np.sin(around)])
    one = np.ones((2, 15))
    together = paint_strokes(strokes(points[:, :-1], points[:, 1:], 4 * one, one), SIZE)
    alone = [
        paint_strokes(strokes(points[:, [k]], points[:, [k + 1]], 4 * one[:, :1], one[:, :1]), SIZE) for k in range(15)
    ]
    assert together == pytest.approx(np.maximum.reduce(alone), abs=2e-3)


def _beam(size: int) -> Beam:
    patient = describe(3, "A")
    return Beam.aim(patient, form_of(patient), size)


def test_a_curve_is_the_tubes_between_its_points() -> None:
    rng = np.random.default_rng(0)
    points = np.cumsum(rng.normal(0, 1, (9, 3)), 0) + [0, 10, 0]
    radii = np.linspace(0.3, 0.8, 9)
    beam = _beam(128)
    film = curved_tube(beam, points, radii, 0.3, 0.7)
    alone = [tubes(beam, points[[k]], points[[k + 1]], radii[None, k : k + 2], 0.3, 0.7) for k in range(8)]
    assert film == pytest.approx(np.maximum.reduce(alone), abs=1e-4)
    assert film.max() > 0.8
    assert not curved_tube(beam, points + 40, 0.5).any()  # beside the film
    assert not curved_tube(beam, points[:1], 0.5).any()  # no line at all


def test_an_ellipsoid_is_whole_in_its_window() -> None:
    beam = _beam(96)
    x, y = beam.at(2.0)
    dx, dy, cos, sin = x - 3, y - 9, np.cos(0.4), np.sin(0.4)
    inside = 1 - ((dx * cos + dy * sin) / 5) ** 2 - ((dy * cos - dx * sin) / 2) ** 2
    expected = 2 * 1.5 * np.sqrt(inside.clip(0))
    assert ellipsoid(beam, (3, 9, 2), (5, 2, 1.5), 0.4) == pytest.approx(expected, abs=1e-3)
    assert not ellipsoid(beam, (300, 9, 2), (5, 2, 1.5)).any()


def test_a_field_is_the_same_at_every_size_and_of_deviation_1() -> None:
    small, large = (noise_field(np.random.default_rng(5), _beam(size), 0.6) for size in (100, 300))
    assert large[1::3, 1::3] == pytest.approx(small, abs=1e-4)
    assert large.std() == pytest.approx(1, abs=0.1)


def test_a_spline_of_a_slope_is_the_slope() -> None:
    knots = np.add.outer(np.arange(12.0), 3 * np.arange(12.0)).astype(np.float32)
    at = np.linspace(0, 8, 30, dtype=np.float32)
    expected = np.add.outer(at, 3 * at) + 4 * 1.5  # positions count from the second knot and a half
    assert stretch_spline(knots, at) == pytest.approx(expected, abs=1e-4)


def test_an_outline_is_filled_up_to_its_corners_and_round_its_notch() -> None:
    beam = _beam(200)
    corners = np.array([(-6, 4, 0), (6, 4, 0), (6, 16, 0), (0, 9, 0), (-6, 16, 0)], np.float64)
    x, y = beam.at(0)
    inside = (np.abs(x) < 6) & (y > 4) & (y - 9 < np.abs(x) * 7 / 6)
    assert np.mean(fill_outline(beam, corners).astype(bool) != inside) < 1e-3
    assert not fill_outline(beam, corners + [90, 0, 0]).any()

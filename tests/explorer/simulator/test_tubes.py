"""Tubes, enlarged maps and fast blurs: the same body at every film size."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from explorer.simulator.anatomy.form import form_of
from explorer.simulator.beam import Beam
from explorer.simulator.patient import describe
from explorer.simulator.scale import blur_map, enlarge_map
from explorer.simulator.shapes import curved_tube, smooth_step
from models.array_types import Float32


def _beam(size: int) -> Beam:
    patient = describe(3, "A")
    return Beam.aim(patient, form_of(patient), size)


def _mass(path: Float32, beam: Beam) -> float:
    return float(path.sum()) * beam.pixel**2


@pytest.mark.parametrize("radius", [0.04, 0.3])
@pytest.mark.parametrize("size", [128, 512])
def test_a_tube_has_its_volume_at_every_size(size: int, radius: float) -> None:
    beam = _beam(size)
    points = np.array([(-6.0, 10.0, 0.0), (-4.0, 17.7, 0.0)])
    assert _mass(curved_tube(beam, points, radius), beam) == pytest.approx(
        np.pi * radius**2 * np.hypot(2.0, 7.7), rel=0.1
    )


def test_the_wall_of_a_hollow_tube_is_denser_than_its_core() -> None:
    beam = _beam(512)
    path = curved_tube(beam, np.array([(0.0, 5.0, 0.0), (0.0, 15.0, 0.0)]), 1.0, 0.2)
    row = path[int(np.nonzero(path)[0].mean())]
    middle = len(row) // 2 + round(-beam.middle / beam.pixel)
    assert row.max() > 1.3 * row[middle] > 0


def test_pieces_of_a_curve_do_not_close_each_other() -> None:
    beam = _beam(512)
    y = np.linspace(5, 15, 11)
    line = np.stack([0 * y, y, 0 * y], 1)
    joined, single = (curved_tube(beam, points, 1.0, 0.2) for points in (line, line[[0, -1]]))
    assert np.abs(joined - single).max() < 0.05


def test_a_tube_outside_the_film_draws_nothing() -> None:
    assert not curved_tube(_beam(128), np.array([(90.0, 5.0, 0.0), (99.0, 5.0, 0.0)]), 1.0).any()


def test_enlarged_keeps_a_constant_and_a_slope() -> None:
    assert np.allclose(enlarge_map(np.full((48, 48), 2.5, np.float32), 224), 2.5, atol=1e-4)
    slope = np.arange(48, dtype=np.float32)[None] + np.zeros((48, 1), np.float32)
    wanted = (np.arange(240) + 0.5) / 5 - 0.5
    assert np.abs(enlarge_map(slope, 240)[100] - wanted)[20:-20].max() < 0.01


def test_three_boxes_are_nearly_a_gaussian() -> None:
    dot = np.zeros((101, 101), np.float32)
    dot[50, 50] = 1
    assert np.abs(blur_map(dot, 6.0) - gaussian_filter(dot, 6.0)).max() < 0.1 * gaussian_filter(dot, 6.0).max()


def test_smooth_rises_from_low_to_high() -> None:
    assert smooth_step(np.array([0.0, 1.0, 1.5, 2.0, 3.0]), 1, 2).tolist() == [0, 0, 0.5, 1, 1]
    assert smooth_step(np.array([0.0, 3.0]), 2, 1).tolist() == [1, 0]

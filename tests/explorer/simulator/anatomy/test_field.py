"""The field is set to the chest, and rays fall where the geometry says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.simulator import CENTERS, Center, describe
from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.form import form_of
from explorer.simulator.beam import Beam


def beam(seed: int, center: Center, size: int = 128) -> Beam:
    patient = describe(seed, center)
    return Beam.aim(patient, form_of(patient), size)


@pytest.mark.parametrize("center", CENTERS)
def test_the_lungs_fill_the_film_and_none_is_cut_off(center: Center) -> None:
    for seed in range(8):
        rays = beam(seed, center)
        marks = build_chest(form_of(rays.patient), rays).marks
        both = marks.lungs["right"] | marks.lungs["left"]
        rows, columns = np.any(both, axis=1, keepdims=True)[:, 0], np.any(both, axis=0, keepdims=True)[0]
        assert 0.5 <= rows.mean() <= 0.85 and 0.5 <= columns.mean() <= 0.85
        assert not (rows[0] or rows[-1] or columns[0] or columns[-1])


def test_a_point_on_the_film_is_found_by_its_ray() -> None:
    rays = beam(3, "B")
    for point in ((4.0, 12.0, 6.0), (-7.0, 3.0, -5.0)):
        x, y = rays.on_film(*point)
        column, row = (x - rays.left) / rays.pixel - 0.5, (y - rays.top) / rays.pixel - 0.5
        across, down = rays.at(point[2])
        assert np.interp(column, np.arange(rays.size), across[0]) == pytest.approx(point[0], abs=1e-3)
        assert np.interp(row, np.arange(rays.size), down[:, 0]) == pytest.approx(point[1], abs=1e-3)


def test_the_heart_in_front_is_larger_on_an_ap_film() -> None:
    rays = beam(0, "A")
    ap = replace(rays, patient=replace(rays.patient, view="AP"))
    assert rays.patient.view == "PA"
    assert ap.magnification(4.0) > 1.02 > 1 > rays.magnification(4.0)


def test_the_field_is_the_same_at_every_size() -> None:
    small, large = beam(5, "A", 96), beam(5, "A", 960)
    assert (small.field, small.top, small.middle) == (large.field, large.top, large.middle)
    assert small.pixel == pytest.approx(10 * large.pixel)

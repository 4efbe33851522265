"""Lungs, heart, diaphragm and body lie as they do in a patient."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.simulator import describe
from explorer.simulator.anatomy.airway import airway
from explorer.simulator.anatomy.body import body
from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.cage import chest_half_width
from explorer.simulator.anatomy.form import Form, form_of
from explorer.simulator.anatomy.heart import carina_position, heart_chambers, heart_frame, merge_paths
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest

SEEDS = range(6)


def healthy(seed: int, size: int = 160) -> tuple[Form, Beam]:
    patient = describe(seed, "A")
    form = form_of(patient)
    return form, Beam.aim(patient, form, size)


@pytest.fixture(scope="module")
def chests() -> list[Chest]:
    return [build_chest(*healthy(seed)) for seed in SEEDS]


def test_no_layer_is_negative_or_broken(chests: list[Chest]) -> None:
    for chest in chests:
        for layer in (chest.lung, chest.density, chest.vessels, chest.bone):
            assert layer.dtype == np.float32 and layer.shape == (160, 160)
            assert np.isfinite(layer).all() and layer.min() >= 0
        assert chest.soft.min() > -0.01 and 3 < chest.attenuation().max() < 12


def test_the_lungs_are_inside_the_body_and_less_dense_than_water(chests: list[Chest]) -> None:
    for chest in chests:
        whole = body(chest.form, chest.beam)
        assert (chest.lung < whole)[chest.lung > 0].all()
        assert 0.1 < (chest.density * chest.lung).sum() / chest.lung.sum() < 0.4


def test_a_lung_is_narrow_at_the_apex_and_its_outer_angle_is_its_lowest_point(chests: list[Chest]) -> None:
    for chest in chests:
        widths = chest_half_width(chest.form, chest.form.apex + np.array([0.5, 5.0, 12.0, 24.0]))
        assert (np.diff(widths) > 0).all() and widths[0] < 0.62 * widths[-1]
        for dome in chest.marks.domes.values():
            assert 2.5 < dome[-1, 1] - dome[:, 1].min() < 7


def test_the_heart_is_as_wide_as_its_frame(chests: list[Chest]) -> None:
    for chest in chests:
        f = heart_frame(chest.form)
        seen = np.flatnonzero((merge_paths(heart_chambers(chest.form, chest.beam)) > 1).any(0))
        magnified = chest.beam.magnification(2.0)
        wide = (seen[-1] - seen[0] + 1) * chest.beam.pixel / magnified
        assert wide == pytest.approx(f.left - f.right, rel=0.08)
        assert f.right < -1.5 and f.left > 4 and carina_position(chest.form)[1] < f.base < f.bottom


def test_a_wider_heart_takes_lung_and_a_lower_dome_gives_it(chests: list[Chest]) -> None:
    form, beam = chests[0].form, chests[0].beam
    wide = build_chest(replace(form, heart_width=form.heart_width + 3), beam)
    low = build_chest(replace(form, dome_right=form.dome_right + 2, dome_left=form.dome_left + 2), beam)
    assert wide.lung.sum() < chests[0].lung.sum() * 0.98 < low.lung.sum()


def test_the_windpipe_is_dark_in_the_neck(chests: list[Chest]) -> None:
    for chest in chests:
        air = airway(chest.form, chest.beam)
        row = int(air[: chest.beam.size // 4].any(1).argmax()) + 2
        column = int(air[row].argmax())
        assert 1.6 < air[row, column] < 2.8
        assert chest.soft[row, column] < chest.soft[row, [column - 9, column + 9]].min()


def test_anatomy_is_the_same_at_two_sizes() -> None:
    small, large = (build_chest(*healthy(2, size)) for size in (96, 384))
    for name in ("soft", "lung"):
        fine = getattr(large, name).reshape(96, 4, 96, 4).mean((1, 3))
        assert np.abs(fine - getattr(small, name)).mean() < 0.1

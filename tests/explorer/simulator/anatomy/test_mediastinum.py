"""What stands between the lungs is where it is in a patient, and each thing is seen that a reader looks for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.simulator import CENTERS, Center, describe
from explorer.simulator.anatomy.airway import airway
from explorer.simulator.anatomy.aorta import descending_aorta
from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.form import Form, form_of
from explorer.simulator.anatomy.heart import carina_position, heart_frame
from explorer.simulator.anatomy.lines import smooth_line
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest

SEEDS = range(30, 34)


def healthy(seed: int, center: Center) -> tuple[Form, Beam]:
    patient = describe(seed, center)
    form = form_of(patient)
    return form, Beam.aim(patient, form, 192)


@pytest.fixture(scope="module")
def chests() -> list[Chest]:
    return [build_chest(*healthy(seed, center)) for seed in SEEDS for center in CENTERS]


def test_the_windpipe_is_a_dark_band_down_to_the_carina(chests: list[Chest]) -> None:
    for chest in chests:
        beam, air = chest.beam, airway(chest.form, chest.beam)
        seen = chest.soft + chest.density * chest.lung
        for above in (1.5, 3.0, 5.0):  # cm
            row = int((carina_position(chest.form)[1] - above - beam.top) / beam.pixel)
            if row < 0:
                continue
            inside = air[row] > 1.5
            middle = int(np.flatnonzero(inside).mean())
            near, far = middle + round(1.0 / beam.pixel), middle + round(2.2 / beam.pixel)
            left = seen[row, near:far].max()
            assert seen[row, inside].mean() < left - 0.8, "its left wall is seen against the great vessels"
            assert chest.lung[row, inside].mean() < 1, "nothing but its own air darkens it"


def test_right_and_left_border_are_the_hearts_and_not_the_spines(chests: list[Chest]) -> None:
    for chest in chests:
        f = heart_frame(chest.form)
        assert f.right < -3.5 and f.left > 5
        x, y = chest.beam.at(0)
        row = int(np.abs(y[:, 0] - (f.bottom - 4)).argmin())
        lung, across = chest.lung[row], x[0]
        behind = lung[(across > f.right + 0.8) & (across < -2.4)].mean()
        beside = lung[(across > f.right - 3) & (across < f.right - 1.5)].mean()
        assert 0.05 * beside < behind < 0.75 * beside, "lung behind the heart lets it be seen through"


def test_the_descending_aorta_is_seen_through_the_heart(chests: list[Chest]) -> None:
    for chest in chests:
        f, beam = heart_frame(chest.form), chest.beam
        stretched = replace(chest.form, aorta_stretch=chest.form.aorta_stretch + 0.6)
        row = int(np.abs(beam.at(-5)[1][:, 0] - (f.base + f.bottom) / 2).argmin())
        edge = [int(np.flatnonzero(descending_aorta(form, beam)[row] > 0.5).max()) for form in (chest.form, stretched)]
        assert edge[1] > edge[0], "stretched, it stands further out"
        lung = [built.lung[row, edge[0] + 1 : edge[1] + 1].mean() for built in (chest, build_chest(stretched, beam))]
        assert lung[1] < lung[0] - 0.5


def test_a_grown_heart_leaves_the_vessels_where_they_are() -> None:
    form, beam = healthy(30, "A")
    small, large = build_chest(form, beam), build_chest(replace(form, heart_width=form.heart_width + 3), beam)
    for side, branches in small.marks.vessels.items():
        np.testing.assert_array_equal(np.asarray(branches), np.asarray(large.marks.vessels[side]))


@pytest.mark.parametrize("steps", [1, 4, 8])
def test_a_rounded_line_has_as_many_points_as_asked_for(steps: int) -> None:
    corners = [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.5, 3.0, 0.0)]
    line = smooth_line(corners, steps)
    assert len(line) == 2 * steps + 1
    np.testing.assert_allclose(line[::steps], corners)

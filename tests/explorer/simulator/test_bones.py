"""Spine, ribs and shoulders: where they are and how they follow patient and view."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.simulator.anatomy.cage import chest_cavity, chest_half_width
from explorer.simulator.anatomy.cage import chest_walls as walls_of
from explorer.simulator.anatomy.clavicle import clavicle
from explorer.simulator.anatomy.form import form_of
from explorer.simulator.anatomy.rib_border import rib_border_lines
from explorer.simulator.anatomy.rib_course import rib_line
from explorer.simulator.anatomy.ribs import rib_cage
from explorer.simulator.anatomy.shoulders import shoulder_girdle
from explorer.simulator.anatomy.skeleton import skeleton
from explorer.simulator.anatomy.spine import spinal_column, vertebra_centers
from explorer.simulator.beam import Beam
from explorer.simulator.patient import describe

_PATIENT = describe(5, "A")
_FORM = form_of(_PATIENT)
_BEAM = Beam.aim(_PATIENT, _FORM, 160)


def test_vertebrae_go_down_and_grow() -> None:
    steps = np.diff(vertebra_centers(replace(_FORM, spine_round=0.0))[:, 1])
    assert len(steps) == 11
    assert (np.diff(steps) > 0).all()


def test_a_bend_moves_mid_spine_to_that_side_and_the_film_with_it() -> None:
    straight, bent = (vertebra_centers(replace(_FORM, spine_bend=bend)) for bend in (0.0, 3.0))
    assert bent[6, 0] > straight[6, 0] + 2.5
    left = _BEAM.x[0] > 2.5
    assert spinal_column(_FORM, _BEAM, bent)[:, left].sum() > 1.5 * spinal_column(_FORM, _BEAM, straight)[:, left].sum()


def test_a_round_back_is_shorter() -> None:
    upright, round_ = (np.ptp(vertebra_centers(replace(_FORM, spine_round=bend))[:, 1]) for bend in (0.0, 0.8))
    assert round_ < upright - 0.8


def test_ribs_follow_the_chest_wall_from_the_spine_to_the_front() -> None:
    walls = walls_of(_FORM)
    _, ribs = rib_cage(_FORM, _BEAM, vertebra_centers(_FORM), walls)
    for side, sign in (("right", -1.0), ("left", 1.0)):
        assert len(ribs[side]) == 10
        for number, course in enumerate(ribs[side]):
            assert abs(course[0, 0]) < 2.5
            assert (sign * course[3:, 0] > 0).all()
            assert course[-1, 1] > course[0, 1] + 2  # the front end is lower
            if 3 <= number <= 8:
                widest = np.abs(course[:, 0]).argmax()
                wall = np.interp(course[widest, 1], walls[side][:, 1], np.abs(walls[side][:, 0]))
                assert abs(course[widest, 0]) == pytest.approx(wall, abs=1.0)


def test_no_chest_is_its_own_mirror_image() -> None:
    _, ribs = rib_cage(_FORM, _BEAM, vertebra_centers(_FORM), walls_of(_FORM))
    lower = np.array([[course[12, 1] for course in ribs[side]] for side in ("right", "left")])
    assert 0.1 < np.abs(lower[0] - lower[1]).mean() < 2.5
    assert np.diff(lower, axis=1).std() > 0.15  # unevenly spaced


def test_the_lungs_bulge_a_little_between_the_ribs_and_unlike_on_both_sides() -> None:
    beam = Beam.aim(_PATIENT, _FORM, 640)
    rows = slice(*np.searchsorted(beam.at(0)[1][:, 0], (_FORM.apex + 8, _FORM.apex + 18)))
    air = chest_cavity(_FORM, beam)[rows] > 0
    x, y = beam.at(0)
    smooth = chest_half_width(_FORM, y[rows, 0])
    right, left = -x[0, air.argmax(1)] - smooth, x[0, air.shape[1] - 1 - air[:, ::-1].argmax(1)] - smooth
    for side in (right, left):
        assert 0.03 < side.std() < 0.2 and np.abs(side).max() < 0.4
    assert np.abs(right - left).max() > 0.08


def test_a_rib_is_outlined_more_firmly_below_than_above_and_least_in_front() -> None:
    course, angle = rib_line(_FORM, vertebra_centers(_FORM)[5], walls_of(_FORM)["left"], 5, 1.0, 1.0, np.zeros(4))
    random = np.random.default_rng(0)
    lines, _, depth = rib_border_lines(random, course[None], angle[None], np.full((1, len(angle)), 0.6))
    back, front = slice(3, 7), slice(9, 12)
    assert (lines[0, back, 1] > lines[1, back, 1] + 0.6).all()  # the first line is the lower one
    assert depth[0, back].mean() > 1.4 * depth[1, back].mean()
    assert depth[0, front].mean() < 0.7 * depth[0, back].mean()


def test_mineral_is_not_the_skeletons_business() -> None:
    vertebrae, walls = vertebra_centers(_FORM), walls_of(_FORM)
    full, _, _ = skeleton(_FORM, _BEAM, vertebrae, walls)
    poor, _, _ = skeleton(replace(_FORM, bone=0.5), _BEAM, vertebrae, walls)
    assert np.array_equal(full, poor)
    assert full.min() >= 0


def test_shoulder_blades_lie_over_the_lungs_in_ap_films() -> None:
    def over(view: str) -> float:
        total = 0.0
        for seed in range(6):
            patient = replace(describe(seed, "A"), view=view, rotation=0.0)
            form = form_of(patient)
            beam = Beam.aim(patient, form, 96)
            bone, _ = shoulder_girdle(form, beam)
            x, y = beam.at(-7.0)
            lung = (np.abs(x) < 0.82 * form.half_width) & (np.abs(x) > 0.5 * form.half_width) & (y > 7) & (y < 16)
            total += float(bone[lung].sum()) * beam.pixel**2
        return total

    assert over("AP") > 3 * over("PA")


def test_clavicles_rise_from_the_sternum_outwards() -> None:
    _, clavicles = shoulder_girdle(_FORM, _BEAM)
    for side, sign in (("right", -1.0), ("left", 1.0)):
        assert sign * clavicles[side][-1, 0] > sign * clavicles[side][0, 0] + 8
        assert clavicles[side][-1, 1] < clavicles[side][0, 1] - 1


def test_a_clavicle_is_broad_at_the_breastbone_and_slim_in_the_middle() -> None:
    _, clavicles = shoulder_girdle(_FORM, _BEAM)
    beam = Beam.aim(_PATIENT, _FORM, 512)
    course = clavicles["right"]
    path = clavicle(beam, course, np.ones(len(course) - 1, bool), 1.0, np.random.default_rng(0))
    columns = np.round(beam.project(course)[:, 0]).astype(int)
    tall = (path > 0).sum(0)[columns] * beam.pixel
    assert tall[4] > 1.3 * tall[22] and tall[0] < tall[4]


def test_both_sides_of_the_shoulder_differ() -> None:
    _, clavicles = shoulder_girdle(_FORM, _BEAM)
    assert np.abs(clavicles["right"][:, 1] - clavicles["left"][:, 1]).max() > 0.2

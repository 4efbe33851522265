"""Vessels divide their lung, taper, run on smoothly, and stay in the lungs."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.simulator import CENTERS, Center, describe
from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.endon import end_on
from explorer.simulator.anatomy.form import form_of
from explorer.simulator.anatomy.lines import smooth_line
from explorer.simulator.anatomy.supply import supplied_points
from explorer.simulator.anatomy.tree import Tree, grow_tree
from explorer.simulator.anatomy.vessels import hilum_centers, vessels
from explorer.simulator.beam import Beam

POINTS = np.random.default_rng(0).uniform((0, -8, -6), (10, 8, 6), (150, 3))


@pytest.fixture
def tree() -> Tree:
    starts, ways = np.array([(0.0, -1.0, 0.0), (0.0, 1.0, 0.0)]), np.array([(0.0, -1.0, 0.0), (0.0, 1.0, 0.0)])
    return grow_tree(starts, ways, POINTS, (POINTS[:, 1] > 0).astype(np.intp), np.random.default_rng(1))


def beam(seed: int, center: Center = "A", size: int = 192) -> Beam:
    patient = describe(seed, center)
    return Beam.aim(patient, form_of(patient), size)


def test_a_line_passes_through_its_points() -> None:
    line = smooth_line([(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.5, 3.0, 0.0)])
    assert line.shape == (9, 3)
    np.testing.assert_allclose(line[::4], [(0, 0, 0), (1, 1, 0), (1.5, 3, 0)])


def test_every_point_is_reached_by_a_branch_of_its_own(tree: Tree) -> None:
    twigs = tree.ends[tree.leaves == 1]
    assert len(twigs) == len(POINTS) == len({tuple(twig) for twig in twigs})
    assert np.abs(twigs[:, None] - POINTS[None]).sum(2).min(1).max() < 4


def test_every_branch_starts_where_another_ends_and_feeds_less(tree: Tree) -> None:
    ends = {tuple(end): leaves for end, leaves in zip(tree.ends, tree.leaves, strict=True)}
    for start, leaves, above in zip(tree.starts, tree.leaves, tree.above, strict=True):
        assert tuple(start) in ends or leaves == above
        assert ends.get(tuple(start), above) == above >= leaves


def test_branches_divide_in_two_at_moderate_angles(tree: Tree) -> None:
    _, daughters = np.unique(tree.starts, axis=0, return_counts=True)
    assert daughters.max() == 2
    way = tree.ends - tree.starts
    turn = (way * tree.before).sum(1) / np.sqrt((way**2).sum(1))
    assert np.median(turn[tree.leaves > 1]) > np.cos(np.radians(45))


def test_pieces_join_up_and_taper(tree: Tree) -> None:
    radii = np.stack([tree.above, tree.leaves], 1) ** 0.4
    starts, ends, wide = tree.pieces(radii, np.ones(len(radii), bool))
    assert len(starts) == len(ends) == len(wide) == 3 * len(tree.ends)
    np.testing.assert_allclose(starts[1:3], ends[:2])
    np.testing.assert_allclose(ends[2::3], tree.ends)
    assert (wide[:, 1] <= wide[:, 0] + 1e-9).all()


def test_a_root_without_points_grows_nothing() -> None:
    starts, ways = np.zeros((2, 3)), np.tile((1.0, 0.0, 0.0), (2, 1))
    assert set(grow_tree(starts, ways, POINTS, np.ones(150, np.intp), np.random.default_rng(0)).root) == {1}


@pytest.mark.parametrize("seed", range(3))
def test_lungs_are_fed_away_from_the_pleura_and_more_below(seed: int) -> None:
    rays = beam(seed)
    form = form_of(rays.patient)
    points = supplied_points(form, rays, "left", 1.0, 300)
    assert len(points) > 250 and points[:, 0].max() < form.half_width - 1.2 and points[:, 1].min() > form.apex + 2
    middle = (form.apex + form.dome_left) / 2
    assert (points[:, 1] > middle).sum() > 1.1 * (points[:, 1] < middle).sum()


def test_the_left_hilum_is_higher_and_arteries_run_outwards() -> None:
    rays = beam(7)
    form = form_of(rays.patient)
    places, branches = hilum_centers(form), vessels(form, rays)[1]
    assert places["left"][1] < places["right"][1]
    for side, place in places.items():
        start, end = np.stack(branches[side], 1)
        far = np.hypot(*(end - place)[:, :2].T) - np.hypot(*(start - place)[:, :2].T)
        assert len(start) > 200 and (far > 0).mean() > 0.65


def test_some_hila_show_a_bronchus_end_on_beside_its_artery() -> None:
    drawn = [end_on(beam(seed, size=64), (-4.0, 10.0, 0.0), "right", -1.0) for seed in range(20)]
    assert 5 < sum(len(starts) > 0 for starts, *_ in drawn) < 18
    starts, ends, radii, deep = next(each for each in drawn if len(each[0]))
    np.testing.assert_allclose(starts[1:-1], ends[:-2])
    np.testing.assert_allclose(starts[0], ends[-2])
    assert radii[-1, 0] > 3 * radii[0, 0], "the artery is solid, the bronchus has a thin wall"
    assert np.allclose(2 * radii * deep, deep[0, 0] * 2 * radii[0, 0])


@pytest.mark.parametrize("center", CENTERS)
def test_vessels_are_seen_in_the_lungs_alone_and_fade_to_the_edge(center: Center) -> None:
    rays = beam(7, center)
    chest = build_chest(form_of(rays.patient), rays)
    assert not chest.vessels[chest.lung < 0.2].any()
    for side, (x, y, z) in chest.marks.hila.items():
        across, down = chest.beam.at(z)
        far = np.hypot(across - x, down - y)
        lung = chest.marks.lungs[side] & (chest.lung > 4)
        near, edge = chest.vessels[lung & (far < 4)].mean(), chest.vessels[lung & (far > 9)].mean()
        assert 0 < 4 * edge < near

"""Vessels reach their points, taper, and stay in the lungs."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.phantom import CENTERS, Center, describe
from explorer.phantom.anatomy.build import build
from explorer.phantom.anatomy.form import form_of
from explorer.phantom.anatomy.lines import rounded
from explorer.phantom.anatomy.tree import Tree, grow
from explorer.phantom.beam import Beam

TRUNK = rounded([(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.5, 3.0, 0.0)])


@pytest.fixture
def tree() -> Tree:
    return grow(TRUNK, np.random.default_rng(0).uniform(-8, 8, (150, 3)), 0.7)


def test_a_line_passes_through_its_points() -> None:
    assert TRUNK.shape == (9, 3)
    np.testing.assert_allclose(TRUNK[::4], [(0, 0, 0), (1, 1, 0), (1.5, 3, 0)])


def test_every_branch_starts_where_another_ends(tree: Tree) -> None:
    assert len(tree.ends) == len(TRUNK) - 1 + 150
    ends = {tuple(end) for end in tree.ends} | {tuple(TRUNK[0])}
    assert all(tuple(start) in ends for start in tree.starts)


def test_vessels_taper_from_the_trunk(tree: Tree) -> None:
    assert tree.radii[0, 0] == pytest.approx(0.7) == tree.radii.max()
    assert (tree.radii[:, 1] <= tree.radii[:, 0] + 1e-9).all()
    assert tree.radii.min() < 0.1


def test_points_at_the_ends_are_reached_exactly(tree: Tree) -> None:
    points = np.random.default_rng(0).uniform(-8, 8, (150, 3))
    branching = {tuple(start) for start in tree.starts}
    reached = {tuple(end) for end in tree.ends}
    assert sum(tuple(point) in reached for point in points) >= len(reached - branching) > 40


def test_pieces_join_up(tree: Tree) -> None:
    starts, ends, radii = tree.pieces()
    assert len(starts) == len(ends) == len(radii) == 3 * len(tree.ends)
    np.testing.assert_allclose(starts[1:3], ends[:2])
    np.testing.assert_allclose(ends[2::3], tree.ends)


@pytest.mark.parametrize("center", CENTERS)
def test_vessels_are_seen_in_the_lungs_alone_and_fade_to_the_edge(center: Center) -> None:
    patient = describe(7, center)
    form = form_of(patient)
    chest = build(form, Beam.aim(patient, form, 192))
    assert not chest.vessels[chest.lung < 0.2].any()
    for side, (x, y, z) in chest.marks.hila.items():
        across, down = chest.beam.at(z)
        far = np.hypot(across - x, down - y)
        lung = chest.marks.lungs[side] & (chest.lung > 4)
        near, edge = chest.vessels[lung & (far < 4)].mean(), chest.vessels[lung & (far > 9)].mean()
        assert 0 < 4 * edge < near

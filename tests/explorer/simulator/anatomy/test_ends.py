"""First ribs reach the breastbone, domes come up softly, and vessels leave points behind them to others."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.simulator import CENTERS, Center, describe
from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.diaphragm import below_dome
from explorer.simulator.anatomy.form import form_of
from explorer.simulator.anatomy.vessels import _turn_needed
from explorer.simulator.beam import Beam


@pytest.mark.parametrize("center", CENTERS)
def test_first_ribs_end_beside_the_manubrium(center: Center) -> None:
    for seed in range(860, 864):
        patient = describe(seed, center)
        form = form_of(patient)
        ribs = build_chest(form, Beam.aim(patient, form, 64)).marks.ribs
        for side in ("right", "left"):
            x, y, _ = ribs[side][0][-1]
            assert abs(x) < 5 and y > form.apex + 4


def test_the_edge_of_a_dome_is_soft_and_its_depth_the_same() -> None:
    cavity, deep = np.full(3, 18, np.float32), np.array([-1, 0.1, 9], np.float32)
    soft, sharp = below_dome(deep, cavity), below_dome(deep, cavity, 1e-6)
    assert soft[0] == 0 and soft[1] < 0.5 * sharp[1] and soft[2] > 0.95 * sharp[2]


def test_a_point_behind_a_vessels_end_is_a_whole_turn_away() -> None:
    line = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
    points = np.array([(3.0, 0.0, 0.0), (1.0, 2.0, 0.0), (-3.0, 0.0, 0.0)])
    np.testing.assert_allclose(_turn_needed(line, points), (0, 1, 2), atol=1e-9)

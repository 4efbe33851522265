"""Physical perturbations on pictures made by hand: what the grid absorbs in each column, and which gray a center shows.

Both pictures are metres wide, so that no blur reaches from one pixel to the next.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from explorer.simulator.beam import Beam
from explorer.simulator.detector import Detector, detect_signal
from explorer.simulator.draws import draws
from explorer.simulator.film import PROCESSING, Equipment, display_gray
from explorer.simulator.patient import describe
from explorer.simulator.perturbations.kind import Exposure
from explorer.simulator.perturbations.registry import PHYSICAL
from models.array_types import Float32

SEED = 41
# Without blur, scatter inside the patient, noise (which falls with the quanta) and lines.
IDEAL = Detector(scatter=0.0, quanta=1e30, blur=0.0, grain=0.0, lines=0.0, cutoff=0.0)
FLOOR = 0.004  # of the open beam, scattered behind everything


def beam(size: int) -> Beam:
    return Beam(describe(SEED, "A"), size, half_depth=10, field=4000, top=0, middle=0)


def changed(kind: str, dial: float = 0.0) -> Equipment:
    own = Exposure(describe(SEED, "A"), Equipment(IDEAL, PROCESSING["A"]))
    return PHYSICAL[kind].expose(own, dial).equipment


def lost_by_the_grid(picture: Float32, dial: float) -> Float32:
    """The share of the signal that the grid absorbs in each pixel."""
    open_beam, four = np.zeros_like(picture), beam(len(picture))
    before, after = (detect_signal(picture, open_beam, four, each) for each in (IDEAL, changed("grid", dial).detector))
    return np.asarray(1 - np.exp(before - after), np.float32)


def test_a_grid_off_center_absorbs_one_three_five_and_seven_eighths_of_the_most_in_four_columns() -> None:
    picture = np.array([[0.0, np.log(2), 0.0, np.log(2)]] * 4, np.float32)  # all and half of the beam
    lost = lost_by_the_grid(picture, 0.4)
    # The middles of four equal columns lie 1/8, 3/8, 5/8 and 7/8 of the way to the worse side. What the patient absorbs
    # does not matter: the grid takes a share.
    shares = lost / lost.max() * 7 / 8
    eighths = np.array([1, 3, 5, 7]) / 8
    if lost[0, 0] > lost[0, 3]:
        eighths = eighths[::-1]
    assert_allclose(shares, np.broadcast_to(eighths, (4, 4)), atol=1e-4)
    assert_allclose(lost_by_the_grid(picture, 0.2), lost / 2, atol=1e-5)
    random = draws(SEED, "grid")
    degree = abs([random.uniform(0.13, 0.3), random.uniform(0, 2 * np.pi), random.uniform(-1, 1)][2])
    assert float(lost.max()) == pytest.approx(7 / 8 * 0.4 * degree, abs=1e-5)  # at most the dial, by the film's degree


@pytest.mark.parametrize("stop", [0.35, 0.7, 1.35])
def test_the_same_density_has_the_gray_of_the_other_centers_curve(stop: float) -> None:
    # The left half lets 1/5 of the beam pass, the right half 1/25: lung and mediastinum of the healthy patient.
    coarse = np.repeat([[np.log(5)] * 10 + [np.log(25)] * 10], 20, axis=0).astype(np.float32)
    lung, mediastinum = -np.log(1 / 5 + FLOOR), -np.log(1 / 25 + FLOOR)
    random = draws(SEED, "processing", "A")
    _, darker, flatter = random.uniform(0.6, 1.5), random.normal(0, 0.05), random.normal(1.0, 0.06)
    for center, equipment in (("A", Equipment(IDEAL, PROCESSING["A"])), ("B", changed("processing"))):
        kept = 1 - {"A": 0.42, "B": 0.3}[center]  # of the large structures' contrast
        more = (stop + darker) * flatter * (mediastinum - lung) * kept  # above lung, for a density at the stop
        density = np.full((20, 20), lung + more, np.float32)
        gray = display_gray(density, coarse, beam(20), equipment)[10, 4]  # far from the border of the halves
        expected = {0.35: {"A": 0.6, "B": 0.52}, 0.7: {"A": 0.72, "B": 0.66}, 1.35: {"A": 0.88, "B": 0.815}}
        assert float(gray) == pytest.approx(expected[stop][center], abs=2e-3)


def test_the_other_centers_processing_leaves_the_detector() -> None:
    equipment = changed("processing")
    assert equipment.detector == IDEAL and equipment.processing == PROCESSING["B"]

"""Shapes that a reader must see: every interstitial pattern, and one stomach below a raised dome."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.simulator import CENTERS, Center, Request, describe, render
from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.diaphragm import bowel_gas
from explorer.simulator.anatomy.form import form_of
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.findings.diaphragm import hemidiaphragm_elevation
from explorer.simulator.findings.interstitium import _pattern
from explorer.simulator.findings.side import lung_view
from explorer.simulator.findings.texture import random_points, specks

SIZE = 192


@pytest.mark.parametrize("seed", [200, 201, 202, 203, 205, 206, 214, 228])  # 206 and 228 are miliary, 214 too has dots
def test_no_interstitial_pattern_hides(seed: int) -> None:
    pixels, masks = render(seed, [Request("Interstitial Pattern", severity=1.0)], "A", SIZE)
    change = np.abs(pixels - render(seed, [], "A", SIZE)[0])
    assert change[masks["Interstitial Pattern"]].mean() > 0.025


def test_fine_nodules_are_never_on_one_side_alone() -> None:
    chosen = {both: [_pattern(both, draws(seed, "pattern")) for seed in range(60)] for both in (True, False)}
    assert not any(each.dots for each in chosen[False]) and len(set(chosen[False])) > 1
    assert {each.dots > 1000 for each in chosen[True]} == {True, False}


@pytest.mark.parametrize("size", [128, 512])
def test_specks_hold_the_volume_of_their_spheres(size: int) -> None:
    form = form_of(describe(3, "A"))
    beam = Beam.aim(describe(3, "A"), form, size)
    side = lung_view(build_chest(form, beam), "left")
    places = random_points(side, draws(3, "specks"), 400)[0]
    radius = np.linspace(0.05, 0.15, 400)
    path = specks(side, places, radius)
    assert path.min() >= 0
    assert path.sum() * beam.pixel**2 == pytest.approx((4 / 3 * np.pi * radius**3).sum(), rel=0.02)


@pytest.mark.parametrize("severity", [0.3, 1.0])
def test_wide_hila_are_wide_arteries_that_soon_taper(severity: float) -> None:
    for seed in (371, 372, 374):
        pixels, masks = render(seed, [Request("Vascular Hilar Enlargement", "right", severity)], "A", SIZE)
        change = pixels - render(seed, [], "A", SIZE)[0]
        assert change.max() > (0.08 if severity < 1 else 0.16)
        mask = masks["Vascular Hilar Enlargement"]
        rows, columns = np.nonzero(mask)
        assert np.ptp(rows) > 1.2 * np.ptp(columns), "a comma, no ball"
        assert mask.mean() < 0.04


@pytest.mark.parametrize("center", CENTERS)
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("Calcified Densities", 0.03, 0.1), ("Atelectasis", 0.02, 0.08), ("Bulla", 0.03, 0.09),
        ("Alveolar Pattern", 0.02, 0.1), ("Mass", 0.03, 0.12), ("Hypoexpansion", 0.02, 0.09),
    ],
)  # fmt: skip
def test_a_mild_finding_is_subtle_but_there(name: str, low: float, high: float, center: Center) -> None:
    """Mean change of gray inside the mask, range 0 to 1."""
    for seed in (371, 374):
        pixels, masks = render(seed, [Request(name, severity=0.3)], center, SIZE)
        change = np.abs(pixels - render(seed, [], center, SIZE)[0])
        assert low < change[masks[name]].mean() < high, seed


@pytest.mark.parametrize("seed", [221, 240])
def test_a_raised_dome_takes_the_stomach_along(seed: int) -> None:
    patient = describe(seed, "A")
    form = form_of(patient)
    beam = Beam.aim(patient, form, SIZE)
    chest = build_chest(form, beam)
    hemidiaphragm_elevation(chest, Request("Hemidiaphragm Elevation", "left", 1.0), draws(seed, "raised"))
    before = bowel_gas(form, beam)
    after = before + chest.gas
    assert after.min() > -1e-3, "no more gas is taken away than there was"
    height = [float((each.sum(1) * beam.y[:, 0]).sum() / each.sum()) for each in (before, after)]
    assert height[0] - height[1] > 1.5
